import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { imageText } from "./view.ts";

/** `handler image status` */
export const imageStatus: Command = {
  words: ["image", "status"],
  summary: "say whether podman's image is there",
  description:
    "Shows the image that the podman driver starts sandboxes from, and whether it is there and usable.",
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler image status", does: "the image" }],
  async run({ daemon, output }) {
    const image = await daemon.image();
    output.data({ image }, () => imageText(image));
    if (!image.usable) output.next("handler image build");
    return EXIT.done;
  },
};
