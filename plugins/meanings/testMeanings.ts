import { compareValues, meaningOf, type Meaning } from "./meaning.ts";
import type { Value } from "./value.ts";

const compare = (passes: (order: number) => boolean): Meaning =>
  meaningOf((one: Value, other: Value) => passes(compareValues(one, other)));

/**
 * Creates a function that tests a string with a regular expression. Its flags `iu` compare by simple case folding
 * (ECMA-262, Canonicalize).
 */
const matches = (source: (escaped: string) => string): Meaning =>
  meaningOf((text: string, part: string) =>
    new RegExp(source(RegExp.escape(part)), "iu").test(text),
  );

const isSame = (one: Value, other: Value): boolean =>
  one !== null && other !== null && compareValues(one, other) === 0;

/** The functions that test values, and the functions that select a value. */
export const testMeanings = {
  and: (args) => args.every((each) => each === true),
  or: (args) => args.includes(true),
  not: meaningOf((test: boolean) => !test),
  isNull: meaningOf((value: Value) => value === null),
  equal: compare((order) => order === 0),
  less: compare((order) => order < 0),
  lessOrEqual: compare((order) => order <= 0),
  greater: compare((order) => order > 0),
  greaterOrEqual: compare((order) => order >= 0),
  between: meaningOf(
    (value: Value, low: Value, high: Value) =>
      compareValues(value, low) >= 0 && compareValues(value, high) <= 0,
  ),
  in: ([value = null, ...constants]) =>
    value === null ? constants.includes(null) : constants.some((each) => isSame(value, each)),
  contains: matches((part) => part),
  startsWith: matches((part) => `^${part}`),
  endsWith: matches((part) => `${part}$`),
  case: (args) => choose(args, (test) => test === true),
  switch: ([operand = null, ...rest]) => choose(rest, (key) => isSame(operand, key)),
  coalesce: (args) => args.find((each) => each !== null) ?? null,
  nullIf: meaningOf((one: Value, other: Value) => (isSame(one, other) ? null : one)),
  greatest: (args) => args.reduce((most, each) => (compareValues(each, most) > 0 ? each : most)),
  least: (args) => args.reduce((most, each) => (compareValues(each, most) < 0 ? each : most)),
} as const satisfies Readonly<Record<string, Meaning>>;

/**
 * Returns the value that follows the first key for which `takes` returns true. If there is no such key, returns the
 * last value.
 */
function choose(args: readonly Value[], takes: (key: Value) => boolean): Value {
  for (let index = 0; index + 1 < args.length; index += 2)
    if (takes(args[index] ?? null)) return args[index + 1] ?? null;
  return args.at(-1) ?? null;
}
