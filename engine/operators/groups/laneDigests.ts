import {
  addValue,
  digestDoubles,
  estimatePercentile,
  mergeDigest,
} from "../../sketches/tDigest.ts";
import type { LaneDigests } from "./laneGroups.ts";

/**
 * Maximum number of values for which a group has a list instead of a digest. A digest of so few values would also be
 * exact, but larger.
 */
const listedValues = 512;
const leastSweep = 2 ** 16;

/**
 * The t-digests of a lane's groups, for groupings whose number of groups is not known in advance. To limit memory, a
 * group with few values has a list of these values instead of a digest. Digests and lists depend only on the order of
 * the values.
 */
export class DigestList {
  #groups = new Float64Array(1024);
  #values = new Float64Array(1024);
  #count = 0;
  #limit = leastSweep;
  readonly #digests = new Map<number, Float64Array>();

  add(group: number, value: number): void {
    if (this.#count === this.#limit) this.#sweep();
    if (this.#count === this.#groups.length) {
      this.#groups = grow(this.#groups);
      this.#values = grow(this.#values);
    }
    this.#groups[this.#count] = group;
    this.#values[this.#count++] = value;
  }

  take(): LaneDigests {
    this.#sweep();
    const digests = new Float64Array(this.#digests.size * digestDoubles);
    let at = 0;
    for (const digest of this.#digests.values()) {
      digests.set(digest, at);
      at += digestDoubles;
    }
    return {
      groups: this.#groups.slice(0, this.#count),
      values: this.#values.slice(0, this.#count),
      digested: Float64Array.from(this.#digests.keys()),
      digests,
    };
  }

  /** Moves the listed values of groups with many values to digests. */
  #sweep(): void {
    const counts = new Map<number, number>();
    for (let row = 0; row < this.#count; row++) {
      const group = this.#groups[row];
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    for (const [group, count] of counts)
      if (count > listedValues && !this.#digests.has(group))
        this.#digests.set(group, new Float64Array(digestDoubles));
    let kept = 0;
    for (let row = 0; row < this.#count; row++) {
      const digest = this.#digests.get(this.#groups[row]);
      if (digest) addValue(digest, this.#values[row]);
      else {
        this.#groups[kept] = this.#groups[row];
        this.#values[kept++] = this.#values[row];
      }
    }
    this.#count = kept;
    this.#limit = Math.max(leastSweep, kept * 2);
  }
}

function grow(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(values.length * 2);
  grown.set(values);
  return grown;
}

/**
 * Merges the digests of groups lane by lane and reads percentiles: one array per fraction, by group. `targets` maps
 * each lane's groups to the merged groups.
 */
export function digestPercentiles(
  lanes: readonly LaneDigests[],
  targets: readonly Uint32Array[],
  groupCount: number,
  fractions: readonly number[],
): Float64Array[] {
  const parts = lanes.map((lane, index) => sortLane(lane, targets[index], groupCount));
  const merged = new Float64Array(digestDoubles);
  const single = new Float64Array(digestDoubles);
  const columns = fractions.map(() => new Float64Array(groupCount));
  for (let group = 0; group < groupCount; group++) {
    merged.fill(0);
    for (const { starts, values, digests } of parts) {
      let digest = digests.get(group);
      if (!digest) {
        if (starts[group] === starts[group + 1]) continue;
        digest = single.fill(0);
        for (let row = starts[group]; row < starts[group + 1]; row++) addValue(digest, values[row]);
      }
      mergeDigest(merged, digest);
    }
    fractions.forEach((fraction, index) => {
      columns[index][group] = estimatePercentile(merged, fraction);
    });
  }
  return columns;
}

/** Places the values of each group next to each other, in their original order. */
function sortLane(lane: LaneDigests, targets: Uint32Array, groupCount: number) {
  const starts = new Uint32Array(groupCount + 1);
  for (const group of lane.groups) starts[targets[group] + 1]++;
  for (let group = 0; group < groupCount; group++) starts[group + 1] += starts[group];
  const next = starts.slice();
  const values = new Float64Array(lane.values.length);
  for (let row = 0; row < values.length; row++)
    values[next[targets[lane.groups[row]]]++] = lane.values[row];
  const digests = new Map<number, Float64Array>();
  lane.digested.forEach((group, index) => {
    const from = index * digestDoubles;
    digests.set(targets[group], lane.digests.subarray(from, from + digestDoubles));
  });
  return { starts, values, digests };
}
