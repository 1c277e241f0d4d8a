import type { BoundOrder } from "../../plan/boundPlan.ts";
import type { GroupLimit } from "../../types.ts";
import { inSteps } from "../task/inSteps.ts";
import { createNumbers } from "./leadingRows.ts";
import { gather, sort, weigh, weighRows } from "./sort.ts";

/** Maximum number of rows per group that `createGroupLeaders` keeps. For more rows, sorting is faster. */
const mostLeaders = 8;

/** The rows that a group limit keeps, collected without sorting. */
export interface GroupLeaders {
  /**
   * Adds the first `rowCount` rows of columns. `groups` are the numbers of their groups, if the number of groups was
   * given. O(rows * outputs of the limit).
   */
  add(columns: readonly Float64Array[], rowCount: number, groups?: Uint32Array): void;
  /**
   * Of each group, the weight of the last kept row in the first part of the order; Infinity while the group has too few
   * rows. Rows of a greater weight would not be kept. Changes with `add`.
   */
  readonly worst: Float64Array;
  /** Number of rows that have been added. */
  readonly addedCount: number;
  /**
   * Returns the kept rows in the order in which they were added, with their positions among all added rows, and forgets
   * them.
   */
  take(): { readonly rows: Float64Array<ArrayBuffer>[]; readonly positions: Float64Array };
}

/**
 * Collects for each group the first rows in the order of a plan, including those before the limit's offset. Of rows
 * that are equal in the order, earlier ones are first. With `groupCount`, `add` receives the numbers of groups, which
 * are below it. Undefined if the limit keeps more than 8 rows per group.
 */
