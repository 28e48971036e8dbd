import assert from "node:assert/strict";
import { type Found, Router } from "./router.ts";

const nothing = () => undefined;

Deno.test("a route is found by method and path, its names decoded", () => {
  const router = new Router({ "GET /api/notes": nothing, "PUT /api/notes/:id/tags/:tag": nothing });
  assert.deepEqual((router.find("GET", "/api/notes") as Found).params, {});
  const found = router.find("PUT", "/api/notes/7/tags/caf%C3%A9%2Fbar") as Found;
  assert.deepEqual(found.params, { id: "7", tag: "café/bar" });
});

Deno.test("what is not there has no methods, what is there says them", () => {
  const router = new Router({
    "GET /api/notes": nothing,
    "POST /api/notes": nothing,
    "GET /api/n/:id": nothing,
  });
  assert.deepEqual(router.find("DELETE", "/api/notes"), ["GET", "POST"]);
  for (const path of ["/api", "/api/notes/", "/api/notes/1", "/api/n/", "/api/n/%", "/api//notes"]) {
    assert.deepEqual(router.find("GET", path), [], path);
  }
});

Deno.test("a route that can never be asked for is an error at once", () => {
  for (const name of ["get /api/x", "GET /x", "GET /api/x?y", "GET  /api/x", "GET /api/:Id", "GET /api/"]) {
    assert.throws(() => new Router({ [name]: nothing }), /a route is like/, name);
  }
});
