import type { BoundGrouping } from "../../plan/boundPlan.ts";
import { digestDoubles } from "../../sketches/tDigest.ts";
import { inSteps } from "../task/inSteps.ts";
import type { LaneDigests, LaneGroups, ValuePairs } from "./laneGroups.ts";

/**
 * Returns whether groups can be merged in parts. Two cases prevent merging in parts: computed strings, whose codes
 * would differ between parts, and a plan without keys, which has one group even without rows.
 */
export function canSplit({ keys, distincts }: BoundGrouping): boolean {
  return keys.length > 0 && [...keys, ...distincts].every(({ kind }) => kind !== "computed");
}

/**
 * Splits the groups of a lane by the hash of their keys. Equal groups of different lanes are then in parts with the
 * same number, so each part can be merged on a different thread. Groups, and the values of a group, stay in order.
 * Takes O(groups + values).
 */
export function splitGroups(groups: LaneGroups, partCount: number): readonly LaneGroups[] {
  if (partCount === 1) return [groups];
  const split = assign(groups, partCount);
  const keys = groups.keys.map((column) => splitRuns(column, 1, split));
  const slots = groups.slots.map((states) =>
    splitRuns(states, states.length / Math.max(1, groups.groupCount), split),
  );
  const pairs = (lists: readonly ValuePairs[]) => lists.map((list) => splitPairs(list, split));
  const distincts = pairs(groups.distincts);
  const lists = pairs(groups.lists);
  const sketches = pairs(groups.sketches);
  const digests = groups.digests.map((list) => splitDigests(list, split));
  return split.counts.map((groupCount, part) => ({
    groupCount,
    keys: keys.map((parts) => parts[part]),
    keyTexts: groups.keyTexts,
    distinctTexts: groups.distinctTexts,
    slots: slots.map((parts) => parts[part]),
    distincts: distincts.map((parts) => parts[part]),
    lists: lists.map((parts) => parts[part]),
    sketches: sketches.map((parts) => parts[part]),
    digests: digests.map((parts) => parts[part]),
  }));
}

/** The part of each group, its number within the part, and the number of groups in each part. */
interface Split {
  readonly parts: Uint32Array;
  readonly places: Uint32Array;
  readonly counts: readonly number[];
}

const doubles = new Float64Array(1);
const words = new Uint32Array(doubles.buffer);

function assign({ keys, groupCount }: LaneGroups, partCount: number): Split {
  const parts = new Uint32Array(groupCount);
  const places = new Uint32Array(groupCount);
  const counts = Array.from({ length: partCount }, () => 0);
  inSteps(groupCount, (from, to) => {
    for (let group = from; group < to; group++) {
      let hash = 0;
      for (const column of keys) {
        const key = column[group];
        // Normalizes zeros and NaNs, because -0 and 0 are the same group, as are all nulls.
        doubles[0] = key === key ? key + 0 : NaN;
        hash = Math.imul(hash ^ words[0], 0x9e3779b1);
        hash = Math.imul(hash ^ (hash >>> 15) ^ words[1], 0x85ebca6b);
        hash ^= hash >>> 13;
      }
      const part = (hash >>> 0) % partCount;
      parts[group] = part;
      places[group] = counts[part]++;
    }
  });
  return { parts, places, counts };
}

/** Splits data with `width` doubles per group. */
function splitRuns(
  values: Float64Array,
  width: number,
  { parts, places, counts }: Split,
): Float64Array[] {
  const shares = counts.map((count) => new Float64Array(count * width));
  inSteps(parts.length, (from, end) => {
    for (let group = from; group < end; group++) {
      const share = shares[parts[group]];
      const to = places[group] * width;
      for (let index = 0; index < width; index++) share[to + index] = values[group * width + index];
    }
  });
  return shares;
}

function splitPairs({ groups, values }: ValuePairs, { parts, places, counts }: Split) {
  const sizes = counts.map(() => 0);
  inSteps(groups.length, (from, to) => {
    for (let row = from; row < to; row++) sizes[parts[groups[row]]]++;
  });
  const shares = sizes.map((size) => ({
    groups: new Float64Array(size),
    values: new Float64Array(size),
  }));
  const next = counts.map(() => 0);
  inSteps(groups.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const part = parts[groups[row]];
      const at = next[part]++;
      shares[part].groups[at] = places[groups[row]];
      shares[part].values[at] = values[row];
    }
  });
  return shares;
}

function splitDigests(list: LaneDigests, split: Split): LaneDigests[] {
  const { digested, digests } = list;
  const { parts, places } = split;
  const pairs = splitPairs(list, split);
  return pairs.map((pair, part) => {
    const own = Array.from(digested.keys()).filter((index) => parts[digested[index]] === part);
    const kept = new Float64Array(own.length * digestDoubles);
    own.forEach((index, at) => {
      const from = index * digestDoubles;
      kept.set(digests.subarray(from, from + digestDoubles), at * digestDoubles);
    });
    return {
      ...pair,
      digested: Float64Array.from(own, (index) => places[digested[index]]),
      digests: kept,
    };
  });
}
