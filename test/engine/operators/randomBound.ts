import type { BoundCode, BoundTest, BoundValue } from "../../../engine/expressions/boundValue.ts";
import { indexRows } from "../../../engine/joins/rowIndex.ts";
import { compilePeriodFloor, type PeriodFloor } from "../../../engine/time/periodFloor.ts";
import { readZone } from "../../../engine/time/zone.ts";
import { periods } from "../../../engine/types.ts";
import type { Random } from "../../support/random.ts";
import type { ColumnMaker, GeneratedColumn } from "./columnMaker.ts";
import { floors } from "./plainTwin.ts";

/** Generated columns, and lists of those that contain numbers, instants or stored codes. */
export interface GeneratedTable {
  readonly columns: readonly GeneratedColumn[];
  readonly numbers: readonly number[];
  readonly instants: readonly number[];
  readonly codes: readonly number[];
}

/** An upper bound on the stored codes in generated tables. */
export const cardinality = 40;

export function makeTable(maker: ColumnMaker, hasNulls = true): GeneratedTable {
  const columns = [
    maker.numbers(undefined, hasNulls),
    maker.numbers(undefined, hasNulls),
    maker.instants(hasNulls),
    maker.codes(cardinality, hasNulls),
    maker.codes(cardinality, hasNulls),
  ];
  return { columns, numbers: [0, 1], instants: [2], codes: [3, 4] };
}

const zones = [
  "UTC",
  "Europe/Brussels",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
];
const joined = { table: "j", name: "id", type: "number" as const };

/** Returns a random numeric expression over generated columns. */
export function randomValue(random: Random, table: GeneratedTable, depth = 2): BoundValue {
  const column = { kind: "column", column: random.pick(table.numbers) } as const;
  if (depth === 0) return column;
  const inner = () => randomValue(random, table, depth - 1);
  return random.pick<() => BoundValue>([
    () => column,
    () => ({ kind: "column", column: random.pick(table.instants) }),
    () => ({ kind: "literal", value: random.pick([NaN, 0, 0.1, -7]) }),
    () => ({
      kind: "byCode",
      column: random.pick(table.codes),
      values: numbersByCode(random),
    }),
    () => ({
      kind: "byNumber",
      of: inner(),
      base: random.below(5) - 3,
      values: Float64Array.from({ length: 50 }, () => random.pick([NaN, random.below(9) / 4])),
    }),
    () => {
      const values = Array.from(
        { length: 60 },
        (_, row) => row - 30 + (random.chance(0.01) ? 0.5 : 0),
      );
      return { kind: "rowOf", of: inner(), index: indexRows(Float64Array.from(values), joined) };
    },
    () => ({
      kind: "period",
      of: { kind: "column", column: random.pick(table.instants) },
      floor: randomFloor(random, table.columns[table.instants[0]]),
    }),
    () => ({
      kind: "bin",
      of: inner(),
      width: random.pick([1, 5, 0.25, 1000]),
      origin: random.pick([0, 2, -0.5]),
    }),
    () => ({
      kind: "case",
      branches: Array.from({ length: 1 + random.below(2) }, () => ({
        when: randomTest(random, table, depth - 1),
        then: inner(),
      })),
      otherwise: inner(),
    }),
    ...Array.from({ length: 4 }, () => () => randomCall(random, inner)),
    () => ({
      kind: "call",
      function: "datePart",
      of: [{ kind: "column", column: random.pick(table.instants) }],
      literals: ["year", "UTC"],
    }),
    () => {
      const inputs = table.codes.map((code) => ({
        name: `c${code}`,
        join: undefined,
        of: {
          kind: "text" as const,
          texts: Array.from({ length: cardinality }, (_, each) => `t${each % 7}`),
          textCount: cardinality,
          code: { kind: "byCode" as const, column: code },
        },
      }));
      const of = inputs.map(({ name }) => ({ kind: "column" as const, name }));
      return {
        kind: "rows",
        type: "number",
        expression: { kind: "call", function: "compare", of },
        inputs,
      };
    },
  ])();
}

const combining = ["add", "subtract", "multiply", "divide", "coalesce", "nullIf"];

/** Returns a call of a function of numbers. */
function randomCall(random: Random, inner: () => BoundValue): BoundValue {
  const constant = { kind: "literal", value: random.pick([0, -0, 0.1, -7, 1e300, NaN]) } as const;
  const part = () => (random.chance(0.3) ? constant : inner());
  const call = (name: string, ...of: BoundValue[]) =>
    ({ kind: "call", function: name, of }) as const;
  const digits = { kind: "literal", value: random.pick([0, 1, 2.5, 22, 23, -2]) } as const;
  return random.pick([
    () => call(random.pick(combining), part(), part()),
    () => call(random.pick(["coalesce", "least", "greatest"]), part(), part(), part()),
    () => call(random.pick(["abs", "negate", "floor", "ceil", "sqrt", "coalesce"]), inner()),
    () => call(random.pick(["round", "trunc"]), inner(), random.chance(0.8) ? digits : inner()),
  ])();
}

