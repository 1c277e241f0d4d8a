import { html } from "lit";
import { copyText } from "./copyText.ts";
import { openDialog } from "./openDialog.ts";
import { words } from "./words.ts";

/**
 * Shows a secret that nobody reads here again. `copied` is copied in place of it; `action` is the verb on the button
 * below. Returns whether that button was pressed, and not the dialog closed.
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
        <pre class="key-text">${secret}</pre>`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => void copyText(copied)}>${words.copy}</button>
        <button class="button primary" @click=${() => dialog.close(true)}>${action}</button>`,
  });
  return isPressed === true;
}
