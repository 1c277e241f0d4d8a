import { rowGroupSize } from "../column/segment.ts";
import type { BoundArgument, BoundGrouping, BoundKey } from "../plan/boundPlan.ts";
import { numberPeriods } from "../time/periodFloor.ts";
import { GroupHash, nullKey } from "./groupHash.ts";
import type { ValueSource } from "./rowGroupReader.ts";
import { DistinctState, numberStates, type DistinctPairs } from "./states.ts";

/** The groups of a lane. In direct mode `ids` are their numbers and `keys` is empty; in hash mode `keys` are their key values. */
export interface LaneGroups {
  readonly groupCount: number;
  readonly ids: Int32Array;
  readonly keys: readonly Float64Array[];
  /** One array per number state, in the plan's order; empty in the place of a distinct state. */
  readonly states: readonly Float64Array[];
  readonly distincts: readonly DistinctPairs[];
}

/** Folds rows into groups, one lane of a query. */
export class GroupFold {
  readonly #grouping: BoundGrouping;
  readonly #hash: GroupHash;
  readonly #groups = new Int32Array(rowGroupSize);
  readonly #numbers = new Int32Array(rowGroupSize);
  readonly #values: Float64Array[];
  readonly #argument = new Float64Array(rowGroupSize);
  readonly #states: Float64Array[];
  readonly #distincts: (DistinctState | undefined)[];

  constructor(grouping: BoundGrouping) {
    this.#grouping = grouping;
    this.#hash = new GroupHash(grouping.keys.length);
    this.#values =
      grouping.mode === "hash" ? grouping.keys.map(() => new Float64Array(rowGroupSize)) : [];
    this.#states = grouping.states.map((state) =>
      state.function === "distinct"
        ? new Float64Array(0)
        : new Float64Array(grouping.groupCapacity).fill(numberStates[state.function].initial),
    );
    this.#distincts = grouping.states.map((state) =>
      state.function === "distinct" ? new DistinctState(state, grouping.groupCapacity) : undefined,
    );
  }

  /** Folds the selected rows of a source; without a selection, all. */
  fold(source: ValueSource, selection: Int32Array | undefined): void {
    const rowCount = selection ? selection.length : source.rowCount;
    const groups = this.#groups;
    if (this.#grouping.mode === "direct") this.#number(source, selection, rowCount);
    else {
      this.#grouping.keys.forEach((key, index) =>
        readKey(key, source, selection, rowCount, this.#values[index]),
      );
      for (let row = 0; row < rowCount; row++) groups[row] = this.#hash.find(this.#values, row);
      this.#reserve();
    }
    this.#grouping.states.forEach((state, index) => {
      const values = state.argument
        ? readArgument(state.argument, source, selection, rowCount, this.#argument)
        : this.#argument;
      if (state.function === "distinct") this.#distincts[index]?.fold(groups, values, rowCount);
      else numberStates[state.function].fold(this.#states[index], groups, values, rowCount);
    });
  }

  finish(): LaneGroups {
    const distincts = this.#distincts.flatMap((state) => (state ? [state.pairs()] : []));
    if (this.#grouping.mode === "hash") {
      const groupCount = this.#hash.count;
      const states = this.#states.map((state) => state.slice(0, groupCount));
      return { groupCount, ids: new Int32Array(0), keys: this.#hash.keys(), states, distincts };
    }
    const ids = occupied(this.#states[0]);
    const states = this.#states.map((state) => (state.length ? gather(state, ids) : state));
    return { groupCount: ids.length, ids, keys: [], states, distincts };
  }

  #number(source: ValueSource, selection: Int32Array | undefined, rowCount: number): void {
    const groups = this.#groups;
    groups.fill(0, 0, rowCount);
    let stride = 1;
    for (const key of this.#grouping.keys) {
      if (key.kind === "value") continue;
      const numbers = numberKey(key, source, this.#numbers);
      if (selection)
        for (let row = 0; row < rowCount; row++) groups[row] += numbers[selection[row]] * stride;
      else for (let row = 0; row < rowCount; row++) groups[row] += numbers[row] * stride;
      stride *= key.cardinality;
    }
  }

  #reserve(): void {
    const groupCount = this.#hash.count;
    this.#grouping.states.forEach((state, index) => {
      const present = this.#states[index];
      if (state.function === "distinct" || present.length >= groupCount) return;
      const grown = new Float64Array(Math.max(1024, groupCount * 2)).fill(
        numberStates[state.function].initial,
      );
      grown.set(present);
      this.#states[index] = grown;
    });
  }
}

