import type { Column } from "../../../plugins/protocol/index.ts";
import type { ResourceRow, WrittenValues } from "../../base/index.ts";
import { columnFormat } from "../../resources/index.ts";

type ColumnRow = ResourceRow<"column">;

/** The differences between the columns of a dataset and those of its source. */
export interface ColumnChanges {
  /** Columns of the source that the dataset lacks, each with its position in the source. */
  readonly added: readonly { readonly column: Column; readonly place: number }[];
  /** Columns that the source no longer has. */
  readonly missing: readonly ColumnRow[];
  /** Columns that were missing in the source and exist again. */
  readonly returned: readonly ColumnRow[];
  /** Columns that have another type in the source. */
  readonly retyped: readonly { readonly row: ColumnRow; readonly type: Column["type"] }[];
  /** The values to write to each column that differs, by id. */
  readonly written: ReadonlyMap<string, WrittenValues<"column">>;
}

/**
 * Compares the columns of a dataset with those of its source, by the exact name in the source. A renamed column counts
 * as one removed and one added column. Names, formats and the order that people have set are kept. If the type has
 * changed, the format and the statistics are reset. Derived columns are ignored. O(columns).
 */
export function compareColumns(
  rows: readonly ColumnRow[],
  source: readonly Column[],
  isRemoved: (column: Column) => boolean,
  at: Date,
): ColumnChanges {
  const own = rows.filter((row) => !row.expression && row.source_name !== null);
  const offered = new Map(source.map((column, place) => [column.id, { column, place }]));
  const known = new Set(own.map(({ source_name }) => source_name));
  const missing: ColumnRow[] = [];
  const returned: ColumnRow[] = [];
  const retyped: { readonly row: ColumnRow; readonly type: Column["type"] }[] = [];
  const written = new Map<string, WrittenValues<"column">>();
  for (const row of own) {
    const found = offered.get(String(row.source_name));
    if (!found) {
      if (row.missing_since) continue;
      missing.push(row);
      written.set(row.id, { missing_since: at });
      continue;
    }
    const { column, place } = found;
    const isRetyped = row.type !== column.type || isDate(row) !== isDate(column);
    if (row.missing_since) returned.push(row);
    if (isRetyped) retyped.push({ row, type: column.type });
    const changed = {
      ...(row.missing_since && { missing_since: null }),
      ...(isRetyped && retypedValues(column)),
      ...(row.source_order !== place && { source_order: place }),
      ...(!isSame(row.narrowed, column.narrowed) && { narrowed: column.narrowed ?? null }),
    };
    if (Object.keys(changed).length > 0) written.set(row.id, changed);
  }
  const added = [...offered.values()].filter(
    ({ column }) => !known.has(column.id) && !isRemoved(column),
  );
  return { added, missing, returned, retyped, written };
}

/** Returns whether a column contains dates, which no time zone shifts. Dates and datetimes count as different types. */
const isDate = ({ type, subtype }: { readonly type: string; readonly subtype?: string | null }) =>
  type === "datetime" && subtype === "date";

function retypedValues({ id, type, subtype }: Column): WrittenValues<"column"> {
  return {
    type,
    subtype: subtype ?? null,
    ...columnFormat(type, subtype, id),
    cardinality: null,
    minimum: null,
    maximum: null,
    minBound: null,
    maxBound: null,
  };
}

/** Compares objects without regard to the order of members, because PostgreSQL reorders them. */
function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_member, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
