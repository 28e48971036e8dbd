export * from "../../src/guest/kit/mod.ts";
