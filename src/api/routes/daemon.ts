import type { Operations } from "../ports.ts";
import { data, type Route } from "../route.ts";

/** The daemon itself and what its sandboxes run in. */
export function daemonRoutes(operations: Operations): readonly Route[] {
  return [
    { method: "GET", path: "/v1/status", handle: async () => data(await operations.status()) },
    { method: "POST", path: "/v1/reload", handle: async () => data(await operations.reload()) },
    { method: "GET", path: "/v1/doctor", handle: async () => data(await operations.doctor()) },
    {
      method: "POST",
      path: "/v1/shutdown",
      async handle() {
        await operations.shutDown();
        return data({ stopping: true }, 202);
      },
    },
    { method: "GET", path: "/v1/image", handle: async () => data(await operations.image()) },
    { method: "POST", path: "/v1/image/build", handle: async () => data(await operations.imageBuild()) },
    { method: "POST", path: "/v1/image/pull", handle: async () => data(await operations.imagePull()) },
  ];
}
