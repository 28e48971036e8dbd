import { client } from "./client.ts";
import { providerTitle } from "./providers.ts";
import { resource } from "./resource.svelte.ts";

/** What providers are called; one that is not there any more by its name. Call it while the component is made. */
export function providerTitles(): { title(binding: string): string } {
  const bindings = resource(() => client.bindings(), { topics: ["configuration"] });
  const titles = $derived(new Map(bindings.value?.map((one) => [one.name, providerTitle(one)])));
  return { title: (binding) => titles.get(binding) ?? binding };
}
