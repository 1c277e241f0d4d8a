import type { Segment } from "../column/segment/segment.ts";
import type { BoundCode, BoundRows, BoundTest, BoundValue } from "../expressions/boundValue.ts";
import type { PeriodFloor } from "../time/periodFloor.ts";
import type { DeletedRows } from "../table/deletedRows.ts";
import type { GroupLimit } from "../types.ts";

/**
 * One column of one version of a table: the records of its full row groups in shared memory, and its open row group.
 */
export interface BoundColumn {
  readonly directory: { readonly arena: number; readonly offset: number } | undefined;
  readonly sealedCount: number;
  readonly tail: Segment | undefined;
}

/**
 * Whole numbers in a range that is small enough to number them. The number of a value is value * 10^decimals - base +
 * 1, from 1 to `cardinality`. The cardinality of a key also includes the number 0, which means null.
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
 * A key of a grouped plan. If the key has a `cardinality`, each value has a number below it; 0 is null. The number of a
 * string is its stored code, the number of a numeric value is value * 10^decimals - base + 1, and the number of a bin
 * is (value - base) / step + 1. Periods are numbered by `floor`.
 */
export type BoundKey =
  | {
      readonly kind: "text";
      readonly code: BoundCode;
      readonly cardinality: number;
      /**
       * The stored code of each number, if `code` returns numbers in place of stored codes.
       * @default the numbers are the stored codes
       */
      readonly values?: Float64Array;
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
 * A state of 16 bytes per group, which contains two doubles. `kind` names the kernel that folds rows into it. `isExact`
 * means that every sum is a whole number below 2^53, so the order of rows does not matter; other sums are computed lane
 * by lane.
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
  /** A state of 32 bytes per group: the count, the mean and the sum of squared differences. */
  | { readonly kind: "variance"; readonly of: BoundValue }
  /** A state of 48 bytes per group; see `foldCovariance`. */
  | { readonly kind: "covariance"; readonly left: BoundValue; readonly right: BoundValue };

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
  | {
      readonly kind: "number";
      readonly of: BoundValue;
      /** Present if all numbers are whole when multiplied by 10^decimals, and less than 2^53 apart. */
      readonly whole?: Pick<WholeRange, "base" | "decimals" | "cardinality">;
    }
  | ComputedText;

/**
 * Percentiles of one expression. Values (times 10^decimals, unless `decimals` is -1) are counted in buckets of equal
 * width. Bucket 1 starts at `low`; bucket 0 counts nulls.
 */
export interface BoundQuantile {
  readonly of: BoundValue;
  readonly decimals: number;
  readonly low: number;
  /** Number of buckets per unit of the value. */
  readonly factor: number;
  /** Number of buckets, including bucket 0. */
  readonly bucketCount: number;
  /**
   * A bucket stands for 2^shift whole numbers, if values are whole and less than 2^31 above `low`; otherwise -1. If
   * `shift` is 0, the counts determine the percentiles.
   */
  readonly shift: number;
  readonly fractions: readonly number[];
}

/** An output of a grouped plan, as a function of the states in the slots. */
export type BoundOutput =
  | { readonly kind: "key"; readonly key: number }
  /** A function of keys, see `deriveKeys`. Its columns are indices in `keys`. */
  | { readonly kind: "derivedkey"; readonly of: BoundValue | BoundCode }
  | { readonly kind: "count"; readonly count: SlotDouble }
  | {
      readonly kind: "sum" | "average" | "cumulativesum";
      readonly sum: SlotDouble;
      readonly count: SlotDouble;
      readonly decimals: number;
      /** Present if every value is `factor` times a summand plus `shift`, see `lineOf`. */
      readonly line?: { readonly factor: number; readonly shift: number };
      /** The sum of the values times `scales.sum`. Present if the plain sum may exceed the range of doubles. */
      readonly scaled?: SlotDouble;
      /** The key outputs for each combination of which a cumulative sum starts again. */
      readonly per?: readonly number[];
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
      /** The stored code of each rank. It is used to find the first or the last string. */
      readonly codesByRank?: Int32Array;
    }
  /**
   * The variance of the values. `scaled` is the variance of the values times `scales.square`, and is present if the
   * squares may exceed the range of doubles.
   */
  | { readonly kind: "stddev"; readonly variance: number; readonly scaled?: number }
  /**
   * The correlation of two numbers. `covariances` lists slots in which one or both numbers are scaled, after the slot
   * of the plain numbers. The first slot whose sums are finite is used.
   */
  | { readonly kind: "corr"; readonly covariances: readonly number[] }
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
  /** Bounds of the numbers of an ungrouped plan. Absent if they are unknown, or for strings. */
  readonly bounds?: {
    readonly minimum: number;
    readonly maximum: number;
    readonly isWhole: boolean;
  };
}

