import type { Launch } from "./launch.ts";
import { xmlText } from "./quote.ts";
import { MARK } from "./units.ts";

/** The agent's label, also the name of its file. */
export const LABEL = "ai.handler.handlerd";

/**
 * launchd's agent. A socket of launchd's reaches a program only through `launch_activate_socket`, a function of macOS' own
 * library, so the daemon is started with the session and kept instead.
 */
export function agentPlist({ argv, env, log }: Launch): string {
  const words = argv.map((word) => `    <string>${xmlText(word)}</string>\n`).join("");
  const variables = Object.entries(env).map(([name, value]) =>
    `    <key>${xmlText(name)}</key>\n    <string>${xmlText(value)}</string>\n`
  ).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>5</integer>
  <key>ExitTimeOut</key>
  <integer>20</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>ProcessType</key>
  <string>Interactive</string>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardErrorPath</key>
  <string>${xmlText(log)}.launchd</string>
</dict>
</plist>
`;
}
