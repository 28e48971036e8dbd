import { errorText, HandlerError, within } from "../../base/mod.ts";
import type { DoctorCheck } from "../../client/mod.ts";
import type { Context } from "../command.ts";
import { sessionChecks } from "./session_checks.ts";

/** The whole may take ten seconds: first whether a daemon answers, then everything else side by side. */
const [ANSWER_MS, CHECKS_MS, EACH_MS] = [2_000, 7_000, 6_000];

/** All checks: the daemon's own and those of the machine from where it stands, or from here where it does not answer. */
export async function allChecks(context: Context): Promise<readonly DoctorCheck[]> {
  const session = whole("this session", sessionChecks(context.folders));
  const daemon = await daemonCheck(context);
  const rest = daemon.state === "ok"
    ? whole("the daemon's checks", context.daemon.doctor())
    : whole("this machine", alone(context));
  return [daemon, ...await rest, ...await session];
}

async function alone({ folders }: Context): Promise<readonly DoctorCheck[]> {
  const { checkAlone } = await import("../../doctor/mod.ts");
  return await checkAlone(folders, EACH_MS);
}

async function daemonCheck({ daemon }: Context): Promise<DoctorCheck> {
  const name = "daemon";
  try {
    const { version, pid } = await within(ANSWER_MS, "asking handlerd", daemon.status());
    return { name, state: "ok", detail: `handlerd ${version}, process ${pid}`, hint: null };
  } catch (error) {
    if (!(error instanceof HandlerError)) throw error;
    if (error.kind === "timeout") {
      const detail = `handlerd did not answer within ${ANSWER_MS / 1000} s`;
      return { name, state: "late", detail, hint: "see handlerd.log in the state folder" };
    }
    const away = error.kind === "unreachable";
    return {
      name,
      state: away ? "warning" : "failed",
      detail: away
        ? "handlerd does not run, so connectors, bindings, models and threads are not checked"
        : error.message,
      hint: error.hint ?? null,
    };
  }
}

/** A part that hangs or breaks is told of and keeps nothing else from being told. */
async function whole(name: string, checks: Promise<readonly DoctorCheck[]>): Promise<readonly DoctorCheck[]> {
  try {
    return await within(CHECKS_MS, name, checks);
  } catch (error) {
    const late = error instanceof HandlerError && error.kind === "timeout";
    const detail = late ? `${name} took more than ${CHECKS_MS / 1000} s` : errorText(error);
    return [{ name, state: late ? "late" : "failed", detail, hint: null }];
  }
}
