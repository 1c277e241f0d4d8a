import type { Aggregation, Bin, DataType, Level } from "../../../plugins/protocol/index.ts";
import type { CompiledFormula } from "./createExpressions.ts";
import type { QueriedColumn } from "../queriedDataset.ts";
import type { GroupValues, PastValues } from "../boundQuery.ts";
import type { ComparisonType } from "../calculationTypes.ts";
import type { ParsedCalculation } from "../parsedQuery.ts";

/** A reference to a column, with the column that it is bound to. `column` is undefined for `*`, which counts rows. */
export interface BoundReference {
  readonly columnId: string;
  /** The column through which the query reaches the dataset, as the caller wrote it. */
  readonly via?: string | undefined;
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
  /** The second column of the aggregation, such as the weights. */
  readonly second?: QueriedColumn | undefined;
  /** The dimensions for each combination of whose values a cumulative sum starts again. */
  readonly per?: readonly BoundReference[];
  /** The bins whose starts are the values of `second`. */
  readonly secondBins?: Bin | undefined;
  /** How the host computes the measure from the aggregated values of all groups. */
  readonly calculation?: BoundCalculation;
  /** The calculation as the caller wrote it. */
  readonly requestedCalculation?: ParsedCalculation;
  /** The type of the values. `min` and `max` keep the type of the column; all other aggregations return numbers. */
  readonly type: DataType;
}

/** A calculation over the groups of a query, without its place in the query. */
export type BoundCalculation =
  | (Omit<PastValues, "id" | "kind"> & { readonly type: ComparisonType })
  | {
      readonly type: GroupValues["kind"];
      readonly per: readonly BoundReference[];
      readonly isAscending: boolean;
    };

/** A formula whose aggregates are measures of the query. */
export interface BoundFormula extends Pick<CompiledFormula, "value"> {
  readonly text: string;
  readonly aggregates: readonly BoundReference[];
  /** Present for calendar dates. */
  readonly isDate?: true;
}

/** Returns a key that is equal for references with equal values. */
export function keyOf(reference: BoundReference | undefined): string {
  const { columnId, column, expression, level, bins, aggregation, fraction, second, per } =
    reference ?? {};
  const calculation = reference?.calculation;
  const { width, origin } = bins ?? {};
  const formula = reference?.formula?.text;
  return JSON.stringify([
    columnId,
    column?.pluginId,
    expression,
    level,
    width,
    origin,
    aggregation,
    fraction,
    second?.pluginId,
    per?.map(keyOf),
    formula,
    calculation && { ...calculation, per: "per" in calculation && calculation.per.map(keyOf) },
  ]);
}
