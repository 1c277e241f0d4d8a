import type { Random } from "./random.ts";

const junk: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.NaN,
  "",
  "D",
  "km",
  "sum",
  "? = ?",
  "__proto__",
  "9".repeat(5_000),
  [],
  [[]],
  [null],
  {},
  { constructor: 1 },
  { toString: null },
  { length: 3 },
  { and: null },
  { or: [[]] },
  { type: null },
  { parameter: 1 },
  JSON.parse('{"__proto__": {"column_id": "km"}}'),
];

/** Returns a copy of a JSON value with an invalid value in one random place. */
export function spoil(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random.chance(0.15)) return random.pick(junk);
  if (Array.isArray(value)) {
    const index = random.below(value.length + 1);
    return [...value.slice(0, index), spoil(value[index], random), ...value.slice(index + 1)];
  }
  const member = random.pick([...Object.keys(value), "constructor", "other"]);
  return {
    ...value,
    [member]: spoil((value as Readonly<Record<string, unknown>>)[member], random),
  };
}
