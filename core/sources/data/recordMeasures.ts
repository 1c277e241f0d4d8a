import type { Knex } from "knex";
import { PluginError, type BatchColumn } from "../../../plugins/protocol/index.ts";
import type { Records, ResourceRow, Row } from "../../base/index.ts";
import type { PushContext } from "./createDataset.ts";
import {
  measureAppended,
  measureVector,
  noMeasures,
  unknownMeasures,
  type Appended,
  type MeasuredColumn,
  type Measures,
  type Range,
} from "./measureColumns.ts";

/** A dataset after a push has written its rows. */
export interface Written extends Pick<Appended, "textCountsBefore"> {
  readonly datasetId: string;
  /** The stored columns, with the measures of the rows before the push. */
  readonly columns: readonly MeasuredColumn[];
  /** The pushed cells, by column id. */
  readonly vectors: ReadonlyMap<string, BatchColumn>;
  readonly rowCount: number;
  readonly pushedCount: number;
}

/**
 * Writes changed measures to the column records, with one SQL statement. Returns the records in the order of `columns`.
 */
export async function recordMeasures(
  measures: ReadonlyMap<string, Measures>,
  columns: readonly ResourceRow<"column">[],
  records: Records,
  transaction: Knex.Transaction,
): Promise<readonly ResourceRow<"column">[]> {
  const changed = new Map(
    columns.flatMap((column) => {
      const now = measures.get(column.id);
      const stored: Row = column;
      const isChanged = Object.entries(now ?? {}).some(
        ([member, value]) => stored[member] !== value,
      );
      return now && isChanged ? [[column.id, { ...now }] as const] : [];
    }),
  );
  const rows = await records.changeMany("column", changed, transaction);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return columns.map((column) => byId.get(column.id) ?? column);
}

/** A dataset after rows were added that are no longer in memory. */
export interface FilledDataset extends Pick<Appended, "textCountsBefore"> {
  readonly datasetId: string;
  /** The stored columns, with the measures of the rows before. */
  readonly columns: readonly MeasuredColumn[];
  /** The ranges of the added numbers and instants, by column id. */
  readonly ranges: ReadonlyMap<string, Range | undefined>;
  readonly rowCount: number;
  readonly rowCountBefore: number;
}

/** Measures the columns of a dataset after rows were added that are no longer in memory, by id. */
export async function measureFilled(
  { columns, ranges, ...filled }: FilledDataset,
  { connections, caller, log }: PushContext,
): Promise<ReadonlyMap<string, Measures>> {
  const isFirst = filled.rowCountBefore === 0;
  const merged = columns.map((column): MeasuredColumn => {
    const range = ranges.get(column.id);
    if (isFirst) return { ...column, minimum: null, maximum: null, ...range, cardinality: 0 };
    const { minimum, maximum } = column;
    if (!range || typeof minimum !== "number" || typeof maximum !== "number") return column;
    return {
      ...column,
      minimum: Math.min(minimum, range.minimum),
      maximum: Math.max(maximum, range.maximum),
    };
  });
  try {
    const appended = { ...filled, columns: merged, vectors: new Map<string, BatchColumn>() };
    return await measureAppended(appended, connections.store, caller);
  } catch (failure) {
    if (!(failure instanceof PluginError)) throw failure;
    log.warn(
      { err: failure, datasetId: filled.datasetId },
      "the columns of a dataset could not be measured",
    );
    return new Map(columns.map(({ id }) => [id, unknownMeasures]));
  }
}

/**
 * Measures the columns of a dataset after a push, by id. If the store cannot measure them, the measures are unknown.
 * The push still succeeds, because its rows are stored.
 */
export async function measure(
  written: Written,
  { connections, caller, log }: PushContext,
): Promise<ReadonlyMap<string, Measures>> {
  const { vectors, pushedCount, ...appended } = written;
  const { datasetId, columns, rowCount } = appended;
  const rowCountBefore = rowCount - pushedCount;
  if (rowCountBefore === 0)
    return new Map(
      columns.map(({ id }) => {
        const vector = vectors.get(id);
        return [id, vector ? measureVector(vector) : noMeasures];
      }),
    );
  try {
    const rows = { ...appended, rowCountBefore, vectors };
    return await measureAppended(rows, connections.store, caller);
  } catch (failure) {
    if (!(failure instanceof PluginError)) throw failure;
    log.warn({ err: failure, datasetId }, "the columns of a dataset could not be measured");
    return new Map(columns.map(({ id }) => [id, unknownMeasures]));
  }
}
