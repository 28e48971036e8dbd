import { serve } from "@handler/connector";

serve({
  async words_count({ path }, call) {
    const file = path as { bytes(): Promise<Uint8Array> };
    const bytes = await file.bytes();
    if (bytes.includes(0)) {
      return call.fail(
        "not_text",
        `cannot decode ${Deno.env.get("HANDLER_CONNECTOR_FILES")}/in/${call.files.length}`,
      );
    }
    return { words: new TextDecoder().decode(bytes).split(/\s+/).filter((word) => word !== "") };
  },
  words_list: (_, call) => call.fail("unavailable", "not here"),
});