/**
 * Buckets of equal width for the numbers by which rows are ordered; for strings, for ranks that start at 1. The bucket
 * of a number is 1 + floor((number - low) * factor), at least 1 and at most `bucketCount` - 1. Bucket 0 is null.
 */
export interface OrderBuckets {
  /** Index in the plan's order. */
  readonly part: number;
  readonly low: number;
  readonly factor: number;
  readonly bucketCount: number;
}

/** The rows whose bucket is 1 in `passes`. */
export interface OrderWindow extends OrderBuckets {
  readonly passes: Uint8Array;
}

/**
 * How groups are found: `direct` by numbers below the product of the keys' cardinalities, `hash` by hashing the keys'
 * values.
 */
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
  /**
   * Indices of the distinct counts and of the quantiles that record pairs of group and value, because their bitmaps or
   * histograms would be too large. Present in direct mode only.
   */
  readonly paired?: {
    readonly distincts: readonly number[];
    readonly quantiles: readonly number[];
  };
  /** The expressions that are added to HyperLogLog sketches, and those that are added to t-digests. */
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
 * Keys of rows. The first cells of the plan are the columns of the key, and `values` contains the stored code or the
 * number of each key in each of these columns. `table` is a hash table with open addressing: 1 plus the number of a
 * key, or 0. `bounds` are the least and the greatest value in each column. All arrays are in shared memory.
 */
export interface BoundKeys {
  readonly values: readonly Float64Array[];
  readonly table: Int32Array;
  readonly bounds: readonly { readonly minimum: number; readonly maximum: number }[];
}

/**
 * A plan bound to one version of a table. It consists of plain data over shared memory, so it can be passed to a
 * thread.
 */
export interface BoundPlan {
  readonly rowCount: number;
  /**
   * Number of spans of row groups, each of which has separate sums of doubles. It depends only on the plan and the row
   * count.
   */
  readonly laneCount: number;
  /** The columns that the plan reads, and no others. */
  readonly columns: readonly BoundColumn[];
  readonly filter?: BoundTest;
  /** The rows that are left out, besides those that fail the filter. */
  readonly deleted?: DeletedRows;
  readonly grouping?: BoundGrouping;
  readonly cells?: readonly BoundCell[];
  /** The predicate of `having`, whose columns are the outputs. */
  readonly having?: BoundTest;
  readonly order: readonly BoundOrder[];
  readonly groupLimit?: GroupLimit;
  /** The keys of an ungrouped plan's group limit, if all of them are numbered and have few combinations. */
  readonly leaderKeys?: readonly Exclude<BoundKey, { readonly kind: "value" | "computed" }>[];
  readonly limit?: { readonly count: number; readonly offset: number };
  /** The windows of an ungrouped plan. Rows outside of any window are left out, and do not count in `limit`. */
  readonly windows?: readonly OrderWindow[];
  /** Present if an ungrouped plan counts rows by bucket instead of collecting them. */
  readonly counted?: OrderBuckets;
  /** Present if an ungrouped plan only collects the rows that have certain keys. */
  readonly wantedKeys?: BoundKeys;
}
