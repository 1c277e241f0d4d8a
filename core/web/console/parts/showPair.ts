import { showOnce } from "./showOnce.ts";

/**
 * Shows a key and its secret once. The copy button copies the pair as JSON. Returns whether the main button was
 * pressed.
 */
export const showPair = (
  { key, token }: { readonly key: string; readonly token: string },
  said: { readonly title: string; readonly text: string; readonly action?: string },
): Promise<boolean> =>
  showOnce({ ...said, secret: `${key}\n${token}`, copied: JSON.stringify({ key, token }) });
