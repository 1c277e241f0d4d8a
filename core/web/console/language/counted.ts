import { writeNumber } from "./formats.ts";
import { readerLanguage } from "./readerLanguage.ts";

const rules = new Intl.PluralRules(readerLanguage);

/** Returns a count with its noun: "1 person", "1,204 people". French has the singular for 0 and 1.5 as well. */
export const counted = (count: number, one: string, many: string): string =>
  `${writeNumber(count)} ${rules.select(count) === "one" ? one : many}`;
