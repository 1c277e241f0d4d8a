import { html } from "lit";
import { copyText } from "./copyText.ts";
import { openDialog } from "./openDialog.ts";
import { words } from "./words.ts";

/** Shows a secret that nobody reads here again, until the reader closes it. `copied` is copied in place of it. */
export function showOnce({
  title,
  text,
  secret,
  copied = secret,
}: {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly copied?: string;
}): Promise<void> {
  return openDialog({
    title,
    body: () =>
      html`<p>${text}</p>
        <pre class="key-text">${secret}</pre>`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => void copyText(copied)}>${words.copy}</button>
        <button class="button primary" @click=${() => dialog.close()}>${words.done}</button>`,
  });
}
