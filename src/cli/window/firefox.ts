import { ensureFolder, writeAtomic } from "../../platform/mod.ts";
import { type Desktop, firstProgram, profileFolder } from "./desktop.ts";
import type { Reach, Window } from "./window.ts";

const PROGRAMS = ["firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"];

/** Only the page: such a window is no place to type addresses. */
const USER_CHROME =
  `#TabsToolbar, #nav-bar, #PersonalToolbar, #sidebar-main, #sidebar-box { visibility: collapse !important; }
`;

/** A window of Firefox with a profile that reaches Handler's addresses alone (contract H.6); undefined where there is no Firefox. */
export async function firefoxWindow(desktop: Desktop, reach: Reach): Promise<Window | undefined> {
  const program = await firstProgram(desktop, PROGRAMS);
  if (program === undefined) return undefined;
  const profile = await profileFolder(desktop, program, "firefox", reach);
  return {
    browser: "firefox",
    closed: true,
    opener: profile,
    async prepare() {
      await ensureFolder(`${profile}/chrome`);
      await writeAtomic(`${profile}/user.js`, userPreferences(reach));
      await writeAtomic(`${profile}/chrome/userChrome.css`, USER_CHROME);
    },
    // a Firefox that runs with this profile already opens the window itself
    argv: (url) => [program, "--profile", profile, "--new-window", url],
  };
}

/** What a page could do that no policy of its own stops: connect to peers, look up names, leave for another site. */
function userPreferences(reach: Reach): string {
  const all = { ...PREFERENCES, "network.proxy.autoconfig_url": proxyScript(reach) };
  return Object.entries(all).map(([name, value]) =>
    `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`
  )
    .join("");
}

/** Everything but Handler's own origins is handed to a proxy that is not there. */
function proxyScript({ port, desk }: Reach): string {
  const names = desk ? "(?:[a-z0-9-]+\\.)?" : "[a-z0-9-]+\\.";
  const script = `function FindProxyForURL(url, host) {
  return /^(?:http|ws):\\/\\/${names}localhost:${port}(?:[\\/?#]|$)/.test(url) ? "DIRECT" : "PROXY 127.0.0.1:9";
}`;
  return `data:application/x-ns-proxy-autoconfig,${encodeURIComponent(script)}`;
}

const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  // no host but Handler's: not by a page, not by Firefox itself
  "network.proxy.type": 2,
  "network.proxy.allow_hijacking_localhost": true,
  "network.proxy.failover_direct": false,
  "network.proxy.allow_bypass": false,
  "network.trr.mode": 5,
  "network.http.http3.enable": false,
  "network.webtransport.enabled": false,
  // no peer connections
  "media.peerconnection.enabled": false,
  // nothing ahead of a click
  "network.dns.disablePrefetch": true,
  "network.dns.disablePrefetchFromHTTPS": true,
  "network.prefetch-next": false,
  "network.predictor.enabled": false,
  "network.http.speculative-parallel-limit": 0,
  "network.early-hints.preconnect.enabled": false,
  "browser.urlbar.speculativeConnect.enabled": false,
  "browser.places.speculativeConnect.enabled": false,
  "dom.serviceWorkers.enabled": false,
  "dom.push.enabled": false,
  "beacon.enabled": false,
  // a window of one page
  "toolkit.legacyUserProfileCustomizations.stylesheets": true,
  "browser.tabs.inTitlebar": 0,
  "browser.link.open_newwindow": 2,
  "browser.startup.page": 0,
  "browser.startup.homepage": "about:blank",
  "browser.newtabpage.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "browser.shell.checkDefaultBrowser": false,
  "browser.sessionstore.resume_from_crash": false,
  "browser.tabs.warnOnClose": false,
  "browser.warnOnQuit": false,
  "browser.translations.enable": false,
  "signon.rememberSignons": false,
  "sidebar.revamp": false,
  // nothing that Firefox does on its own
  "app.normandy.enabled": false,
  "app.shield.optoutstudies.enabled": false,
  "app.update.auto": false,
  "browser.region.update.enabled": false,
  "browser.safebrowsing.blockedURIs.enabled": false,
  "browser.safebrowsing.downloads.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.search.update": false,
  "datareporting.healthreport.uploadEnabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "datareporting.policy.firstRunURL": "",
  "termsofuse.bypassNotification": true,
  "extensions.getAddons.cache.enabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.enabled": false,
  "toolkit.telemetry.unified": false,
};
