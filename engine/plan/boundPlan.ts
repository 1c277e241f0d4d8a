import type { Segment } from "../column/segment/segment.ts";
import type { BoundCode, BoundRows, BoundTest, BoundValue } from "../expressions/boundValue.ts";
import type { PeriodFloor } from "../time/periodFloor.ts";

/**
 * One column of one version of a table: the records of its full row groups in shared memory, and the row group that
 * fills.
 */
export interface BoundColumn {
  readonly directory: { readonly arena: number; readonly offset: number } | undefined;
  readonly sealedCount: number;
  readonly tail: Segment | undefined;
}

/**
 * Whole numbers that are few enough to be numbered: value * 10^decimals - base + 1, from 1 to `cardinality`; of a key
 * 0, null, counts too.
 */
export interface WholeRange {
  readonly kind: "whole";
  readonly of: BoundValue;
  readonly base: number;
  readonly decimals: number;
  /** The distance between neighbouring bins; 1 when absent. */
  readonly step?: number;
  readonly cardinality: number;
}

/**
 * A key of a grouped plan. With a `cardinality` its values are numbered from 0 (null) to below it: a text by its stored
 * code; a number by value * 10^decimals - base + 1, of bins by (value - base) / step + 1; a period by `floor`.
 */
export type BoundKey =
  | {
      readonly kind: "text";
      readonly code: BoundCode;
      readonly cardinality: number;
    }
  | WholeRange
  | {
      readonly kind: "period";
      readonly of: BoundValue;
      readonly floor: PeriodFloor;
      /** Three numbers a UTC day from `firstDay`, see `periodDayTable`. */
      readonly days?: { readonly firstDay: number; readonly table: Uint32Array };
      readonly cardinality: number;
    }
  | { readonly kind: "value"; readonly of: BoundValue }
  | ComputedText;

/**
 * A text that is computed row by row: each task numbers the texts that it makes, and they become one dictionary when
 * all are merged.
 */
export interface ComputedText {
  readonly kind: "computed";
  readonly of: BoundRows;
}

/** A term of a sum: value * 10^decimals, which is whole; with -1 the value itself. */
export interface Summand {
  readonly of: BoundValue;
  readonly decimals: number;
}

/**
 * 16 bytes of state a group, two doubles, by the kernel that folds them. `isExact`: every sum is a whole number below
 * 2^53, so it does not matter in which order rows are added; the others are summed lane by lane.
 */
export type Slot =
  | { readonly kind: "rows" }
  | { readonly kind: "rowsSum"; readonly right: Summand; readonly isExact: boolean }
  | { readonly kind: "countSum"; readonly right: Summand; readonly isExact: boolean }
  /** Rows whose value is not null. */
  | { readonly kind: "count"; readonly of: BoundValue }
  | {
      readonly kind: "pair";
      readonly left: Summand;
      readonly right: Summand;
      readonly isExact: boolean;
    }
  | { readonly kind: "extent"; readonly of: Summand }
  /** 32 bytes a group: count, mean; sum of squared differences. */
  | { readonly kind: "variance"; readonly of: BoundValue };

/** A double of a slot's state. */
export interface SlotDouble {
  readonly slot: number;
  readonly lane: 0 | 1;
}

/**
 * The values that a distinct count reads: stored codes, few whole numbers (value * 10^decimals - base + 1), any
 * numbers, or computed texts.
 */
export type BoundDistinct =
  | {
      readonly kind: "code";
      readonly code: BoundCode;
      /** Distinct stored codes but 0. */
      readonly cardinality: number;
    }
  | WholeRange
  | { readonly kind: "number"; readonly of: BoundValue }
  | ComputedText;

/**
 * Percentiles of one expression. Values (times 10^decimals, unless decimals is -1) are counted in buckets of equal
 * width from `low`, the bucket 1; the bucket 0 counts nulls.
 */
