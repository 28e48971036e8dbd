import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { makeCertificates } from "./tls.ts";

Deno.test("the authority is one, the leaf is none and was issued by it", async () => {
  const { caPem, certPem } = await makeCertificates(["api.example.com"]);
  const ca = new X509Certificate(caPem);
  const leaf = new X509Certificate(certPem);
  assert.equal(ca.ca, true);
  assert.equal(leaf.ca, false);
  assert.equal(leaf.issuer, ca.subject);
});

Deno.test("a client that trusts the authority reaches the server, one that does not refuses it", async () => {
  const { caPem, certPem, keyPem } = await makeCertificates(["localhost", "127.0.0.1"]);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert: certPem, key: keyPem, onListen() {} },
    () => new Response("hello"),
  );
  const client = Deno.createHttpClient({ caCerts: [caPem] });
  const url = `https://127.0.0.1:${server.addr.port}/`;
  assert.equal(await (await fetch(url, { client })).text(), "hello");
  await assert.rejects(fetch(url), TypeError);
  client.close();
  await server.shutdown();
});
