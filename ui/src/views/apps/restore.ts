import type { DataExchanged } from "$client";
import { client, errorFrom } from "$lib/client.ts";
import { toast } from "$lib/toasts.svelte.ts";
import { t } from "$texts";

/** Says that data was put back, and offers what it replaced. */
export function restored(name: string, { kept }: DataExchanged): void {
  const undo = async () => {
    try {
      restored(name, await client.appRestore(name, kept));
    } catch (thrown) {
      toast(errorFrom(thrown).message, { tone: "bad" });
    }
  };
  toast(t("apps.data.restored", { name }), { action: { label: t("action.undo"), run: undo } });
}
