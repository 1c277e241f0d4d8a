import type { Segment } from "../column/segment/segment.ts";
import type { BoundCode, BoundRows, BoundTest, BoundValue } from "../expressions/boundValue.ts";
import type { PeriodFloor } from "../time/periodFloor.ts";

/**
 * One column of one version of a table: the records of its full row groups in shared memory, and its open row group.
 */
export interface BoundColumn {
  readonly directory: { readonly arena: number; readonly offset: number } | undefined;
  readonly sealedCount: number;
  readonly tail: Segment | undefined;
}

/**
 * Whole numbers that are few enough to be numbered: value * 10^decimals - base + 1, from 1 to `cardinality`. For a key,
 * the number 0 (null) counts toward the cardinality too.
 */
export interface WholeRange {
  readonly kind: "whole";
  readonly of: BoundValue;
  readonly base: number;
  readonly decimals: number;
  /**
   * The distance between neighbouring bins.
   * @default 1
   */
  readonly step?: number;
  readonly cardinality: number;
}

/**
 * A key of a grouped plan. If the key has a `cardinality`, its values have numbers below it, starting with 0 for null:
 * strings by their stored code; numbers by value * 10^decimals - base + 1; bins by (value - base) / step + 1; periods
 * by `floor`.
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
      /** Three numbers per UTC day, starting at `firstDay`, see `periodDayTable`. */
      readonly days?: { readonly firstDay: number; readonly table: Uint32Array };
      readonly cardinality: number;
    }
  | { readonly kind: "value"; readonly of: BoundValue }
  | ComputedText;

/**
 * A string expression that is computed row by row. Each task numbers the strings that it computes. Merging combines the
 * strings of all tasks into one dictionary.
 */
export interface ComputedText {
  readonly kind: "computed";
  readonly of: BoundRows;
}

/** A term of a sum: value * 10^decimals, which is whole, or the value itself if `decimals` is -1. */
export interface Summand {
  readonly of: BoundValue;
  readonly decimals: number;
}

/**
 * A state of 16 bytes per group, which contains two doubles, by the kernel that folds it. `isExact` means that every
 * sum is a whole number below 2^53, so the order of rows does not matter; other sums are computed lane by lane.
 */
export type Slot =
  | { readonly kind: "rows" }
  | { readonly kind: "rowsSum"; readonly right: Summand; readonly isExact: boolean }
  | { readonly kind: "countSum"; readonly right: Summand; readonly isExact: boolean }
  /** Counts the rows whose value is not null. */
  | { readonly kind: "count"; readonly of: BoundValue }
  | {
      readonly kind: "pair";
      readonly left: Summand;
      readonly right: Summand;
      readonly isExact: boolean;
    }
  | { readonly kind: "extent"; readonly of: Summand }
  /** 32 bytes per group: count and mean; sum of squared differences. */
  | { readonly kind: "variance"; readonly of: BoundValue };

/** One of the two doubles in the state of a slot. */
export interface SlotDouble {
  readonly slot: number;
  readonly lane: 0 | 1;
}

/**
 * The values that a distinct count reads: stored codes, whole numbers in a small range (value * 10^decimals - base +
 * 1), any numbers, or computed strings.
 */
export type BoundDistinct =
  | {
      readonly kind: "code";
      readonly code: BoundCode;
      /** Number of distinct stored codes other than 0. */
      readonly cardinality: number;
    }
  | WholeRange
  | { readonly kind: "number"; readonly of: BoundValue }
  | ComputedText;

/**
 * Percentiles of one expression. Values (times 10^decimals, unless `decimals` is -1) are counted in buckets of equal
 * width. Bucket 1 starts at `low`; bucket 0 counts nulls.
 */
export interface BoundQuantile {
  readonly of: BoundValue;
  readonly decimals: number;
  readonly low: number;
  /** Buckets per unit. */
  readonly factor: number;
  /** Number of buckets, including bucket 0. */
  readonly bucketCount: number;
  /**
   * If values are whole and less than 2^31 above `low`, a bucket stands for 2^shift whole numbers; if `shift` is 0, the
   * counts determine the percentiles. Otherwise -1.
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
      /** The sum of the values times `scales.sum`. Present if the plain sum may exceed the range of doubles. */
      readonly scaled?: SlotDouble;
    }
  | {
      readonly kind: "weightedaverage";
      readonly sum: SlotDouble;
      readonly weight: SlotDouble;
      readonly count: SlotDouble;
      /**
       * Sums of products for values and weights times `scales.square`, and the number of weights. Present if the
       * products may exceed the range of doubles.
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
      /** The stored code of each rank, with which the first and the last string are found. */
      readonly codesByRank?: Int32Array;
    }
  /**
   * The variance of the values. `scaled` is the variance of the values times `scales.square`, and is present if the
   * squares may exceed the range of doubles.
   */
  | { readonly kind: "stddev"; readonly variance: number; readonly scaled?: number }
  | { readonly kind: "distinct"; readonly distinct: number }
  /** The first or last of the computed strings that are counted. */
  | { readonly kind: "firstText" | "lastText"; readonly distinct: number }
  | { readonly kind: "approximatedistinct"; readonly sketch: number }
  | { readonly kind: "approximatepercentile"; readonly digest: number; readonly fraction: number }
  | { readonly kind: "percentile"; readonly quantile: number; readonly fraction: number };

/**
 * An output to sort by. `ranks` order the stored codes of a text output. For computed strings, the ranks are only known
 * after merging.
 */
export interface BoundOrder {
  readonly output: number;
  readonly descending: boolean;
  readonly ranks?: Int32Array;
}

/** How groups are found: `direct` by the product of the keys' cardinalities, `hash` by the keys' values. */
export interface BoundGrouping {
  readonly mode: "direct" | "hash";
  /** Product of the cardinalities in direct mode, otherwise 0. */
  readonly capacity: number;
  readonly keys: readonly BoundKey[];
  readonly slots: readonly Slot[];
  /** The double that contains the number of rows in a group. */
  readonly rows: SlotDouble;
  readonly distincts: readonly BoundDistinct[];
  readonly quantiles: readonly BoundQuantile[];
  /** The expressions of HyperLogLog sketches, and of t-digests. */
  readonly sketches: readonly BoundValue[];
  readonly digests: readonly BoundValue[];
  readonly outputs: readonly BoundOutput[];
}

/** An output of an ungrouped plan: the stored code of a string, or a number. */
export type BoundCell =
  | { readonly kind: "text"; readonly code: BoundCode }
  | { readonly kind: "number"; readonly of: BoundValue }
  | ComputedText;

/**
 * A plan bound to one version of a table. It consists of plain data over shared memory, so it can be passed to a
 * thread.
 */
export interface BoundPlan {
  readonly rowCount: number;
  /**
   * Number of spans of row groups whose sums of doubles are separate. It depends only on the plan and the row count.
   */
  readonly laneCount: number;
  /** The columns that the plan reads, and no others. */
  readonly columns: readonly BoundColumn[];
  readonly filter?: BoundTest;
  readonly grouping?: BoundGrouping;
  readonly cells?: readonly BoundCell[];
  /** The predicate of `having`, whose columns are the outputs. */
  readonly having?: BoundTest;
  readonly order: readonly BoundOrder[];
  readonly limit?: { readonly count: number; readonly offset: number };
}
