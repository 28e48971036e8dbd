import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { imageText } from "./view.ts";

/** `handler image pull` */
export const imagePull: Command = {
  words: ["image", "pull"],
  summary: "fetch podman's image from its registry",
  description:
    "Fetches the pinned image of the podman driver. Where its registry cannot be reached, build it instead.",
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler image pull", does: "fetch it" }],
  async run({ daemon, output }) {
    output.note("pulling the image…");
    const image = await daemon.imagePull();
    output.data({ image }, () => imageText(image));
    output.next("handler reload");
    return EXIT.done;
  },
};
