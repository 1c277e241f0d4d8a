import { html } from "lit";
import { copyText } from "./copyText.ts";
import { openDialog } from "./openDialog.ts";
import { words } from "./words.ts";

/**
 * Shows a secret that cannot be read again. The copy button copies `copied` instead of the secret. `action` is the
 * label of the button at the bottom. Returns true if the reader presses that button, and false if the reader closes the
 * dialog.
 */
export async function showOnce({
  title,
  text,
  secret,
  copied = secret,
  action = words.done,
}: {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly copied?: string;
  readonly action?: string;
}): Promise<boolean> {
  const isPressed = await openDialog<boolean>({
    title,
    body: () =>
      html`<p>${text}</p>
        <pre class="key-text" tabindex="0">${secret}</pre>`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => void copyText(copied)}>${words.copy}</button>
        <button class="button primary" @click=${() => dialog.close(true)}>${action}</button>`,
  });
  return isPressed === true;
}