/** Returns a truncation that is compiled for the instants of a column, or for no instants. */
export function randomFloor(
  random: Random,
  column: GeneratedColumn,
  onlyNumbered = false,
): PeriodFloor {
  const instants = column.groups.flatMap((values) =>
    [...values].filter((value) => value === value),
  );
  const zone = random.pick(zones);
  for (;;) {
    const period = random.pick(periods);
    const floor: PeriodFloor =
      instants.length > 0 && (onlyNumbered || random.chance(0.8))
        ? compilePeriodFloor(
            readZone(zone),
            period,
            instants.reduce((least, value) => Math.min(least, value), Infinity),
            instants.reduce((most, value) => Math.max(most, value), -Infinity),
          )
        : { kind: "zone", zone: readZone(zone), period };
    floors.set(floor, { period, zone });
    const isLong = floor.kind !== "zone" && floor.count > 2 ** 20;
    if (!onlyNumbered || instants.length === 0 || (floor.kind !== "zone" && !isLong)) return floor;
  }
}

export function randomTest(random: Random, table: GeneratedTable, depth = 2): BoundTest {
  const left = () => randomValue(random, table, Math.min(depth, 1));
  const value = () => randomConstant(random, table);
  const leaves: readonly (() => BoundTest)[] = [
    () => ({
      kind: "lookupNumber",
      of: left(),
      base: random.below(5) - 3,
      passes: Uint8Array.from({ length: random.pick([1, 9, 50]) }, () => random.below(2)),
    }),
    () => ({
      kind: "compare",
      left: left(),
      operator: random.pick(["=", "<", "<=", ">", ">="] as const),
      value: value(),
    }),
    () => ({
      kind: "in",
      left: left(),
      values: new Set(
        Array.from({ length: random.pick([0, 1, 3, 8, 9, 30]) }, () =>
          random.chance(0.1) ? NaN : value(),
        ),
      ),
    }),
    () => ({ kind: "isNull", left: left() }),
    () => ({
      kind: "lookup",
      column: random.pick(table.codes),
      passes: randomPasses(random),
    }),
  ];
  if (depth === 0) return random.pick(leaves)();
  const parts = () =>
    Array.from({ length: random.below(4) }, () => randomTest(random, table, depth - 1));
  return random.pick<() => BoundTest>([
    ...leaves,
    () => ({ kind: "and", of: parts() }),
    () => ({ kind: "or", of: parts() }),
    () => ({ kind: "not", of: randomTest(random, table, depth - 1) }),
  ])();
}

/** Returns the set of codes that pass: random codes, a run of consecutive codes, or all codes except a run. */
function randomPasses(random: Random): Uint8Array {
  const kind = random.below(3);
  const low = random.below(cardinality + 1);
  const high = low + random.pick([0, 1, random.below(cardinality + 1)]);
  return Uint8Array.from({ length: cardinality }, (_, code) => {
    if (kind === 0) return random.below(2);
    return Number((low <= code && code < high) === (kind === 1));
  });
}

/**
 * Returns a constant that occurs in a column, or that differs from a value of the column by an hour, a day, a
 * millisecond or a hundredth.
 */
function randomConstant(random: Random, { columns, numbers, instants }: GeneratedTable): number {
  const { groups } = columns[random.pick([...numbers, ...instants])];
  const values = random.pick(groups);
  const value = values[random.below(values.length)];
  const near = value + random.pick([0, 0, 0, 1, -1, 0.001, 0.01, 86_400_000, -86_400_000, 1000]);
  return near === near ? near : random.below(40);
}

/** Returns a random expression whose codes are below `cardinality`. */
export function randomCode(random: Random, table: GeneratedTable, depth = 2): BoundCode {
  const codes = (length: number) => Uint32Array.from({ length }, () => random.below(cardinality));
  const column = random.pick(table.codes);
  const byColumn: readonly (() => BoundCode)[] = [
    () => ({ kind: "byCode", column }),
    () => ({ kind: "byCode", column, codes: codes(cardinality) }),
  ];
  if (depth === 0) return random.pick(byColumn)();
  return random.pick<() => BoundCode>([
    ...byColumn,
    () => ({ kind: "code", code: random.below(cardinality) }),
    () => ({
      kind: "byNumber",
      of: randomValue(random, table, depth - 1),
      base: random.below(5) - 2,
      codes: codes(30),
    }),
    () => ({
      kind: "case",
      branches: Array.from({ length: 1 + random.below(2) }, () => ({
        when: randomTest(random, table, depth - 1),
        then: randomCode(random, table, depth - 1),
      })),
      otherwise: randomCode(random, table, depth - 1),
    }),
  ])();
}

/** Returns a number for each code. A long table is larger than what a task copies for few rows. */
function numbersByCode(random: Random): Float64Array {
  const values = new Float64Array(random.chance(0.2) ? 20_000 : cardinality);
  for (let code = 0; code < cardinality; code++) values[code] = random.pick([NaN, random.below(9)]);
  return values;
}
