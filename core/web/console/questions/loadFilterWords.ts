import { loadControlWords } from "../../embed/index.ts";
import { readerLocale } from "../language/index.ts";

/**
 * Loads the words in which filters describe ranges of dates, such as "Last 7 days". They stay English if their script
 * cannot be loaded; the browser's console says so.
 */
export const loadFilterWords = (): Promise<void> =>
  loadControlWords(readerLocale).catch((failure: unknown) =>
    console.error(`The words of dates in "${readerLocale}" could not be loaded:`, failure),
  );
