import { notify } from "./notify.ts";
import { words } from "./words.ts";

/** Copies a text, and says so. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => notify({ text: words.copied }),
    // Plain http has no clipboard: the reader copies from the notice.
    () => notify({ text }),
  );
}
