import { html } from "lit";
import { openDialog } from "../../parts/index.ts";
import type { DashboardDraft } from "./createDashboardDraft.ts";
import { words } from "./words.ts";

/**
 * Asks the reader to save or discard unsaved changes. Returns whether the changes were saved or discarded.
 */
export async function confirmLeave(draft: DashboardDraft): Promise<boolean> {
  if (!draft.isChanged) return true;
  const choice = await openDialog<"save" | "discard">({
    title: words.leaveTitle,
    body: () => html`<p>${words.leaveText}</p>`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.stay}</button>
        <button class="button danger" @click=${() => dialog.close("discard")}>
          ${words.discard}
        </button>
        <button class="button primary" @click=${() => dialog.close("save")}>${words.save}</button>`,
  });
  if (choice === "discard") draft.discard();
  return choice === "discard" || (choice === "save" && (await draft.save()));
}