export interface BoundQuantile {
  readonly of: BoundValue;
  readonly decimals: number;
  readonly low: number;
  /** Buckets per unit. */
  readonly factor: number;
  /** Bucket 0 included. */
  readonly bucketCount: number;
  /**
   * Where values are whole and less than 2^31 above `low`: a bucket holds 2^shift whole numbers, so with 0 the counts
   * are the answer. -1 for others.
   */
  readonly shift: number;
  readonly fractions: readonly number[];
}

/** An output of a grouped plan. */
export type BoundOutput =
  | { readonly kind: "key"; readonly key: number }
  | { readonly kind: "count"; readonly count: SlotDouble }
  | {
      readonly kind: "sum" | "average" | "cumulativesum";
      readonly sum: SlotDouble;
      readonly count: SlotDouble;
      readonly decimals: number;
      /** The sum of the values times `scales.sum`, where the sum itself may pass the doubles. */
      readonly scaled?: SlotDouble;
    }
  | {
      readonly kind: "weightedaverage";
      readonly sum: SlotDouble;
      readonly weight: SlotDouble;
      readonly count: SlotDouble;
      /**
       * Where the products may pass the doubles: the same of values and weights times `scales.square`, and the count
       * of the weights.
       */
      readonly scaled?: {
        readonly sum: SlotDouble;
        readonly weight: SlotDouble;
        readonly weightCount: SlotDouble;
      };
    }
  | {
      readonly kind: "least" | "greatest";
      readonly extent: number;
      readonly decimals: number;
      /** Stored code per rank, for the least and greatest text. */
      readonly codesByRank?: Int32Array;
    }
  /** `scaled`: the variance of the values times `scales.square`, where the squares may pass the doubles. */
  | { readonly kind: "stddev"; readonly variance: number; readonly scaled?: number }
  | { readonly kind: "distinct"; readonly distinct: number }
  /** The first or last of the computed texts that are counted. */
  | { readonly kind: "firstText" | "lastText"; readonly distinct: number }
  | { readonly kind: "approximatedistinct"; readonly sketch: number }
  | { readonly kind: "approximatepercentile"; readonly digest: number; readonly fraction: number }
  | { readonly kind: "percentile"; readonly quantile: number; readonly fraction: number };

/** `ranks` order the stored codes of a text output; those of computed texts are known when all are merged. */
export interface BoundOrder {
  readonly output: number;
  readonly descending: boolean;
  readonly ranks?: Int32Array;
}

/** How groups are found: `direct` by the product of the keys' cardinalities, `hash` by the keys' values. */
export interface BoundGrouping {
  readonly mode: "direct" | "hash";
  /** Product of the cardinalities in direct mode, else 0. */
  readonly capacity: number;
  readonly keys: readonly BoundKey[];
  readonly slots: readonly Slot[];
  /** Where the number of rows of a group stands. */
  readonly rows: SlotDouble;
  readonly distincts: readonly BoundDistinct[];
  readonly quantiles: readonly BoundQuantile[];
  /** The values of HyperLogLog sketches, and of t-digests. */
  readonly sketches: readonly BoundValue[];
  readonly digests: readonly BoundValue[];
  readonly outputs: readonly BoundOutput[];
}

/** An output of an ungrouped plan: a text's stored code, or a number. */
export type BoundCell =
  | { readonly kind: "text"; readonly code: BoundCode }
  | { readonly kind: "number"; readonly of: BoundValue }
  | ComputedText;

/** A plan bound to one version of a table: plain data over shared memory, ready to cross a thread. */
export interface BoundPlan {
  readonly rowCount: number;
  /** Spans of row groups whose sums of doubles are kept apart; depends on the plan and the row count alone. */
  readonly laneCount: number;
  /** Only the columns that the plan reads. */
  readonly columns: readonly BoundColumn[];
  readonly filter?: BoundTest;
  readonly grouping?: BoundGrouping;
  readonly cells?: readonly BoundCell[];
  /** Its columns are the outputs. */
  readonly having?: BoundTest;
  readonly order: readonly BoundOrder[];
  readonly limit?: { readonly count: number; readonly offset: number };
}
