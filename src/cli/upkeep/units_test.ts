import assert from "node:assert/strict";
import type { Launch } from "./launch.ts";
import { agentPlist, LABEL } from "./plist.ts";
import { PROXY, proxyUnit, SERVICE, serviceUnit, SOCKET, socketUnit } from "./units.ts";

const LAUNCH: Launch = {
  argv: ["/home/a b/bin/handlerd", "handlerd"],
  env: { HANDLER_PORT: "7431", HANDLER_DATA_DIR: "/data/50% & more" },
  socket: "/run/user/1000/handler-ai/handlerd.sock",
  behind: "/run/user/1000/handler-ai/direct.sock",
  log: "/home/a b/state/handlerd.log",
};

Deno.test("the daemon's unit says how it is started, and nothing that would break sandboxes", () => {
  const unit = serviceUnit(LAUNCH);
  assert.match(
    unit,
    /^ExecStart="\/home\/a b\/bin\/handlerd" handlerd --socket \/run\/user\/1000\/handler-ai\/direct\.sock$/m,
  );
  assert.match(unit, /^Environment=HANDLER_PORT=7431\nEnvironment="HANDLER_DATA_DIR=\/data\/50%% & more"$/m);
  for (
    const line of [
      "Type=notify",
      "NotifyAccess=all",
      "Restart=on-failure",
      "KillMode=process",
      "OOMPolicy=continue",
    ]
  ) {
    assert.ok(unit.split("\n").includes(line), line);
  }
  const keepsFromWorking =
    /NoNewPrivileges|Private|Protect|Restrict|SystemCall|MemoryDeny|DynamicUser|RootDirectory/;
  assert.doesNotMatch(unit, keepsFromWorking);
});

Deno.test("systemd reads the units as they are meant", {
  ignore: Deno.build.os !== "linux" || !await hasAnalyze(),
}, async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(
    `${folder}/${SERVICE}`,
    serviceUnit({ ...LAUNCH, argv: ["/bin/true", "handlerd"] }),
  );
  await Deno.writeTextFile(`${folder}/${SOCKET}`, socketUnit(LAUNCH));
  await Deno.writeTextFile(`${folder}/${PROXY}`, proxyUnit(LAUNCH, "/bin/true"));
  const { stderr } = await new Deno.Command("systemd-analyze", {
    args: ["--user", "--man=no", "verify", SERVICE, SOCKET, PROXY].map((word, at) =>
      at < 3 ? word : `${folder}/${word}`
    ),
    env: { XDG_RUNTIME_DIR: folder, HOME: folder },
  }).output();
  const about = new TextDecoder().decode(stderr).split("\n").filter((line) => line.includes("handlerd"));
  assert.deepEqual(about, []);
  await Deno.remove(folder, { recursive: true });
});

async function hasAnalyze(): Promise<boolean> {
  return await new Deno.Command("systemd-analyze", { args: ["--version"] }).output().then(
    ({ success }) => success,
    () => false,
  );
}

Deno.test("launchd's agent is a property list with every word and variable", () => {
  const plist = agentPlist(LAUNCH);
  assert.ok(plist.includes(`<key>Label</key>\n  <string>${LABEL}</string>`));
  assert.ok(plist.includes("<string>/home/a b/bin/handlerd</string>\n    <string>handlerd</string>"));
  assert.ok(plist.includes("<string>/data/50% &amp; more</string>"));
  const opened = [...plist.matchAll(/<(\w+)[ >]/g)].map(([, name]) => name).filter((name) =>
    name !== "DOCTYPE"
  );
  const closed = [...plist.matchAll(/<\/(\w+)>/g)].map(([, name]) => name);
  const kinds = ["plist", "dict", "key", "string", "array", "integer"];
  for (const kind of kinds) {
    assert.equal(
      opened.filter((one) => one === kind).length,
      closed.filter((one) => one === kind).length,
      kind,
    );
  }
});
