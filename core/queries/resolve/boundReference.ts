import type { Aggregation, Bin, DataType, Level } from "../../../plugins/protocol/index.ts";
import type { CompiledFormula } from "./createExpressions.ts";
import type { QueriedColumn } from "../queriedDataset.ts";

/** A reference to a column, with the column that it is bound to. `column` is undefined for the rows that `*` counts. */
export interface BoundReference {
  readonly columnId: string;
  readonly column: QueriedColumn | undefined;
  readonly level: Level | undefined;
  /** The level as the caller wrote it, even if the level is ignored. */
  readonly requestedLevel?: Level | undefined;
  readonly aggregation: Aggregation | undefined;
  readonly expression?: string | undefined;
  readonly formula?: BoundFormula;
  /** The bins of the column. Under an aggregation, `column` is the derived column with the starts of the bins. */
  readonly bins?: Bin | undefined;
  readonly fraction?: number | undefined;
  readonly weight?: QueriedColumn | undefined;
  /** The bins whose starts are the weights. */
  readonly weightBins?: Bin | undefined;
  /** The type of the values. `min` and `max` keep the type of the column; all other aggregations return numbers. */
  readonly type: DataType;
}

/** A formula whose aggregates are measures of the query. */
export interface BoundFormula extends Pick<CompiledFormula, "value"> {
  readonly text: string;
  readonly aggregates: readonly BoundReference[];
}

/** Returns a key. References with equal values have equal keys. */
export function keyOf(reference: BoundReference | undefined): string {
  const { columnId, expression, level, bins, aggregation, fraction, weight } = reference ?? {};
  const { width, origin } = bins ?? {};
  const formula = reference?.formula?.text;
  return JSON.stringify([
    columnId,
    expression,
    level,
    width,
    origin,
    aggregation,
    fraction,
    weight?.pluginId,
    formula,
  ]);
}
