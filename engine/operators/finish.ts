import type { BoundGrouping, BoundKey, BoundPlan } from "../plan/boundPlan.ts";
import type { AggregateFunction } from "../types.ts";
import { periodStart } from "../time/periodFloor.ts";
import { filter } from "./filter.ts";
import { GroupHash, nullKey } from "./groupHash.ts";
import { gather, occupied, type LaneGroups } from "./group.ts";
import { sort } from "./sort.ts";
import { DistinctState, numberStates } from "./states.ts";

/** What the lanes of a query found, in lane order. */
export interface LaneResults {
  readonly groups: readonly LaneGroups[];
  readonly rows: readonly (readonly Float64Array[])[];
}

/** Merges lanes in their order, then having, order and limit. Returns a column of doubles per output: numbers with NaN, stored codes with 0 for null. */
export function finish(plan: BoundPlan, lanes: LaneResults): Float64Array[] {
  let columns = plan.grouping
    ? mergeGroups(plan.grouping, lanes.groups)
    : concatenate(plan.cells?.length ?? 0, lanes.rows);
  if (plan.having) {
    const mask = filter(plan.having, outputSource(columns));
    const rows = select(mask);
    columns = columns.map((column) => gather(column, rows));
  }
  const rowCount = columns[0].length;
  const start = plan.limit ? Math.min(plan.limit.offset, rowCount) : 0;
  const end = plan.limit ? Math.min(start + plan.limit.count, rowCount) : rowCount;
  if (plan.order.length === 0)
    return columns.map((column) => (end - start === rowCount ? column : column.slice(start, end)));
  const rows = sort(columns, plan.order, rowCount).subarray(start, end);
  return columns.map((column) => gather(column, rows));
}

/** Lists the rows whose byte is 1. */
export function select(mask: Uint8Array): Int32Array {
  let count = 0;
  for (let row = 0; row < mask.length; row++) count += mask[row];
  const rows = new Int32Array(count);
  for (let row = 0, next = 0; row < mask.length; row++) if (mask[row]) rows[next++] = row;
  return rows;
}

function outputSource(columns: readonly Float64Array[]) {
  return {
    rowCount: columns[0].length,
    numbers: (expression: { kind: string; column?: number }) => columns[expression.column ?? 0],
    codes: (column: number) => Int32Array.from(columns[column]),
  };
}

function concatenate(width: number, lanes: readonly (readonly Float64Array[])[]): Float64Array[] {
  return Array.from({ length: width }, (_, index) => {
    if (lanes.length === 1) return lanes[0][index];
    const whole = new Float64Array(lanes.reduce((sum, lane) => sum + lane[index].length, 0));
    let offset = 0;
    for (const lane of lanes) {
      whole.set(lane[index], offset);
      offset += lane[index].length;
    }
    return whole;
  });
}

function mergeGroups(grouping: BoundGrouping, lanes: readonly LaneGroups[]): Float64Array[] {
  const hash = new GroupHash(grouping.keys.length);
  const targets = lanes.map((lane) =>
    grouping.mode === "direct"
      ? lane.ids
      : Int32Array.from({ length: lane.groupCount }, (_, row) => hash.find(lane.keys, row)),
  );
  const capacity = grouping.mode === "direct" ? grouping.groupCapacity : hash.count;
  let nextDistinct = 0;
  const states = grouping.states.map((state, index) => {
    if (state.function === "distinct") {
      const place = nextDistinct++;
      const merged = new DistinctState(state, grouping.groupCapacity);
      lanes.forEach((lane, number) =>
        merged.merge(lane.distincts[place], grouping.mode === "hash" ? targets[number] : undefined),
      );
      return merged.counts(capacity);
    }
    const { initial, merge } = numberStates[state.function];
    const merged = new Float64Array(capacity).fill(initial);
    lanes.forEach((lane, number) => merge(merged, targets[number], lane.states[index]));
    return merged;
  });
  const ids =
    grouping.keys.length === 0
      ? new Int32Array(1)
      : grouping.mode === "direct"
        ? occupied(states[0])
        : undefined;
  const picked = ids ? states.map((state) => gather(state, ids)) : states;
  const keys = ids
    ? directKeys(grouping.keys, ids)
    : hash.keys().map((column) => column.map((value) => (value === nullKey ? NaN : value)));
  return grouping.outputs.map((output) => {
    if (output.kind === "key") return keys[output.key];
    const values = results[output.function](output.states.map((state) => picked[state]));
    return output.codesByRank ? toCodes(values, output.codesByRank) : values;
  });
}

/** Makes an aggregate of its states; a sum beyond the doubles is null. */
const results: Readonly<
  Record<AggregateFunction, (states: readonly Float64Array[]) => Float64Array>
> = {
  rows: ([rows]) => rows,
  count: ([count]) => count,
  sum: ([sum, count]) =>
    sum.map((value, group) => (count[group] > 0 && Number.isFinite(value) ? value + 0 : NaN)),
  average: ([sum, count]) =>
    sum.map((value, group) =>
      count[group] > 0 && Number.isFinite(value) ? value / count[group] + 0 : NaN,
    ),
  min: ([least]) => least.map((value) => value + 0),
  max: ([greatest]) => greatest.map((value) => value + 0),
  distinctcount: ([count]) => count,
};

function toCodes(ranks: Float64Array, codesByRank: Int32Array): Float64Array {
  return ranks.map((rank) => (rank === rank ? codesByRank[rank] + 1 : 0));
}

function directKeys(keys: readonly BoundKey[], ids: Int32Array): Float64Array[] {
  let stride = 1;
  return keys.map((key) => {
    const cardinality = key.kind === "value" ? 1 : key.cardinality;
    const column = new Float64Array(ids.length);
    for (let index = 0; index < ids.length; index++)
      column[index] = valueOf(key, Math.floor(ids[index] / stride) % cardinality);
    stride *= cardinality;
    return column;
  });
}

function valueOf(key: BoundKey, number: number): number {
  if (key.kind === "text") return number;
  if (key.kind === "period") return periodStart(key.floor, number);
  return number === 0 || key.kind === "value" ? NaN : key.base + number - 1;
}
