import assert from "node:assert/strict";
import { documentationProblems } from "./documentation.ts";

const OUTPUT = `error[missing-jsdoc]: exported symbol is missing JSDoc documentation
  --> /home/me/handler/src/wire/stream.ts:5:3
   | 
 5 |   read(into: Uint8Array): Promise<number | null>;
   |   ^


error[missing-jsdoc]: exported symbol is missing JSDoc documentation
  --> /home/me/handler/src/wire/stream.ts:9:1
   | 
 9 | export function open() {
   | ^^^^^


error[private-type-ref]: public type 'open' references private type 'Hidden'
  --> /home/me/handler/src/wire/stream.ts:12:1
   | 
12 | export function shut(hidden: Hidden): void;
   | ^^^^^


error[private-type-ref]: public type 'Api' references private type 'Hono'
  --> /home/me/handler/src/api/app.ts:23:1
   | 
23 | export type Api = Hono<ApiEnvironment>;
   | ^
   = hint: make the referenced type public or remove the reference
   | 
12 | export declare class Hono<E extends Env> extends Hono$1<E> {
   | - this is the referenced type
   | 

error: Found 3 documentation lint errors.
`;

Deno.test("exports need documentation, members may do without", () => {
  assert.deepEqual(documentationProblems(OUTPUT, "/home/me/handler"), [
    "src/wire/stream.ts:9: exported symbol is missing JSDoc documentation: export function open() {",
    "src/wire/stream.ts:12: public type 'open' references private type 'Hidden': export function shut(hidden: Hidden): void;",
  ]);
  assert.deepEqual(documentationProblems("", "/"), []);
});
