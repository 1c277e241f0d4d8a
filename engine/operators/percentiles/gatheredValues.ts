/** Values by bucket. Bucket i has the values from `starts[i]` to before `starts[i + 1]`, in any order. */
export interface GatheredValues {
  readonly values: Float64Array;
  readonly starts: Uint32Array;
}

/** The values that one task gathered. Bucket i starts at `cursors[i]` and ends where the next bucket starts. */
export interface TaskValues {
  readonly values: Float64Array;
  readonly cursors: Uint32Array;
}

/**
 * Maximum number of values per bucket that are copied one by one. For so few values, calling a copy function is not
 * faster.
 */
const fewValues = 32;

/**
 * Concatenates the values that several tasks gathered, bucket by bucket. Does not copy the values of a single task.
 * Takes O(values + buckets * tasks).
 */
export function joinGathered(tasks: readonly TaskValues[], bucketCount: number): GatheredValues {
  const starts = new Uint32Array(bucketCount + 1);
  for (const task of tasks) addSizes(task, bucketCount, starts);
  for (let bucket = 0; bucket < bucketCount; bucket++) starts[bucket + 1] += starts[bucket];
  const [first, ...others] = tasks;
  if (first && others.length === 0) return { values: first.values, starts };
  const values = new Float64Array(starts[bucketCount]);
  const ends = starts.slice();
  for (const task of tasks) appendValues(task, bucketCount, values, ends);
  return { values, starts };
}

/** Adds the size of each bucket to the entry after it. */
function addSizes({ values, cursors }: TaskValues, bucketCount: number, starts: Uint32Array): void {
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const until = bucket + 1 < bucketCount ? cursors[bucket + 1] : values.length;
    starts[bucket + 1] += until - cursors[bucket];
  }
}

/** Appends the values to their buckets, and moves the end of each bucket forward. */
function appendValues(
  { values, cursors }: TaskValues,
  bucketCount: number,
  to: Float64Array,
  ends: Uint32Array,
): void {
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const from = cursors[bucket];
    const until = bucket + 1 < bucketCount ? cursors[bucket + 1] : values.length;
    let end = ends[bucket];
    if (until - from > fewValues) {
      to.set(values.subarray(from, until), end);
      end += until - from;
    } else for (let index = from; index < until; index++) to[end++] = values[index];
    ends[bucket] = end;
  }
}