export function createGroupLeaders(
  { outputs, count, offset }: GroupLimit,
  order: readonly BoundOrder[],
  columnCount: number,
  groupCount?: number,
): GroupLeaders | undefined {
  const wanted = offset + count;
  const [first] = order;
  if (wanted === 0 || wanted > mostLeaders || !first) return undefined;
  let numbers = createNumbers(outputs.length);
  let kept = Array.from({ length: columnCount }, () => new Float64Array(0));
  /** The position of each kept row among all rows. */
  let positions = new Float64Array(0);
  let keptCount = 0;
  let addedCount = 0;
  let counts = new Uint8Array(0);
  /**
   * Of each group, the places of `wanted` kept rows, and their weights in the first part of the order. If a group has
   * all of them, the last of these rows is first.
   */
  let places = new Uint32Array(0);
  let weights = new Float64Array(0);
  /** Of each group, the weight of the last of its rows. Infinite until the group has all of them. */
  let worst = new Float64Array(0);
  /** The weights of the rows that are being added, and the rows that are not after the last row of their group. */
  let weighed = new Float64Array(0);
  let candidates = new Uint32Array(0);

  const reserve = (rowCount: number): void => {
    const length = Math.max(rowCount, keptCount * 2, 1024);
    const grown = (column: Float64Array) => {
      const longer = new Float64Array(length);
      longer.set(column.subarray(0, keptCount));
      return longer;
    };
    kept = kept.map(grown);
    positions = grown(positions);
  };
  const reserveGroups = (groupCount: number): void => {
    const length = Math.max(groupCount, counts.length * 2, 1024);
    const [oldCounts, oldPlaces, oldWeights] = [counts, places, weights];
    counts = new Uint8Array(length);
    counts.set(oldCounts);
    places = new Uint32Array(length * wanted);
    places.set(oldPlaces);
    weights = new Float64Array(length * wanted);
    weights.set(oldWeights);
    const oldWorst = worst;
    worst = new Float64Array(length).fill(Infinity, oldWorst.length);
    worst.set(oldWorst);
  };
  const weightAt = (
    { output, descending, ranks }: BoundOrder,
    columns: readonly Float64Array[],
    row: number,
  ): number => weigh(columns[output][row], descending, ranks);
  /** Compares two rows, of which the second is kept, by all parts of the order but the first. */
  const comparesLess = (columns: readonly Float64Array[], row: number, place: number): boolean => {
    for (let part = 1; part < order.length; part++) {
      const one = weightAt(order[part], columns, row);
      const other = weightAt(order[part], kept, place);
      if (one !== other) return one < other;
    }
    return columns === kept && positions[row] < positions[place];
  };
  const write = (columns: readonly Float64Array[], row: number, place: number): void => {
    for (let column = 0; column < columnCount; column++) kept[column][place] = columns[column][row];
    positions[place] = addedCount + row;
  };
  /** Moves the last of a full group's rows to the front of its places. */
  const findWorst = (group: number): void => {
    const from = group * wanted;
    let last = from;
    let weight = weights[last];
    for (let each = from + 1; each < from + wanted; each++) {
      const other = weights[each];
      if (weight > other) continue;
      if (weight === other && !comparesLess(kept, places[last], places[each])) continue;
      last = each;
      weight = other;
    }
    const place = places[last];
    places[last] = places[from];
    weights[last] = weights[from];
    places[from] = place;
    weights[from] = weight;
    worst[group] = weight;
  };
  /** Adds one of the weighed rows. Takes no weight, because V8 allocates doubles that are passed to functions. */
  const addRow = (columns: readonly Float64Array[], row: number, group: number): void => {
    const from = group * wanted;
    const count = counts[group];
    if (count < wanted) {
      write(columns, row, keptCount);
      places[from + count] = keptCount++;
      weights[from + count] = weighed[row];
      counts[group] = count + 1;
      if (count + 1 === wanted) findWorst(group);
      return;
    }
    const place = places[from];
    if (weighed[row] === weights[from] && !comparesLess(columns, row, place)) return;
    write(columns, row, place);
    weights[from] = weighed[row];
    findWorst(group);
  };
  if (groupCount !== undefined) reserveGroups(groupCount);
  const numberRows = (columns: readonly Float64Array[], rowCount: number): Uint32Array => {
    const groups = numbers.add(
      outputs.map((output) => columns[output]),
      rowCount,
    );
    if (numbers.count > counts.length) reserveGroups(numbers.count);
    return groups;
  };
  return {
    get addedCount() {
      return addedCount;
    },
    get worst() {
      return worst;
    },
    add(columns, rowCount, given) {
      const groups = given ?? numberRows(columns, rowCount);
      if (keptCount + rowCount > positions.length) reserve(keptCount + rowCount);
      if (rowCount > weighed.length) {
        weighed = new Float64Array(rowCount);
        candidates = new Uint32Array(rowCount);
      }
      inSteps(rowCount, (from, to) => {
        weighRows(columns[first.output], first, weighed, from, to);
        const count = findCandidates(groups, weighed, worst, candidates, from, to);
        for (let each = 0; each < count; each++) {
          const row = candidates[each];
          const group = groups[row];
          // An earlier candidate may have replaced the last row of the group.
          if (weighed[row] <= worst[group]) addRow(columns, row, group);
        }
      });
      addedCount += rowCount;
    },
    take() {
      const byPosition: BoundOrder = { output: 0, descending: false };
      const rows = sort([positions.subarray(0, keptCount)], [byPosition], keptCount);
      const taken = {
        rows: kept.map((column) => gather(column, rows)),
        positions: gather(positions, rows),
      };
      numbers = createNumbers(outputs.length);
      keptCount = 0;
      addedCount = 0;
      counts.fill(0);
      worst.fill(Infinity);
      return taken;
    },
  };
}

/**
 * Lists the rows whose weight is at most the worst of their group. Most rows come after the kept rows of their group,
 * so the loop has no branches that depend on the rows. This is a separate function, because V8 reads parameters faster
 * than variables of closures.
 */
function findCandidates(
  groups: Uint32Array,
  weighed: Float64Array,
  worst: Float64Array,
  candidates: Uint32Array,
  from: number,
  to: number,
): number {
  let count = 0;
  for (let row = from; row < to; row++) {
    candidates[count] = row;
    count += weighed[row] <= worst[groups[row]] ? 1 : 0;
  }
  return count;
}
