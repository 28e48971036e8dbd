import { HandlerError } from "../../base/mod.ts";
import type { ImageView, Operations, SecretView } from "../../api/mod.ts";
import type { BindingConfig } from "../../config/mod.ts";
import { buildImage, imageStatus, pullImage } from "../../sandbox/mod.ts";
import type { Parts } from "../assemble.ts";

type SafetyOperations = Pick<
  Operations,
  "secrets" | "secretSet" | "secretRemove" | "image" | "imageBuild" | "imagePull"
>;

/** Stored secrets, and the image that sandboxes run in. */
export function safetyOperations(parts: Parts): SafetyOperations {
  const { secrets, configuration } = parts;
  return {
    async secrets() {
      const { bindings } = configuration.current();
      return (await secrets.list()).map((one): SecretView => ({
        name: one.name,
        storedIn: one.place,
        usedBy: usersOf(bindings, one.name),
      }));
    },
    async secretSet(name, value) {
      await secrets.set(name, value);
      parts.changes.tell("secrets", name);
    },
    async secretRemove(name) {
      if (await secrets.remove(name)) return parts.changes.tell("secrets", name);
      throw new HandlerError("not_found", `no secret of the name ${JSON.stringify(name)} is kept`);
    },
    image: () => view(parts),
    async imageBuild() {
      await buildImage({ deno: parts.deno });
      return await view(parts);
    },
    async imagePull() {
      await pullImage({ named: configuration.current().main.image });
      return await view(parts);
    },
  };
}

function usersOf(bindings: ReadonlyMap<string, BindingConfig>, secret: string): readonly string[] {
  const uses = (binding: BindingConfig) => {
    return Object.values(binding.secrets).some((one) => one.kind === "store" && one.name === secret);
  };
  return [...bindings.values()].filter(uses).map(({ name }) => name);
}

async function view({ configuration, sandboxes }: Parts): Promise<ImageView> {
  const { wanted, present } = await imageStatus({ named: configuration.current().main.image });
  const probe = await sandboxes.driver("podman").probe();
  return { wanted: wanted[0]!, present, usable: probe.works, why: probe.works ? null : probe.why };
}
