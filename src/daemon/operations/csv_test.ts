import assert from "node:assert/strict";
import { csvLine } from "./csv.ts";

Deno.test("a line is quoted where it must be", () => {
  assert.equal(
    csvLine(["a", 1.5, null, "x,y", 'say "hi"', "two\nlines"]),
    'a,1.5,,"x,y","say ""hi""","two\nlines"\r\n',
  );
});

Deno.test("what a spreadsheet would run is kept from it; numbers stay numbers", () => {
  assert.equal(csvLine(["=1+1", "+1", "-1", "@a", "\tb", -1]), "'=1+1,'+1,'-1,'@a,'\tb,-1\r\n");
  assert.equal(csvLine(['=HYPERLINK("x","y")']), `"'=HYPERLINK(""x"",""y"")"\r\n`);
});
