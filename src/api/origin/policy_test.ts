import assert from "node:assert/strict";
import type { RawHeader } from "../../platform/mod.ts";
import { frontRequest } from "../../../tests/fakes/front.ts";
import { answerHeaders, backendHeaders, refusedRequest, SECURITY_HEADERS } from "./policy.ts";

const OWN = "http://notes.localhost:7430";

/** Method and headers, and whether the request may reach the backend. */
const REQUESTS: readonly (readonly [string, readonly RawHeader[], boolean])[] = [
  ["GET", [], true],
  ["GET", [["Origin", OWN]], true],
  ["GET", [["Sec-Fetch-Site", "same-origin"]], true],
  ["GET", [["Sec-Fetch-Site", "none"]], true],
  ["GET", [["Sec-Fetch-Site", "same-site"]], false],
  ["GET", [["Sec-Fetch-Site", "cross-site"]], false],
  ["GET", [["Sec-Fetch-Site", "same-origin"], ["Sec-Fetch-Site", "cross-site"]], false],
  ["GET", [["Origin", "http://other.localhost:7430"]], false],
  ["HEAD", [["Origin", "null"]], false],
  ["POST", [], false],
  ["POST", [["Sec-Fetch-Site", "same-origin"]], false],
  ["POST", [["Origin", OWN]], true],
  ["POST", [["oRIGIN", OWN]], true],
  ["POST", [["Origin", OWN], ["Sec-Fetch-Site", "cross-site"]], false],
  ["POST", [["Origin", "null"]], false],
  ["POST", [["Origin", ""]], false],
  ["POST", [["Origin", `${OWN}/`]], false],
  ["POST", [["Origin", OWN.toUpperCase()]], false],
  ["POST", [["Origin", OWN.replace("http", "https")]], false],
  ["POST", [["Origin", "http://notes.localhost"]], false],
  ["POST", [["Origin", "http://notes.localhost:74300"]], false],
  ["POST", [["Origin", `${OWN} http://evil.example`]], false],
  ["POST", [["Origin", `${OWN}, ${OWN}`]], false],
  ["POST", [["Origin", OWN], ["Origin", OWN]], false],
  ["POST", [["Origin", "http://evil.example"], ["Origin", OWN]], false],
  ["DELETE", [], false],
  ["OPTIONS", [], false],
  ["PROPFIND", [], false],
  ["get", [], false],
];

for (const [method, headers, may] of REQUESTS) {
  Deno.test(`${method} with ${JSON.stringify(headers)} ${may ? "reaches the backend" : "is refused"}`, () => {
    const why = refusedRequest(frontRequest("/api/x", headers, method), OWN);
    assert.equal(why === undefined, may, why);
  });
}

Deno.test("of a backend's answer nothing passes that reaches out or is the daemon's", () => {
  const kept: RawHeader[] = [
    ["Content-Type", "text/html"],
    ["ETag", '"a"'],
    ["Cache-Control", "no-store"],
    ["X-Total", "3"],
    ["Location", "/api/notes/3?x=1#y"],
  ];
  const dropped = [
    ["Set-Cookie", "a=b"],
    ["Clear-Site-Data", "*"],
    ["Content-Security-Policy", "default-src *"],
    ["Content-Security-Policy-Report-Only", "default-src 'none'; report-uri http://evil.example"],
    ["Link", "<http://evil.example>; rel=preload"],
    ["Refresh", "0; url=http://evil.example"],
    ["Speculation-Rules", '"/rules"'],
    ["Reporting-Endpoints", 'a="http://evil.example"'],
    ["NEL", "{}"],
    ["Access-Control-Allow-Origin", "*"],
    ["Service-Worker-Allowed", "/"],
    ["Cross-Origin-Embedder-Policy-Report-Only", "require-corp"],
    ["X-DNS-Prefetch-Control", "on"],
    ["X-SourceMap", "http://evil.example"],
    ["X-Handler-Person", "owner"],
    ["Accept-CH", "Sec-CH-UA"],
    ["Alt-Svc", 'h3="evil.example:443"'],
    ["Connection", "x"],
    ["Transfer-Encoding", "chunked"],
    ["Location", "//evil.example/"],
    ["Location", "/\\evil.example/"],
    ["Location", "http://evil.example/"],
    ["Location", "\t/x"],
    ["Location", "javascript:alert(1)"],
  ] as const;
  assert.deepEqual(answerHeaders(302, [...dropped, ...kept]), [...kept, ...SECURITY_HEADERS]);
  assert.deepEqual(answerHeaders(204, [["Content-Length", "3"]]), SECURITY_HEADERS);
  assert.deepEqual(answerHeaders(200, [["Content-Length", "3"]])[0], ["Content-Length", "3"]);
});

Deno.test("the person's header is the daemon's, however it is spelt", () => {
  const spellings = [
    "X-Handler-Person",
    "x-handler-person",
    "X_Handler_Person",
    "X-HANDLER_PERSON",
    "x-Handler-App",
  ];
  const headers = backendHeaders(
    [
      ...spellings.map((name) => [name, "mallory"] as const),
      ["Host", "notes.localhost:7430"],
      ["Cookie", "handler-app=1"],
      ["X-Forwarded-For", "1.2.3.4"],
      ["Connection", "keep-alive, X-Handler-Person"],
      ["Expect", "100-continue"],
      ["Accept", "text/html"],
      ["Content-Length", "3"],
    ],
    "notes",
    "alice",
  );
  assert.deepEqual(headers, [
    ["Host", "notes.localhost"],
    ["Accept", "text/html"],
    ["Content-Length", "3"],
    ["X-Handler-Person", "alice"],
  ]);
});

Deno.test("a body in pieces goes on in pieces, with one length or none", () => {
  const headers = backendHeaders(
    [["Transfer-Encoding", "chunked"], ["Content-Length", "3"]],
    "notes",
    "owner",
  );
  assert.deepEqual(headers, [
    ["Host", "notes.localhost"],
    ["Transfer-Encoding", "chunked"],
    ["X-Handler-Person", "owner"],
  ]);
});
