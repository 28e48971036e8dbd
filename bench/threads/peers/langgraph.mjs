import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { measure } from "./measure.mjs";

const saver = SqliteSaver.fromConnString(process.env.BENCH_DB);
saver.setup?.();
saver.db.pragma("synchronous=FULL");
const State = Annotation.Root({ text: Annotation(), out: Annotation() });
const graph = new StateGraph(State).addNode("user", (state) => ({ out: state.text.toUpperCase() }))
  .addEdge(START, "user").addEdge("user", END).compile({ checkpointer: saver });
let thread = 0;
await measure("LangGraph with SQLite", async (text) => {
  const config = { configurable: { thread_id: `t${thread++}` }, durability: "sync" };
  return (await graph.invoke({ text, out: "" }, config)).out;
});
process.exit(0);
