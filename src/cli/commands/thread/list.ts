import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { usage } from "../../parsed.ts";
import { LIMIT_OPTION, limitOption } from "../../thread_words.ts";
import { THREAD_COLUMNS, threadCells } from "../../thread_views.ts";

const STATUSES = ["idle", "running", "awaiting_human", "failed", "terminated"] as const;

/** `handler thread list` */
export const threadList: Command = {
  words: ["thread", "list"],
  summary: "list the threads",
  description:
    `Lists threads, the newest first: whose they are and what they do. Children are left out; --all shows them too,
--parent those of one thread.`,
  args: [],
  options: [
    { name: "project", value: "NAME", help: "those of one project", completes: "project" },
    { name: "person", value: "NAME", help: "those of one person", completes: "person" },
    { name: "status", value: "STATUS", help: STATUSES.join(", "), completes: STATUSES },
    { name: "parent", value: "THREAD", help: "the children of one thread", completes: "thread" },
    { name: "all", help: "children too" },
    LIMIT_OPTION,
    JSON_OPTION,
  ],
  examples: [
    { line: "handler thread list --project desk", does: "the threads of that project" },
    { line: "handler thread list --all --status failed", does: "what failed, children among it" },
  ],
  async run(context) {
    const { daemon, output, parsed } = context;
    const [project, person, parent] = ["project", "person", "parent"].map((name) => parsed.value(name));
    const status = STATUSES.find((one) => one === parsed.value("status"));
    if (parsed.value("status") !== undefined && !status) {
      throw usage(parsed.command, `--status is one of ${STATUSES.join(", ")}`);
    }
    const threads = await daemon.threads({
      ...(project !== undefined && { project }),
      ...(person !== undefined && { person }),
      ...(parent !== undefined ? { parent } : parsed.flag("all") ? {} : { parent: null }),
      ...(status && { status }),
      limit: limitOption(context, 50),
      offset: 0,
    });
    output.list("threads", threads, {
      columns: THREAD_COLUMNS,
      cells: threads.map(threadCells),
      empty: [project, person, parent, status].some((one) => one !== undefined)
        ? "no thread is like that"
        : "there are no threads; begin one with handler thread new",
    });
    return EXIT.done;
  },
};
