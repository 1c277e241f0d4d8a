/** The names of columns, and what was done to make them so. */
export interface ColumnNames {
  readonly names: readonly string[];
  /** For people. */
  readonly notes: readonly string[];
}

const longestName = 500;

/**
 * Makes distinct names of a header: a name that occurs again gets a number, an empty one becomes `column 3`. NUL and
 * halves of surrogate pairs, which no catalog holds, are replaced.
 */
export function columnNames(header: readonly string[]): ColumnNames {
  const notes: string[] = [];
  const taken = new Set<string>();
  const given = new Set(header);
  const names = header.map((text, index) => {
    const own = text.toWellFormed().replaceAll("\0", "\ufffd").slice(0, longestName).toWellFormed();
    let name = own.trim() === "" ? `column ${index + 1}` : own;
    if (own.trim() === "") notes.push(`column ${index + 1} has no name in the header`);
    for (let copy = 2; taken.has(name) || (copy > 2 && given.has(name)); copy++)
      name = `${own} (${copy})`;
    if (name !== own && own.trim() !== "")
      notes.push(
        `the header names ${JSON.stringify(own)} again; that column is ${JSON.stringify(name)}`,
      );
    taken.add(name);
    return name;
  });
  return { names, notes };
}
