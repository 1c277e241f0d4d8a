import type { BoundKey } from "../../../engine/plan/boundPlan.ts";
import type { NumberedKey } from "../../../engine/operators/keys/numbering.ts";
import { periodDayTable } from "../../../engine/time/periodDayTable.ts";
import { periodStart } from "../../../engine/time/periodFloor.ts";
import type { Random } from "../../support/random.ts";
import type { GeneratedColumn } from "./columnMaker.ts";
import { floors, plainCode, plainValue, start, type PlainRow } from "./plainTwin.ts";
import { cardinality, randomCode, randomFloor, type GeneratedTable } from "./randomBound.ts";

const dayMs = 86_400_000;

/** Returns a random key with numbered values: strings, whole numbers, bins of whole numbers, or periods. */
export function randomKey(random: Random, table: GeneratedTable): NumberedKey {
  return random.pick<() => NumberedKey>([
    () => ({ kind: "text", code: randomCode(random, table), cardinality }),
    () => ({ kind: "text", code: randomCode(random, table, 0), cardinality }),
    () => wholeKey(table.columns, random.pick(table.numbers)),
    () => binKey(random, table),
    () => ({
      kind: "whole",
      of: {
        kind: "byCode",
        column: random.pick(table.codes),
        values: Float64Array.from({ length: cardinality }, () =>
          random.chance(0.2) ? NaN : random.below(6) - 3,
        ),
      },
      base: -3,
      decimals: 0,
      cardinality: 7,
    }),
    () => periodKey(random, table),
    () => periodKey(random, table),
  ])();
}

/** Returns the key of a column of numbers with at most three decimals. */
export function wholeKey(
  columns: readonly GeneratedColumn[],
  column: number,
): Extract<BoundKey, { kind: "whole" }> {
  const { groups, segments } = columns[column];
  const decimals = segments.reduce((most, segment) => Math.max(most, segment.decimals), 0);
  let least = Infinity;
  let most = -Infinity;
  for (const values of groups)
    for (const value of values) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
  const unit = 10 ** decimals;
  const base = most >= least ? Math.round(least * unit) : 0;
  const last = most >= least ? Math.round(most * unit) : 0;
  const isWhole = segments.every((segment) => segment.form === "null" || segment.decimals >= 0);
  return {
    kind: "whole",
    of: { kind: "column", column },
    base,
    decimals,
    cardinality: isWhole ? last - base + 2 : Infinity,
  };
}

/** Returns a key of bins over a column of numbers. The width and the origin of the bins are whole. */
function binKey(random: Random, { columns, numbers }: GeneratedTable): NumberedKey {
  const key = wholeKey(columns, random.pick(numbers));
  const unit = 10 ** key.decimals;
  const width = random.pick([2, 7, 1000]);
  const origin = random.below(9) - 4;
  const floor = (value: number) => origin + Math.floor((value - origin) / width) * width;
  const base = floor(key.base / unit);
  const last = floor((key.base + key.cardinality - 2) / unit);
  return {
    kind: "whole",
    of: { kind: "bin", of: key.of, width, origin },
    base,
    decimals: 0,
    step: width,
    cardinality: (last - base) / width + 2,
  };
}

function periodKey(random: Random, table: GeneratedTable): NumberedKey {
  const [column] = table.instants;
  const made = table.columns[column];
  const floor = randomFloor(random, made, true);
  if (floor.kind === "zone") return { kind: "text", code: { kind: "code", code: 0 }, cardinality };
  let least = Infinity;
  let most = -Infinity;
  for (const values of made.groups)
    for (const value of values) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
  const firstDay = Math.floor(least / dayMs);
  const days = periodDayTable(floor, firstDay, Math.floor(most / dayMs) - firstDay + 1);
  return {
    kind: "period",
    of: { kind: "column", column },
    floor,
    cardinality: floor.count + 1,
    ...(days && random.chance(0.7) && { days: { firstDay, table: days } }),
  };
}

/** Returns whether the product of the keys' cardinalities is small enough for an array of groups. */
export const isSmall = (keys: readonly NumberedKey[], limit = 2 ** 31) =>
  keys.reduce((product, key) => product * key.cardinality, 1) < limit;

/** Returns the combined number of a row's keys. The first key varies fastest. */
export function numberOf(keys: readonly NumberedKey[], at: PlainRow): number {
  let stride = 1;
  let sum = 0;
  for (const key of keys) {
    sum += stride * keyNumber(key, at);
    stride *= key.cardinality;
  }
  return sum;
}

function keyNumber(key: NumberedKey, at: PlainRow): number {
  if (key.kind === "text") return plainCode(key.code, at);
  const value = plainValue(key.of, at);
  if (Number.isNaN(value)) return 0;
  if (key.kind === "whole")
    return (Math.round(value * 10 ** key.decimals) - key.base) / (key.step ?? 1) + 1;
  const { period, zone } = floors.get(key.floor)!;
  return startsOf(key).get(start(value, period, zone))!;
}

const numbers = new WeakMap<NumberedKey, Map<number, number>>();

/** Returns a map from the start of each period to its number. The requested range may start within the first period. */
function startsOf(key: Extract<NumberedKey, { kind: "period" }>): Map<number, number> {
  const known = numbers.get(key);
  if (known) return known;
  const starts = new Map<number, number>();
  for (let number = 1; number < key.cardinality; number++)
    starts.set(periodStart(key.floor, number), number);
  numbers.set(key, starts);
  return starts;
}
