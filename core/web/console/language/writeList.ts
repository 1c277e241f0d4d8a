import { readerLanguage } from "./readerLanguage.ts";

const conjunction = new Intl.ListFormat(readerLanguage, { type: "conjunction" });

/** Returns the parts as one phrase: "name, charts and type". */
export const writeList = (parts: Iterable<string>): string => conjunction.format(parts);
