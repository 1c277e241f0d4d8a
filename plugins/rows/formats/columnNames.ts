import { PluginError } from "../../protocol/index.ts";

/** The names of columns, and remarks about names that were changed. */
export interface ColumnNames {
  readonly names: readonly string[];
  /** Remarks to show to users. */
  readonly notes: readonly string[];
}

const longestName = 500;
const mostColumns = 10_000;
const mostNotes = 10;

/**
 * Makes the names in a header unique. A repeated name gets a number. An empty name becomes the position of its column,
 * such as `column 3`. NUL and lone surrogates are replaced, because the catalog cannot store them. O(columns).
 * @throws {PluginError} PLUGIN_UNREADABLE for more than 10,000 columns
 */
export function columnNames(header: readonly string[]): ColumnNames {
  checkColumnCount(header.length);
  const notes: string[] = [];
  const taken = new Set<string>();
  const given = new Set(header);
  /** For each name, the number to append the next time the name occurs. */
  const nextCopy = new Map<string, number>();
  const names = header.map((text, index) => {
    const own = text.toWellFormed().replaceAll("\0", "\ufffd").slice(0, longestName).toWellFormed();
    const isEmpty = own.trim() === "";
    const base = isEmpty ? `column ${index + 1}` : own;
    let name = base;
    let copy = nextCopy.get(base) ?? 2;
    for (; taken.has(name) || (name !== base && given.has(name)); copy++)
      name = `${base} (${copy})`;
    nextCopy.set(base, copy);
    taken.add(name);
    if (isEmpty) notes.push(`column ${index + 1} has no name in the header`);
    else if (name !== own)
      notes.push(
        `the header repeats ${JSON.stringify(own)}; the repeated column is called ${JSON.stringify(name)}`,
      );
    return name;
  });
  const restCount = notes.length - mostNotes;
  const rest = restCount > 0 ? [`${restCount} more names in the header were changed`] : [];
  return { names, notes: [...notes.slice(0, mostNotes), ...rest] };
}

/**
 * Checks the number of columns.
 * @throws {PluginError} PLUGIN_UNREADABLE for more than 10,000 columns
 */
export function checkColumnCount(columnCount: number): void {
  if (columnCount <= mostColumns) return;
  throw new PluginError("PLUGIN_UNREADABLE", [
    `it has ${columnCount.toLocaleString("en")} columns; a file must have at most ${mostColumns.toLocaleString("en")}`,
  ]);
}

/**
 * Checks the column names of a format that guarantees unique names.
 * @throws {PluginError} PLUGIN_UNREADABLE for more than 10,000 columns, and for a name with more than 500 characters,
 * NUL or a lone surrogate
 */
export function checkColumnNames(names: Iterable<string>): void {
  let columnCount = 0;
  for (const name of names) {
    columnCount++;
    if (name.length > longestName)
      throw new PluginError("PLUGIN_UNREADABLE", [
        `the name of a column must have at most ${longestName} characters, not ${name.length.toLocaleString("en")}: ` +
          `${JSON.stringify(name.slice(0, 40).toWellFormed())}…`,
      ]);
    if (name.includes("\0") || !name.isWellFormed()) {
      const shown = JSON.stringify(name.toWellFormed());
      throw new PluginError("PLUGIN_UNREADABLE", [
        `the name of a column must not contain NUL or lone surrogates: ${shown}`,
      ]);
    }
  }
  checkColumnCount(columnCount);
}
