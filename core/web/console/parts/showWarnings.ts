import { html } from "lit";
import { openDialog } from "./openDialog.ts";
import { words } from "./words.ts";

/**
 * Shows the host's warnings about a record that it has stored. Resolves when the reader closes the dialog, or at once
 * if there are no warnings.
 */
export async function showWarnings(title: string, warnings: readonly string[] = []): Promise<void> {
  if (warnings.length === 0) return;
  await openDialog({
    title,
    body: () =>
      html`<p>${words.storedWithWarnings}</p>
        <ul>
          ${warnings.map((each) => html`<li>${each}</li>`)}
        </ul>`,
    foot: (dialog) =>
      html`<button class="button primary" @click=${() => dialog.close()}>${words.done}</button>`,
  });
}
