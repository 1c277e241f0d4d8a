import type { Caller, Connection, WrittenValues } from "../../base/index.ts";
import {
  dataTypeOf,
  type Batch,
  type DataType,
  type HierarchyBatchColumn,
  type Query,
  type BatchColumn,
} from "../../../plugins/protocol/index.ts";

/** Statistics of a column over all rows. Instants are milliseconds since 1970. Strings have no minimum and maximum. */
export interface Measures {
  /** Number of distinct values, excluding null; null if they were not counted. */
  readonly cardinality: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly minBound: number | null;
  readonly maxBound: number | null;
}

/**
 * Maximum number of rows for which distinct values are counted at every push. Exact counts of numbers over more rows
 * take seconds. A server must read all rows to count strings: for 300,000 rows with five strings, this took longer than
 * the push.
 */
const countedRows = 20_000;
/** A server counts strings again when the number of rows has grown by this factor. */
const recountGrowth = 2;

/** The smallest and the largest number or instant. */
export interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

/** Measures a vector that contains all values of its column. O(rows). */
export function measureVector(vector: BatchColumn): Measures {
  if (vector.type === "hierarchy") return measuresOf(textCountOf(vector), null, null);
  const { minimum, maximum } = boundsOf(vector.values);
  const { values } = vector;
  const distinct = new Set(values.length <= countedRows ? values : []);
  distinct.delete(Number.NaN);
  const isCounted = values.length <= countedRows;
  return measuresOf(isCounted ? distinct.size : null, minimum, maximum);
}

/** The measures of a column without values: a cardinality of 0, and neither minimum nor maximum. */
export const noMeasures: Measures = measuresOf(0, null, null);

/** The measures of a column that was not measured: all are null. */
export const unknownMeasures: Measures = measuresOf(null, null, null);

/** The members of a column record that contain its known statistics. */
export type MeasuredColumn = Pick<
  WrittenValues<"column">,
  "minimum" | "maximum" | "cardinality"
> & {
  readonly id: string;
  readonly type: string;
};

/** A dataset whose rows were appended but not yet measured. */
export interface Appended {
  readonly datasetId: string;
  /** The stored columns, with the measures of the rows before the append. */
  readonly columns: readonly MeasuredColumn[];
  readonly rowCountBefore: number;
  readonly rowCount: number;
  /** The appended cells, by column id. */
  readonly vectors: ReadonlyMap<string, BatchColumn>;
  /** What the store knew about its strings before the append, by column id; absent if it knew nothing. */
  readonly textCountsBefore?: ReadonlyMap<string, number>;
}

/**
 * Measures the columns of a dataset after an append, by id. Minimum and maximum are always exact. A store that knows
 * the number of its distinct strings is not queried above 20,000 rows. If its number includes strings of deleted rows,
 * the strings that are new to the store are added to the last count; a string that only deleted rows had is missed
 * until the rows have doubled. Of other stores, the number of distinct strings comes from the last count, but is at
 * least that of the appended rows. If distinct values must be counted again, sends one query to the store. Otherwise
 * combines the known measures with those of the appended rows.
 * @throws {PluginError} of the store
 */
export async function measureAppended(
  appended: Appended,
  store: Connection,
  caller: Caller,
): Promise<ReadonlyMap<string, Measures>> {
  const { datasetId, columns, rowCount, rowCountBefore, vectors, textCountsBefore } = appended;
  const size = store.sizeOf?.(datasetId);
  const textCounts = size?.countsDeleted ? undefined : size?.textCounts;
  const isGrown = stepOf(rowCountBefore) !== stepOf(rowCount);
  const mustCount = textCounts === undefined && isGrown;
  if (!columns.every(isMeasured) || mustCount || rowCount <= countedRows)
    return measureStored(appended, store, caller);
  return new Map(
    columns.map((column) => {
      const vector = vectors.get(column.id);
      const added = vector && vector.type !== "hierarchy" ? boundsOf(vector.values) : undefined;
      const merge = (member: "minimum" | "maximum", choose: (...of: number[]) => number) => {
        const known = [column[member], added?.[member]].filter((each) => typeof each === "number");
        return known.length === 0 ? null : choose(...known);
      };
      const bounds = [merge("minimum", Math.min), merge("maximum", Math.max)] as const;
      if (column.type !== "hierarchy") return [column.id, measuresOf(null, ...bounds)];
      const appendedTexts = vector?.type === "hierarchy" ? textCountOf(vector) : 0;
      const [before, after] = [textCountsBefore, size?.textCounts].map((of) => of?.get(column.id));
      const newTexts =
        before === undefined || after === undefined ? 0 : Math.max(0, after - before);
      const known = Math.max(Number(column.cardinality) + newTexts, appendedTexts);
      return [column.id, measuresOf(textCounts?.get(column.id) ?? known, ...bounds)];
    }),
  );
}

