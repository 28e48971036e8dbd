import { copyTree, fromFileUrl } from "../../src/platform/mod.ts";
import { layConnectorFrom, layHome, type SystemHome } from "../system/home.ts";

const FIXTURES = fromFileUrl(new URL("./fixtures", import.meta.url));

/** A home with a daemon whose external agent `desk` is served `probe`, `test` and `json`. */
export async function startMcpHome(): Promise<SystemHome> {
  const home = await layHome({
    files: {
      "bindings/answers.toml": 'connector = "answers"\n',
      "agents/desk.toml": 'project = "desk"\nharness = "external"\n' +
        'services = { probe = "probe", test = "answers", json = "answers" }\n',
    },
  });
  try {
    await copyTree(`${FIXTURES}/interfaces`, `${home.path}/data/interfaces`);
    await layConnectorFrom(`${FIXTURES}/connectors/answers`, `${home.path}/data/connectors/answers`);
    await home.start();
    await home.trust("probe/v1", "test/v1", "json/v1", "probe", "answers");
    return home;
  } catch (error) {
    await home[Symbol.asyncDispose]();
    throw error;
  }
}