/** Lists the groups that have rows. */
export function occupied(rows: Float64Array): Int32Array {
  let count = 0;
  for (let group = 0; group < rows.length; group++) if (rows[group] > 0) count++;
  const ids = new Int32Array(count);
  for (let group = 0, next = 0; group < rows.length; group++)
    if (rows[group] > 0) ids[next++] = group;
  return ids;
}

/** Picks `values[indices[i]]`. */
export function gather(values: Float64Array, indices: Int32Array | Uint32Array): Float64Array {
  const picked = new Float64Array(indices.length);
  for (let index = 0; index < indices.length; index++) picked[index] = values[indices[index]];
  return picked;
}

function numberKey(
  key: Exclude<BoundKey, { kind: "value" }>,
  source: ValueSource,
  numbers: Int32Array,
): Int32Array {
  if (key.kind === "text") return source.codes(key.column);
  if (key.kind === "period") {
    numberPeriods(key.floor, source.numbers(key.of), source.rowCount, numbers);
    return numbers;
  }
  const values = source.numbers({ kind: "column", column: key.column });
  for (let row = 0; row < source.rowCount; row++)
    numbers[row] = values[row] === values[row] ? values[row] - key.base + 1 : 0;
  return numbers;
}

function readKey(
  key: BoundKey,
  source: ValueSource,
  selection: Int32Array | undefined,
  rowCount: number,
  into: Float64Array,
): void {
  if (key.kind === "text") {
    const codes = source.codes(key.column);
    for (let row = 0; row < rowCount; row++) into[row] = codes[selection ? selection[row] : row];
    return;
  }
  const of =
    key.kind === "whole"
      ? ({ kind: "column", column: key.column } as const)
      : key.kind === "period"
        ? expressionOf(key)
        : key.of;
  const values = source.numbers(of);
  for (let row = 0; row < rowCount; row++) {
    const value = values[selection ? selection[row] : row];
    into[row] = value === value ? value + 0 : nullKey;
  }
}

const expressions = new WeakMap<
  object,
  {
    kind: "period";
    of: Extract<BoundKey, { kind: "period" }>["of"];
    floor: Extract<BoundKey, { kind: "period" }>["floor"];
  }
>();

/** The expression of a period key, one object a key so that a reader computes it once. */
function expressionOf(key: Extract<BoundKey, { kind: "period" }>) {
  let expression = expressions.get(key);
  if (!expression)
    expressions.set(key, (expression = { kind: "period", of: key.of, floor: key.floor }));
  return expression;
}

function readArgument(
  argument: BoundArgument,
  source: ValueSource,
  selection: Int32Array | undefined,
  rowCount: number,
  into: Float64Array,
): Float64Array {
  if (argument.kind === "number") {
    const values = source.numbers(argument.of);
    if (!selection) return values;
    for (let row = 0; row < rowCount; row++) into[row] = values[selection[row]];
    return into;
  }
  const codes = source.codes(argument.column);
  const ranks = argument.kind === "rank" ? argument.ranks : undefined;
  for (let row = 0; row < rowCount; row++) {
    const stored = codes[selection ? selection[row] : row];
    into[row] = stored === 0 ? NaN : ranks ? ranks[stored - 1] : stored;
  }
  return into;
}
