import { isList } from "../../../api/index.ts";
import type { ControlId } from "./controls.ts";

/** A change of a setting that the host proposes. */
export interface Suggestion {
  readonly id: ControlId;
  readonly value: unknown;
}

/** How the host proposes a setting in its messages. `read` turns the matched text into the possible values. */
interface Proposal {
  readonly id: ControlId;
  readonly pattern: RegExp;
  read(text: string): readonly unknown[];
}

const choices = (text: string): readonly string[] => text.split(/, | or /);
const proposals: readonly Proposal[] = [
  { id: "skip_rows", pattern: /\bset skip_rows to (\d+)\b/, read: (text) => [Number(text)] },
  { id: "header", pattern: /\bset header to (true|false)\b/, read: (text) => [text === "true"] },
  {
    id: "nulls",
    pattern: /\bset nulls to (.+) to read them as null/,
    read: (text) => [text.split(",")],
  },
  { id: "dates", pattern: /\bset dates to ([A-Z]{3}(?:(?:, | or )[A-Z]{3})*)/, read: choices },
  {
    id: "decimal",
    pattern: /\bset decimal to ((?:comma|point)(?: or (?:comma|point))?)/,
    read: choices,
  },
  {
    id: "separator",
    pattern: /\bboth ("." and ".") could separate/,
    read: (text) => [text[1], text.at(-2)],
  },
];

/** Returns the changes that a message of the host proposes, in the order of the message's alternatives. */
export function suggestionsIn(message: string): readonly Suggestion[] {
  return proposals.flatMap(({ id, pattern, read }) => {
    const [, text] = pattern.exec(message) ?? [];
    return text === undefined ? [] : read(text).map((value) => ({ id, value }));
  });
}

/** Returns the value of a setting after a suggestion. Strings that mean empty are added to those already chosen. */
export function valueAfter({ id, value }: Suggestion, current: unknown): unknown {
  if (id !== "nulls" || !isList(value)) return value;
  return [...new Set([...(isList(current) ? current : []), ...value])];
}
