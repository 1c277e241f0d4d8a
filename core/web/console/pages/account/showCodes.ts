import { html, nothing } from "lit";
import { copyText, openDialog } from "../../parts/index.ts";
import { words } from "./words.ts";

/** Shows recovery codes, which cannot be shown again. `signsOut` means that adding the factor ended the session. */
export async function showCodes(codes: readonly string[], signsOut: boolean): Promise<void> {
  await openDialog({
    title: words.codesTitle,
    body: () =>
      html`<p>${words.codesText}</p>
        <ul class="recovery-codes">
          ${codes.map((code) => html`<li>${code}</li>`)}
        </ul>
        ${signsOut ? html`<p>${words.codesAgain}</p>` : nothing}`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => void copyText(codes.join("\n"))}>
          ${words.copy}
        </button>
        <button class="button primary" @click=${() => dialog.close()}>${words.kept}</button>`,
  });
}
