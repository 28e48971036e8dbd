import type { DefinitionProblemView, DefinitionView, ThreadOperations } from "../../api/mod.ts";
import { HandlerError, linesOf } from "../../base/mod.ts";
import type { DefinitionProblem, DefinitionSet } from "../../wire/mod.ts";
import type { Parts } from "../assemble.ts";

/** Threads, as the engine has them (contract T). What it throws rejects. */
export function threadOperations(parts: Parts): ThreadOperations {
  const { threads, threadStore, configuration } = parts;
  return {
    async threadsCheck(project) {
      const { definitions, problems } = await threads.check(project);
      return { definitions: definitionViews(definitions), problems: problems.map(problemView) };
    },
    async threadsTypes(project) {
      const { definitions } = await threads.check(project);
      const { files, remarks } = await parts.threadTypes(project, definitions);
      return { files, remarks };
    },
    threads: async (query) => await threads.list(query),
    async threadNew(input) {
      if (input.person !== null && !configuration.current().persons.has(input.person)) {
        throw new HandlerError("not_found", `there is no person ${JSON.stringify(input.person)}`, {
          hint: `see handler person list`,
        });
      }
      return await threads.create(input);
    },
    thread: async (id) => await threads.show(id),
    threadSend: (id, message) => threads.send(id, message),
    threadMessages: async (id, query) => await threads.messages(id, query),
    threadMessage: async (id, message) => await threads.message(id, message),
    threadKept: async (id) => await threads.kept(id),
    threadEffectCancel: (id, effect) => threads.cancelEffect(id, effect),
    threadTurns: async (id, query) => await threads.turns(id, query),
    threadLogs: async (id, query) => await threads.logs(id, query),
    threadSessions: async (id) => await threads.sessions(id),
    threadWatch: (id, after, signal) =>
      threads.watch(id, after, AbortSignal.any([signal, parts.watching.signal])),
    threadStop: (id) => threads.stop(id),
    threadResume: (id) => threads.resume(id),
    threadTerminate: (id) => threads.terminate(id),
    threadRemove: (id) => threads.remove(id),
    threadExport: (id) => threads.export(id),
    async threadImport(lines, project) {
      const read = lines instanceof Blob ? linesOf(lines.stream()) : lines;
      return { id: await threads.import(read, project ?? undefined) };
    },
    threadFiles: async (id) => await threadStore.files(threads.show(id).thread.id),
    threadFile: async (id, path) => await parts.readThreadFile(threads.show(id).thread.id, path),
    threadPutFile: (id, path, mimeType, bytes) => threads.putFile(id, path, mimeType, bytes),
  };
}

/** Every definition in one list, agents first. */
function definitionViews(set: DefinitionSet): readonly DefinitionView[] {
  const view = (kind: DefinitionView["kind"]) =>
  (
    { name, file, description = "" }: { name: string; file: string; description?: string },
  ): DefinitionView => ({ kind, name, description, file });
  return [
    ...set.agents.map((one) =>
      view("agent")({ ...one, description: one.description ?? one.toolDescription ?? "" })
    ),
    ...set.handlers.map(view("handler")),
    ...set.prompts.map((one) => view("prompt")({ ...one, description: one.toolDescription })),
    ...set.tools.map(view("tool")),
    ...set.models.map((one) => view("model")({ ...one, description: one.model })),
    ...set.hooks.map(({ id, hook, file }) => view("hook")({ name: id, file, description: hook })),
    ...set.effects.map(view("effect")),
  ];
}

function problemView(
  { file, path, message, severity, line, column }: DefinitionProblem,
): DefinitionProblemView {
  const where = [file, line, column, path || undefined].filter((part) => part !== undefined).join(":");
  return { where, message, hint: null, severity };
}
