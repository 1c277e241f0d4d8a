import { readerLanguage } from "./readerLanguage.ts";

/** Returns a new localized string: a text that the reader typed, or that the page wrote in the reader's language. */
export const localized = (text: string): Readonly<Record<string, string>> => ({
  [readerLanguage]: text,
});
