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
  /** One array a slot: its doubles, group by group. */
  readonly slots: readonly Float64Array[];
  /** Distinct (group, value) pairs without nulls, one a distinct count. */
  readonly distincts: readonly ValuePairs[];
  /** All (group, value) pairs without nulls, one a set of percentiles. */
  readonly lists: readonly ValuePairs[];
}
