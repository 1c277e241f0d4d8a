import type { Segment } from "../column/segment.ts";
import type { PeriodFloor } from "../time/periodFloor.ts";
import type { AggregateFunction, ComparisonOperator } from "../types.ts";

/** A number per row, of the column at an index. */
export type BoundExpression =
  | { readonly kind: "column"; readonly column: number }
  | { readonly kind: "period"; readonly of: BoundExpression; readonly floor: PeriodFloor };

/** A predicate with indices for names. A test of a text is a byte per stored code (0 is null). */
export type BoundPredicate =
  | { readonly kind: "and"; readonly of: readonly BoundPredicate[] }
  | { readonly kind: "or"; readonly of: readonly BoundPredicate[] }
  | { readonly kind: "not"; readonly of: BoundPredicate }
  | { readonly kind: "lookup"; readonly column: number; readonly passes: Uint8Array }
  | {
      readonly kind: "compare";
      readonly left: BoundExpression;
      readonly operator: ComparisonOperator;
      readonly value: number;
    }
  /** A NaN among the values is null. */
  | { readonly kind: "in"; readonly left: BoundExpression; readonly values: ReadonlySet<number> }
  | { readonly kind: "isNull"; readonly left: BoundExpression };

/**
 * A key of a grouped plan. With a `cardinality` its values are numbered from 0 (null) to below it:
 * a text by its stored code, a whole number from `base`, a period by `floor`.
 */
export type BoundKey =
  | { readonly kind: "text"; readonly column: number; readonly cardinality: number }
  | {
      readonly kind: "whole";
      readonly column: number;
      readonly base: number;
      readonly cardinality: number;
    }
  | {
      readonly kind: "period";
      readonly of: BoundExpression;
      readonly floor: PeriodFloor;
      readonly cardinality: number;
    }
  | { readonly kind: "value"; readonly of: BoundExpression };

/** What an aggregate folds: the numbers of an expression, or the stored codes of a text, or their ranks. */
export type BoundArgument =
  | { readonly kind: "number"; readonly of: BoundExpression }
  | { readonly kind: "code"; readonly column: number; readonly cardinality: number }
  | { readonly kind: "rank"; readonly column: number; readonly ranks: Int32Array };

/** A running value per group, shared by the outputs that need it. */
export type StateFunction = "rows" | "count" | "sum" | "min" | "max" | "distinct";

export interface BoundState {
  readonly function: StateFunction;
  /** Absent for `rows` only. */
  readonly argument?: BoundArgument;
}

/** An output of a grouped plan; `states` are indices into the plan's states. */
export type BoundOutput =
  | { readonly kind: "key"; readonly key: number }
  | {
      readonly kind: "aggregate";
      readonly function: AggregateFunction;
      readonly states: readonly number[];
      /** Stored code per rank, for the least and greatest text. */
      readonly codesByRank?: Int32Array;
    };

/** `ranks` order the stored codes of a text output. */
export interface BoundOrder {
  readonly output: number;
  readonly descending: boolean;
  readonly ranks?: Int32Array;
}

/** How groups are found: `direct` by the product of the keys' cardinalities, `hash` by the keys' values. */
export interface BoundGrouping {
  readonly mode: "direct" | "hash";
  /** Product of the cardinalities in direct mode, else 0. */
  readonly groupCapacity: number;
  readonly keys: readonly BoundKey[];
  readonly states: readonly BoundState[];
  readonly outputs: readonly BoundOutput[];
}

/** An output of an ungrouped plan: a text's stored code, or a number. */
export type BoundCell =
  | { readonly kind: "text"; readonly column: number }
  | { readonly kind: "number"; readonly of: BoundExpression };

/** A plan bound to one version of a table: plain data over shared memory, ready to cross a thread. */
export interface BoundPlan {
  readonly rowCount: number;
  /** Only the columns that the plan reads. */
  readonly columns: readonly (readonly Segment[])[];
  readonly filter?: BoundPredicate;
  readonly grouping?: BoundGrouping;
  readonly cells?: readonly BoundCell[];
  /** Its columns are the outputs. */
  readonly having?: BoundPredicate;
  readonly order: readonly BoundOrder[];
  readonly limit?: { readonly count: number; readonly offset: number };
}
