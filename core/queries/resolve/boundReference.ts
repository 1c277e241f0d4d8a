import type { Aggregation, Bin, DataType, Level } from "../../../plugins/protocol/index.ts";
import type { CompiledFormula } from "./createExpressions.ts";
import type { QueriedColumn } from "../queriedDataset.ts";

/** A mention of a column with the column itself; `column` is undefined for the rows that `*` counts. */
export interface BoundReference {
  readonly columnId: string;
  readonly column: QueriedColumn | undefined;
  readonly level: Level | undefined;
  /** As the caller wrote it, also where it changes nothing and is left out. */
  readonly askedLevel?: Level | undefined;
  readonly aggregation: Aggregation | undefined;
  readonly expression?: string | undefined;
  readonly formula?: BoundFormula;
  /** Under an aggregation `column` holds the starts of the bins by itself. */
  readonly bins?: Bin | undefined;
  readonly fraction?: number | undefined;
  readonly weight?: QueriedColumn | undefined;
  /** What `weight` holds the starts of. */
  readonly weightBins?: Bin | undefined;
  /** Of the values: `min` and `max` keep the column's type, every other aggregation gives numbers. */
  readonly type: DataType;
}

/** A formula whose aggregates are measures of the query. */
export interface BoundFormula extends Pick<CompiledFormula, "value"> {
  readonly text: string;
  readonly aggregates: readonly BoundReference[];
}
