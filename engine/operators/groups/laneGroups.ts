import type { ComputedTexts } from "../rows/computedTexts.ts";

/** Values, each with the group at the same index. */
export interface ValuePairs {
  readonly groups: Float64Array;
  readonly values: Float64Array;
}

/** The groups that a lane, or a task of lanes, found by hashing. */
export interface LaneGroups {
  readonly groupCount: number;
  /** One array per key: stored codes with 0 for null, or numbers with NaN for null. */
  readonly keys: readonly Float64Array[];
  /**
   * The computed strings for the codes of each key and of each distinct count: stored code `code` stands for
   * `texts[code - 1]`.
   */
  readonly keyTexts: readonly ComputedTexts[];
  readonly distinctTexts: readonly ComputedTexts[];
  /** One array per slot: its doubles, group by group. */
  readonly slots: readonly Float64Array[];
  /** Distinct pairs of group and value without nulls, one list per distinct count. */
  readonly distincts: readonly ValuePairs[];
  /** All pairs of group and value without nulls, one list per set of percentiles. */
  readonly lists: readonly ValuePairs[];
  /** Distinct pairs of group and entry, one list per sketch; see `sketchEntry`. */
  readonly sketches: readonly ValuePairs[];
  readonly digests: readonly LaneDigests[];
}

/**
 * The digests of a lane's groups. Groups with few values have no digest; their values are listed here in the original
 * order.
 */
export interface LaneDigests extends ValuePairs {
  /** The groups that have a digest, and their digests in the same order. */
  readonly digested: Float64Array;
  readonly digests: Float64Array;
}
