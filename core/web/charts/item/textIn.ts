import { localizedText } from "../format/localizedText.ts";
import { cleanText } from "../text/cleanText.ts";

/** Returns a stored string for a reader of a language, as a picture may show it. */
export const textIn = (stored: unknown, localeId: string): string =>
  cleanText(localizedText(stored, localeId));