/** Returns a step number, which increases by one whenever the number of rows has doubled. */
function stepOf(rowCount: number): number {
  return Math.floor(Math.log(Math.max(1, rowCount)) / Math.log(recountGrowth));
}

/**
 * Returns whether the record has measures of the rows before the append. A column of numbers without any value is
 * measured again.
 */
function isMeasured(column: MeasuredColumn): boolean {
  return typeof column[isNumeric(column.type) ? "minimum" : "cardinality"] === "number";
}

/**
 * Measures columns of a dataset with one query to the store, by id. Numbers of a dataset with more than 20,000 rows are
 * not counted.
 * @throws {PluginError} of the store
 */
export async function measureStored(
  { datasetId: id, columns, rowCount }: Pick<Appended, "datasetId" | "columns" | "rowCount">,
  store: Connection,
  caller: Caller,
): Promise<ReadonlyMap<string, Measures>> {
  const offered = store.capabilities.grouping?.aggregations ?? [];
  const requested = columns.flatMap((column) =>
    aggregationsOf(column.type, rowCount)
      .filter((aggregation) => offered.includes(aggregation))
      .map((aggregation) => ({ column_id: column.id, aggregation })),
  );
  const query: Query = { id, columns: requested, filters: [], options: { pushdown: true } };
  const dataset = {
    id,
    columns: columns.map((column) => ({ id: column.id, name: {}, type: typeOf(column) })),
  };
  const batch: Batch =
    requested.length > 0 ? await store.query(query, dataset, caller) : { rowCount: 0, columns: [] };
  const valueOf = (columnId: string, aggregation: string): number | null => {
    const index = requested.findIndex(
      (each) => each.column_id === columnId && each.aggregation === aggregation,
    );
    const vector = batch.columns[index];
    const value = vector && vector.type !== "hierarchy" ? vector.values[0] : undefined;
    return value === undefined || Number.isNaN(value) ? null : value;
  };
  return new Map(
    columns.map((column) => [
      column.id,
      measuresOf(
        valueOf(column.id, "distinctcount"),
        valueOf(column.id, "min"),
        valueOf(column.id, "max"),
      ),
    ]),
  );
}

const textCountOf = (column: HierarchyBatchColumn): number =>
  column.dictionarySize?.textCount ?? column.dictionary.length;

function aggregationsOf(
  type: unknown,
  rowCount: number,
): readonly ("distinctcount" | "min" | "max")[] {
  if (!isNumeric(type)) return ["distinctcount"];
  return rowCount <= countedRows ? ["distinctcount", "min", "max"] : ["min", "max"];
}

const isNumeric = (type: unknown): boolean => type === "numeric" || type === "datetime";

const typeOf = ({ type }: MeasuredColumn): DataType => dataTypeOf(type);

function boundsOf(values: Float64Array): Pick<Measures, "minimum" | "maximum"> {
  let minimum = Infinity;
  let maximum = -Infinity;
  for (const value of values) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  return minimum > maximum ? { minimum: null, maximum: null } : { minimum, maximum };
}

function measuresOf(
  cardinality: number | null,
  minimum: number | null,
  maximum: number | null,
): Measures {
  return { cardinality, minimum, maximum, minBound: minimum, maxBound: maximum };
}
