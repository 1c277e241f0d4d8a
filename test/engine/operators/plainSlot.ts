import assert from "node:assert/strict";
import type { NumberedKey } from "../../../engine/operators/keys/numbering.ts";
import type { Arena } from "../../../engine/operators/task/arena.ts";
import type { BoundGrouping, Slot, Summand } from "../../../engine/plan/boundPlan.ts";
import { slotBytes } from "../../../engine/plan/stateLayout.ts";
import { plainValue, type PlainRow } from "./plainTwin.ts";
import { numberOf } from "./randomKey.ts";

/**
 * An expected double in a slot's state. `slack` is the maximum rounding error of a sum of doubles. It follows from the
 * magnitude of the added values.
 */
interface Expected {
  readonly value: number;
  readonly slack: number;
}

/** Returns the expected state of a slot for the rows of one group. */
export function plainSlot(slot: Slot, rows: readonly PlainRow[]): readonly Expected[] {
  switch (slot.kind) {
    case "rows":
      return [exactly(rows.length), exactly(0)];
    case "rowsSum":
      return [exactly(rows.length), sum(slot.right, rows, slot.isExact)];
    case "count":
      return [exactly(present({ of: slot.of, decimals: -1 }, rows).length), anything];
    case "countSum":
      return [exactly(present(slot.right, rows).length), sum(slot.right, rows, slot.isExact)];
    case "pair":
      return [sum(slot.left, rows, slot.isExact), sum(slot.right, rows, slot.isExact)];
    case "extent": {
      const values = present(slot.of, rows);
      const least = values.reduce((low, value) => Math.min(low, value), Infinity);
      const most = values.reduce((high, value) => Math.max(high, value), -Infinity);
      return [exactly(least), exactly(-most)];
    }
    case "variance": {
      const values = present({ of: slot.of, decimals: -1 }, rows);
      const mean = values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);
      const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
      const size = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      return [
        exactly(values.length),
        { value: mean, slack: size * 1e-12 },
        { value: squares, slack: size * size * values.length * 1e-12 },
        exactly(0),
      ];
    }
    case "covariance": {
      const pairs = rows
        .map((at) => [plainValue(slot.left, at), plainValue(slot.right, at)] as const)
        .filter(([left, right]) => left === left && right === right);
      const [left, right] = [0, 1].map((side) => {
        const values = pairs.map((pair) => pair[side]);
        const mean = values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);
        const size = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        return { differences: values.map((value) => value - mean), mean, size };
      });
      const products = (one: typeof left, other: typeof left): Expected => ({
        value: one.differences.reduce((sum, each, at) => sum + each * other.differences[at], 0),
        slack: one.size * other.size * pairs.length * 1e-12,
      });
      return [
        exactly(pairs.length),
        products(left, right),
        { value: left.mean, slack: left.size * 1e-12 },
        { value: right.mean, slack: right.size * 1e-12 },
        products(left, left),
        products(right, right),
      ];
    }
  }
}

/** Returns whether a double of a state is within its expected bounds. */
export const near = (found: number, { value, slack }: Expected): boolean =>
  found === value || Math.abs(found - value) <= slack;

/** An expected double that accepts any value. */
const anything: Expected = { value: 0, slack: Infinity };
const exactly = (value: number): Expected => ({ value, slack: 0 });

function present({ of, decimals }: Summand, rows: readonly PlainRow[]): number[] {
  return rows
    .map((at) => plainValue(of, at))
    .filter((value) => value === value)
    .map((value) => (decimals > 0 ? Math.round(value * 10 ** decimals) : value));
}

function sum(summand: Summand, rows: readonly PlainRow[], isExact: boolean): Expected {
  const values = present(summand, rows);
  const total = values.reduce((added, value) => added + value, 0);
  const size = values.reduce((added, value) => added + Math.abs(value), 0);
  return { value: total, slack: isExact ? 0 : size * values.length * 2 ** -52 };
}

/** Asserts that a slot's state in each group equals the state that plain code computes from the group's rows. */
export function checkSlot(
  arena: Arena,
  address: number,
  slot: Slot,
  rows: readonly PlainRow[],
  { capacity, keys }: Pick<BoundGrouping, "capacity" | "keys">,
): void {
  const byGroup = new Map<number, PlainRow[]>();
  for (const at of rows) {
    const number = numberOf(keys as NumberedKey[], at);
    const members = byGroup.get(number);
    if (members) members.push(at);
    else byGroup.set(number, [at]);
  }
  const width = slotBytes(slot) / 8;
  for (let group = 0; group < capacity; group++) {
    const from = address / 8 + group * width;
    const found = Array.from(arena.f64.subarray(from, from + width));
    const expected = plainSlot(slot, byGroup.get(group) ?? []);
    const isRight = found.every((value, lane) => near(value, expected[lane]));
    if (!isRight) assert.deepEqual(found, expected, `${slot.kind} of group ${group}`);
  }
}
