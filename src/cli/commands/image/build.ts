import { type Command, JSON_OPTION } from "../../command.ts";
import { EXIT } from "../../exit.ts";
import { imageText } from "./view.ts";

/** `handler image build` */
export const imageBuild: Command = {
  words: ["image", "build"],
  summary: "make podman's image from the Deno of this machine",
  description:
    `Makes the image of the podman driver from the Deno of this machine and the libraries that it needs, for where no
registry can be reached. It is equal to the one that handler image pull fetches.`,
  args: [],
  options: [JSON_OPTION],
  examples: [{ line: "handler image build", does: "make it; takes a few seconds" }],
  async run({ daemon, output }) {
    output.note("building the image…");
    const image = await daemon.imageBuild();
    output.data({ image }, () => imageText(image));
    output.next("handler reload");
    return EXIT.done;
  },
};
