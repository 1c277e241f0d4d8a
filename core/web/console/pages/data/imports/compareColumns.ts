import type { PreviewColumn } from "./preview.ts";
import type { Target } from "./target.ts";

/** How the columns of a file differ from those of the dataset that receives its rows. */
export interface Differences {
  /** Columns of the file that the dataset lacks. */
  readonly added: readonly string[];
  /** Columns of the dataset that the file lacks. */
  readonly missing: readonly string[];
  /** Columns whose types differ. */
  readonly retyped: readonly {
    readonly name: string;
    readonly inFile: string;
    readonly inDataset: string;
  }[];
}

/** Compares the columns of a file with those of a dataset by name, as the host does. */
export function compareColumns(
  columns: readonly Pick<PreviewColumn, "name" | "type">[],
  target: Pick<Target, "columns">,
): Differences {
  const byName = new Map(target.columns.map((column) => [column.sourceName, column]));
  const names = new Set(columns.map(({ name }) => name));
  return {
    added: columns.flatMap(({ name }) => (byName.has(name) ? [] : [name])),
    missing: target.columns.flatMap(({ sourceName, name }) =>
      names.has(sourceName) ? [] : [name],
    ),
    retyped: columns.flatMap(({ name, type }) => {
      const known = byName.get(name);
      return known && known.type !== type ? [{ name, inFile: type, inDataset: known.type }] : [];
    }),
  };
}
