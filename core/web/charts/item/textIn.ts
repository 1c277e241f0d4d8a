import { localizedText } from "../format/localizedText.ts";
import { cleanText } from "../text/cleanText.ts";

/** Returns a stored string in the reader's language, cleaned for pictures. */
export const textIn = (stored: unknown, localeId: string): string =>
  cleanText(localizedText(stored, localeId));
