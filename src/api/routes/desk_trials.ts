import { HandlerError } from "../../base/mod.ts";
import { anyJson, readBody } from "../body.ts";
import type { DeskOperations } from "../desk_ports.ts";
import { type ApiContext, data, done, made, parameter, type Route } from "../route.ts";
import { byteStream } from "../streams.ts";
import { record, required, text } from "../../schema/mod.ts";

const callBody = record({ tool: required(text()), binding: required(text()), input: required(anyJson) });

/** Calls that a person tries, each in a folder of its own. */
export function trialRoutes(operations: DeskOperations): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v1/trials",
      async handle() {
        const trial = await operations.trialNew();
        return made(trial, `/v1/trials/${trial.id}`);
      },
    },
    {
      method: "GET",
      path: "/v1/trials/:id",
      handle: async (c) => data(await operations.trial(parameter(c, "id"))),
    },
    {
      method: "DELETE",
      path: "/v1/trials/:id",
      async handle(c) {
        await operations.trialRemove(parameter(c, "id"));
        return done();
      },
    },
    {
      method: "POST",
      path: "/v1/trials/:id/call",
      async handle(c) {
        const call = await readBody(c.req.raw, callBody, ["input"]);
        return data(await operations.trialCall(parameter(c, "id"), call, c.req.raw.signal));
      },
    },
    ...fileRoutes(operations),
  ];
}

function fileRoutes(operations: DeskOperations): readonly Route[] {
  const path = "/v1/trials/:id/files/:name";
  return [
    {
      method: "PUT",
      path,
      async handle(c) {
        const [id, name] = [parameter(c, "id"), parameter(c, "name")];
        return data(await operations.trialPut(id, name, bodyOf(c.req.raw)));
      },
    },
    { method: "GET", path, handle: (c) => file(operations, c) },
  ];
}

/** Whatever a file holds, a browser shows nothing of it as a page of this origin. */
async function file(operations: DeskOperations, c: ApiContext): Promise<Response> {
  const [id, name] = [parameter(c, "id"), parameter(c, "name")];
  const found = (await operations.trial(id)).files.find((one) => one.name === name);
  if (!found) throw new HandlerError("not_found", `the trial has no file ${JSON.stringify(name)}`);
  const response = byteStream(() => operations.trialFile(id, name));
  response.headers.set("content-type", found.mediaType);
  response.headers.set("content-length", String(found.size));
  response.headers.set("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

async function* bodyOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body) yield* body;
}
