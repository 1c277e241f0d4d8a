import { ApiError } from "../../base/index.ts";
import type { BatchColumn } from "../../../plugins/protocol/index.ts";
import type { ColumnMatch, PushShape } from "./matchColumns.ts";
import type { UpdateOptions } from "./updateOptions.ts";

/** Maximum number of rows that a message lists. */
const listedRows = 10;

/**
 * Returns the targets of the columns of a key, in the order of the key. A column is named as in the header, or by its
 * id.
 * @throws {ApiError} MEMBER_INVALID for unknown columns, columns that the rows lack, and columns that are named twice
 */
export function findKey(
  { header }: Pick<PushShape, "header">,
  { key, deletes }: UpdateOptions,
  { targets }: Pick<ColumnMatch, "targets">,
): ColumnMatch["targets"] {
  const at = "properties.options.key";
  const found = key.map((name) => {
    const position = header?.indexOf(name) ?? -1;
    const target =
      targets[position] ??
      targets.find(({ id }) => id === name.toLowerCase()) ??
      targets.find((each) => each.name === name);
    if (target) return target;
    const columns = targets.map((each) => quote(header?.[each.position] ?? each.name)).join(", ");
    throw new ApiError("MEMBER_INVALID", [
      at,
      `the rows have no column ${quote(name)}; they have ${columns}; name each column of the key in options.header, and send its cells`,
    ]);
  });
  const ids = new Set(found.map(({ id }) => id));
  if (ids.size < found.length)
    throw new ApiError("MEMBER_INVALID", [at, "it names a column twice; name each column once"]);
  const other = deletes ? targets.find(({ id }) => !ids.has(id)) : undefined;
  if (other)
    throw new ApiError("MEMBER_INVALID", [
      "properties.options.header",
      `rows to delete have only the columns of the key, but ${quote(header?.[other.position] ?? other.name)} is not in options.key; name the columns of the key in options.header, and send only their cells`,
    ]);
  return found;
}

/**
 * Checks that no cell of a key is null and that each key occurs once. `columns` are the columns of the key.
 * @throws {ApiError} MEMBER_INVALID that lists the rows, counted from 1
 */
export function checkKeys(columns: readonly BatchColumn[], rowCount: number): void {
  const rowsByKey = new Map<string, number[]>();
  const nulls: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    const cells = columns.map((column) =>
      column.type === "hierarchy" ? column.codes[row] : (column.values[row] ?? Number.NaN) + 0,
    );
    const isNull = columns.some((column, index) =>
      column.type === "hierarchy" ? cells[index] === -1 : Number.isNaN(cells[index]),
    );
    if (isNull) nulls.push(row);
    const key = cells.join(" ");
    const rows = rowsByKey.get(key);
    if (rows) rows.push(row);
    else rowsByKey.set(key, [row]);
  }
  if (nulls.length > 0)
    throw invalidData(
      `a cell of the key is null in ${listRows(nulls)}; every row needs a complete key`,
    );
  for (const rows of rowsByKey.values())
    if (rows.length > 1)
      throw invalidData(`${listRows(rows)} have the same key; send each key once`);
}

/** Returns an error about the rows of an update. */
export function invalidData(reason: string): ApiError {
  return new ApiError("MEMBER_INVALID", ["properties.data", reason]);
}

/** Lists rows for a message. They are counted from 0 here, and from 1 in the message. */
export function listRows(rows: readonly number[]): string {
  const listed = rows.slice(0, listedRows).map((row) => row + 1);
  const more = rows.length > listed.length ? ` and ${rows.length - listed.length} more` : "";
  return `${rows.length === 1 ? "row" : "rows"} ${listed.join(", ")}${more} (counted from 1)`;
}

const quote = (name: string): string => JSON.stringify(name.slice(0, 100));
