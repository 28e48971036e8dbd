/// <reference lib="dom" />
import { deskTest, type Visit } from "./desk.ts";

const CURRENCY = "What the prices of bindings are in";

/** Waits until the field of the currency has a value. */
async function seeCurrency({ page }: Visit, value: string): Promise<void> {
  await page.waitForFunction(
    (label, value) => {
      const found = [...document.querySelectorAll("label")].find((one) => one.textContent?.startsWith(label));
      return (found?.control as HTMLInputElement | undefined)?.value === value;
    },
    { polling: 50 },
    CURRENCY,
    value,
  );
}

deskTest("two windows on the same thing stay in step, and a change can be taken back", {}, async (visit) => {
  await visit.go("/settings");
  const second = await visit.another();
  await second.go("/settings");
  await seeCurrency(second, "EUR");
  await visit.front();
  await visit.fill(CURRENCY, "CHF");
  await visit.press("Save");
  await visit.read("currency is saved");
  await seeCurrency(await second.front(), "CHF");
  await (await visit.front()).press("Undo");
  await seeCurrency(await second.front(), "EUR");
});

deskTest("what is wrong is said at the field, and nothing is lost", {}, async (visit) => {
  await visit.go("/settings");
  await visit.fill(CURRENCY, "money");
  await visit.press("Save");
  await visit.see("[aria-invalid=true]");
  await seeCurrency(visit, "money");
});

deskTest("a daemon that is killed and started again is found again", {}, async (visit, { home }) => {
  home.env.HANDLER_PORT = new URL(visit.origin).port;
  await visit.go("/settings");
  await home.stop("SIGKILL");
  await visit.read("handlerd does not answer");
  await home.start();
  await home.client.settingSet("currency", "CHF");
  await visit.unread("handlerd does not answer");
  await seeCurrency(visit, "CHF");
});
