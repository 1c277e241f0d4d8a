import { EngineError } from "../../errors.ts";
import type { ColumnSnapshot, Snapshot } from "../../table/snapshot.ts";
import type { TableChange } from "../../table/table.ts";
import type { BatchColumn, TableUpdate, UpdateCounts, UpdateRequest } from "../../types.ts";
import { fillingOf } from "../changes/fillingOf.ts";

/** The stored rows whose key is one of the keys of an update, in the order of the table. */
export interface FoundRows {
  /** Numbers of the rows in the table. */
  readonly rowNumbers: Float64Array;
  /** For each found row, the number of its key, which is a row of the update. */
  readonly keyNumbers: Float64Array;
  /** The stored codes or numbers of the columns that the update does not contain, by name. */
  readonly kept: ReadonlyMap<string, Float64Array>;
}

/** What an update does to its table, or the reason why it does nothing. */
export type PlannedUpdate =
  | { readonly counts: UpdateCounts; readonly change?: TableChange }
  | { readonly refused: NonNullable<TableUpdate["refused"]> };

/**
 * Plans an update: each of its rows takes the place of all stored rows with its key. A column that the update does not
 * contain keeps its value, and is null in inserted rows.
 * @throws {EngineError} BATCH_MALFORMED, VALUE_NOT_FINITE
 */
export function planUpdate(
  { rows, missing = "insert", deletes = false }: UpdateRequest,
  { rowNumbers, keyNumbers, kept }: FoundRows,
  snapshot: Snapshot,
): PlannedUpdate {
  const { rowCount } = rows.batch;
  /** For each key, the index of its last found row, and the number of its found rows. */
  const foundAt = new Int32Array(rowCount).fill(-1);
  const foundCounts = new Int32Array(rowCount);
  keyNumbers.forEach((key, index) => {
    foundAt[key] = index;
    foundCounts[key]++;
  });
  const keys = Array.from({ length: rowCount }, (_, key) => key);
  const absent = keys.filter((key) => foundCounts[key] === 0);
  if (missing === "refuse" && absent.length > 0)
    return { refused: { reason: "missing", rows: absent } };
  if (deletes) {
    const counts = { ...none, deleted: rowNumbers.length, ignored: absent.length };
    return { counts, ...(rowNumbers.length > 0 && { change: { deletes: rowNumbers } }) };
  }
  const repeated = keys.filter((key) => foundCounts[key] > 1);
  if (kept.size > 0 && repeated.length > 0)
    return { refused: { reason: "repeated", rows: repeated } };
  const written = missing === "insert" ? keys : keys.filter((key) => foundCounts[key] > 0);
  const updated = rowCount - absent.length;
  const inserted = written.length - updated;
  const counts = {
    updated,
    inserted,
    deleted: rowNumbers.length - updated,
    ignored: absent.length - inserted,
  };
  if (written.length === 0) return { counts };
  const isWhole = written.length === rowCount;
  const columns = isWhole
    ? rows.batch.columns
    : rows.batch.columns.map((column) => takeRows(column, written));
  const named = {
    names: [...rows.names, ...kept.keys()],
    batch: {
      rowCount: written.length,
      columns: [
        ...columns,
        ...[...kept].map(([name, values]) => {
          const column = snapshot.columns.get(name);
          if (!column) throw new EngineError("COLUMN_UNKNOWN", [snapshot.table, name]);
          return keepValues(column, values, written, foundAt);
        }),
      ],
    },
  };
  return { counts, change: { ...fillingOf(named), deletes: rowNumbers } };
}

const none: UpdateCounts = { updated: 0, inserted: 0, deleted: 0, ignored: 0 };

function takeRows(column: BatchColumn, rows: readonly number[]): BatchColumn {
  if (column.type !== "text")
    return { type: column.type, values: Float64Array.from(rows, (row) => column.values[row]) };
  const codes = Int32Array.from(rows, (row) => column.codes[row]);
  return { type: "text", codes, dictionary: column.dictionary };
}

/** Returns the stored values of a column for the rows of an update; null for rows that are inserted. */
function keepValues(
  { definition, dictionary }: ColumnSnapshot,
  values: Float64Array,
  written: readonly number[],
  foundAt: Int32Array,
): BatchColumn {
  const { type } = definition;
  if (type !== "text")
    return {
      type,
      values: Float64Array.from(written, (key) => (foundAt[key] < 0 ? NaN : values[foundAt[key]])),
    };
  const texts: string[] = [];
  const places = new Map<number, number>([[0, -1]]);
  const codes = Int32Array.from(written, (key) => {
    const stored = foundAt[key] < 0 ? 0 : values[foundAt[key]];
    let place = places.get(stored);
    if (place === undefined) {
      const [text = ""] = dictionary?.slice(stored - 1, stored) ?? [];
      places.set(stored, (place = texts.push(text) - 1));
    }
    return place;
  });
  return { type, codes, dictionary: texts };
}
