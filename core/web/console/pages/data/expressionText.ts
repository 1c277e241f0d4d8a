import { textOf } from "../../language/index.ts";
import type { ColumnRow } from "./columnRow.ts";

/** A column to which expressions refer by name. */
export type NamedColumn = Pick<ColumnRow, "id" | "name">;

/** Returns the names that are unique among the columns and that can be written in braces. */
export function namesOf(columns: readonly NamedColumn[]): ReadonlyMap<string, string> {
  const idOf = new Map<string, string | undefined>();
  for (const { id, name } of columns) {
    const text = textOf(name).trim();
    if (text === "" || /[{}:'"]/.test(text)) continue;
    idOf.set(text, idOf.has(text) ? undefined : id);
  }
  return new Map([...idOf].filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Returns an expression with `{name}` in place of `{dataset:column}`, for columns of the dataset with a unique name.
 */
export function withNames(
  expression: string,
  datasetId: string,
  columns: readonly NamedColumn[],
): string {
  const nameOf = new Map([...namesOf(columns)].map(([name, id]) => [id, name]));
  return outsideTexts(expression, (part) =>
    part.replaceAll(
      /\{\s*([\w-]+)\s*:\s*([\w-]+)\s*\}/g,
      (whole, dataset: string, column: string) => {
        const name = dataset === datasetId ? nameOf.get(column) : undefined;
        return name === undefined ? whole : `{${name}}`;
      },
    ),
  );
}

/** Returns an expression with `{dataset:column}` in place of column names. Other references are unchanged. */
export function withIds(
  expression: string,
  datasetId: string,
  columns: readonly NamedColumn[],
): string {
  const idOf = namesOf(columns);
  return outsideTexts(expression, (part) =>
    part.replaceAll(/\{([^{}:]*)\}/g, (whole, name: string) => {
      const id = idOf.get(name.trim());
      return id === undefined ? whole : `{${datasetId}:${id}}`;
    }),
  );
}

/** Changes the parts of an expression outside quoted strings. */
export const outsideTexts = (expression: string, change: (part: string) => string): string =>
  expression
    .split(/('(?:[^']|'')*'|"(?:[^"]|"")*")/)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join("");

/** A completion for the word before the cursor. */
export interface Completion {
  readonly label: string;
  /** The text that replaces the word. `back` is the number of characters between the cursor and the end of the text. */
  readonly text: string;
  readonly back: number;
}

const mostShown = 8;

/**
 * Returns the completions for the word that ends at the cursor: columns within braces, columns and functions elsewhere.
 */
export function completionsAt(
  expression: string,
  cursor: number,
  columns: readonly NamedColumn[],
  signatures: readonly string[],
): { readonly from: number; readonly found: readonly Completion[] } {
  const before = expression.slice(0, cursor);
  const braced = /\{([^{}]*)$/.exec(before);
  const word = braced ?? /([\p{L}_][\p{L}\p{N}_]*)$/u.exec(before);
  if (!word) return { from: cursor, found: [] };
  const typed = (word[1] ?? "").trim().toLowerCase();
  const fits = (name: string) => name.toLowerCase().includes(typed);
  // Names that start with the word are listed first.
  const byBegin = (one: string, other: string) =>
    Number(other.toLowerCase().startsWith(typed)) - Number(one.toLowerCase().startsWith(typed));
  const names = [...namesOf(columns).keys()].filter(fits).toSorted(byBegin);
  const functions = braced
    ? []
    : signatures.filter((each) => each.toLowerCase().startsWith(typed)).toSorted(byBegin);
  const found = [
    ...names.map((name): Completion => ({ label: name, text: `{${name}}`, back: 0 })),
    ...functions.map((signature): Completion => {
      const hasParameters = !signature.endsWith("()");
      const name = signature.slice(0, signature.indexOf("("));
      return { label: signature, text: `${name}()`, back: hasParameters ? 1 : 0 };
    }),
  ];
  return { from: word.index, found: found.slice(0, mostShown) };
}
