import type { ComputedTexts } from "../rows/computedTexts.ts";

/** Values with the group of each. */
export interface ValuePairs {
  readonly groups: Float64Array;
  readonly values: Float64Array;
}

/** The groups that a lane, or a task of lanes, found by hashing. */
export interface LaneGroups {
  readonly groupCount: number;
  /** One array a key: stored codes with 0 for null, else numbers with NaN for null. */
  readonly keys: readonly Float64Array[];
  /**
   * What the codes of computed texts stand for, by key and by distinct count: stored code `code` is `texts[code - 1]`.
   */
  readonly keyTexts: readonly ComputedTexts[];
  readonly distinctTexts: readonly ComputedTexts[];
  /** One array a slot: its doubles, group by group. */
  readonly slots: readonly Float64Array[];
  /** Distinct (group, value) pairs without nulls, one a distinct count. */
  readonly distincts: readonly ValuePairs[];
  /** All (group, value) pairs without nulls, one a set of percentiles. */
  readonly lists: readonly ValuePairs[];
  /** Distinct (group, entry) pairs, one a sketch; see `sketchEntry`. */
  readonly sketches: readonly ValuePairs[];
  readonly digests: readonly LaneDigests[];
}

/** The digests of a lane's groups: those of few values as the values, in their order. */
export interface LaneDigests extends ValuePairs {
  /** Groups that have a digest, and their digests, one behind the other. */
  readonly digested: Float64Array;
  readonly digests: Float64Array;
}
