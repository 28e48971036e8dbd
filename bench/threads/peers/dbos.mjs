import { DBOS } from "@dbos-inc/dbos-sdk";
import { measure } from "./measure.mjs";

const upper = async (text) => await DBOS.runStep(() => Promise.resolve(text.toUpperCase()), { name: "user" });
const turn = DBOS.registerWorkflow(upper, { name: "turn" });
DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: process.env.BENCH_PG,
  runAdminServer: false,
  logLevel: "error",
});
await DBOS.launch();
await measure("DBOS with PostgreSQL", async (text) => {
  const handle = await DBOS.startWorkflow(turn, { workflowID: text })(text);
  return await handle.getResult();
});
await DBOS.shutdown();
process.exit(0);
