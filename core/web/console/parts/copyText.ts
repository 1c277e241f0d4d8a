import { notify } from "./notify.ts";
import { words } from "./words.ts";

/** Copies text to the clipboard and shows a notice. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => notify({ text: words.copied }),
    // Pages over plain http have no clipboard, so the reader copies from the notice.
    () => notify({ text }),
  );
}
