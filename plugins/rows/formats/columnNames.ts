import { PluginError } from "../../protocol/index.ts";

/** The names of columns, and what was done to make them so. */
export interface ColumnNames {
  readonly names: readonly string[];
  /** For people. */
  readonly notes: readonly string[];
}

const longestName = 500;
const mostColumns = 10_000;
const mostNotes = 10;

/**
 * Makes distinct names of a header: a name that occurs again gets a number, an empty one becomes `column 3`. NUL and
 * halves of surrogate pairs, which no catalog holds, are replaced. O(columns).
 * @throws {PluginError} PLUGIN_UNREADABLE for more than 10,000 columns
 */
export function columnNames(header: readonly string[]): ColumnNames {
  checkColumnCount(header.length);
  const notes: string[] = [];
  const taken = new Set<string>();
  const given = new Set(header);
  /** The number that the next copy of a name gets. */
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
        `the header names ${JSON.stringify(own)} again; that column is ${JSON.stringify(name)}`,
      );
    return name;
  });
  const restCount = notes.length - mostNotes;
  const rest = restCount > 0 ? [`${restCount} more names of the header were changed`] : [];
  return { names, notes: [...notes.slice(0, mostNotes), ...rest] };
}

/** @throws {PluginError} PLUGIN_UNREADABLE for more than 10,000 columns */
export function checkColumnCount(columnCount: number): void {
  if (columnCount <= mostColumns) return;
  throw new PluginError("PLUGIN_UNREADABLE", [
    `it has ${columnCount.toLocaleString("en")} columns; a file may have ${mostColumns.toLocaleString("en")}`,
  ]);
}

/**
 * Checks names that a format makes distinct itself.
 * @throws {PluginError} PLUGIN_UNREADABLE for more than 10,000 columns, and for a name that has more than 500
 * characters, NUL or half of a surrogate pair
 */
export function checkColumnNames(names: Iterable<string>): void {
  let columnCount = 0;
  for (const name of names) {
    columnCount++;
    if (name.length > longestName)
      throw new PluginError("PLUGIN_UNREADABLE", [
        `the name of a column has ${name.length.toLocaleString("en")} characters; it may have ${longestName}: ` +
          `${JSON.stringify(name.slice(0, 40).toWellFormed())}…`,
      ]);
    if (name.includes("\0") || !name.isWellFormed()) {
      const shown = JSON.stringify(name.toWellFormed());
      throw new PluginError("PLUGIN_UNREADABLE", [
        `the name of a column must be without NUL and halves of surrogate pairs: ${shown}`,
      ]);
    }
  }
  checkColumnCount(columnCount);
}
