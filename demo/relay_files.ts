/** A relay without a model of its own: what a person says goes to an assistant child, whose answers a tool carries out. */
export const RELAY_FILES: Readonly<Record<string, string>> = {
  "agents/handlers/relay_pipe.ts": `// agents/handlers/relay_pipe.ts
export default defineHandler({
  description: 'Pipe user traffic to the assistant child; relay answers outward.',
  execute: async (state, message) => {
    const child = state.children.find(c => c.relationship === 'assistant_agent');
    if (child) {
      const thread = await state.getChildThread(child.reference);
      await thread?.queueMessage({ role: 'user', content: message.content ?? '' });
    }
  },
});
`,
  "agents/agents/relay_agent.ts": `// agents/agents/relay_agent.ts
export default defineAgent({
  name: 'relay_agent',
  sideA: {
    handler: 'relay_pipe',
    subagents: [{
      agent: 'assistant_agent',
      maxInstances: 1,
      immediate: true,              // spawned at thread creation — see Subagents §3
      parentCommunication: 'explicit',
    }],
  },
  sideB: { human: true },
});
`,
  "agents/agents/assistant_agent.ts": `import { defineAgent } from '@standardagents/spec';

export default defineAgent({
  name: 'assistant_agent',
  exposeAsTool: true,
  toolDescription: 'Answers what it is asked',
  sideA: { prompt: 'assistant' },
  sideB: { handler: 'deliver' },
});
`,
  "agents/handlers/deliver.ts": `import { defineHandler } from '@standardagents/spec';

export default defineHandler({
  description: 'Each answer of the assistant is a turn here, and leaves through a tool.',
  execute: async (state, message) => {
    const told = await state.invokeTool('message_user', { text: message.content ?? '' });
    if (told.status === 'error') throw new Error(told.error);
  },
});
`,
  "agents/tools/message_user.ts": `import { defineTool } from '@standardagents/spec';
import { z } from 'zod';

export default defineTool({
  description: 'Says something to the person whom the conversation is with.',
  args: z.object({ text: z.string() }),
  execute: async (state, { text }) => {
    const outer = await state.getParentThread() ?? state;
    const { id } = await outer.injectMessage({ role: 'assistant', content: text });
    return { status: 'success', result: id };
  },
});
`,
  "agents/prompts/assistant.ts": `import { definePrompt } from '@standardagents/spec';

export default definePrompt({
  name: 'assistant',
  toolDescription: 'Answers what it is asked',
  prompt: 'You are a helpful assistant. Answer in one short sentence.',
  model: 'assistant_model',
  includeChat: true,
});
`,
};

/** The model that the assistant's prompt names, as the bound service knows it. */
export function modelFile(model: string): string {
  return `import { defineModel } from '@standardagents/spec';

export default defineModel({ name: 'assistant_model', model: ${JSON.stringify(model)}, maxTokens: 60 });
`;
}
