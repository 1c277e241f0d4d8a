import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { monthStart } from "./monthStart.ts";

/**
 * The name of the function that reads a text as an instant; the reader loads what it needs when a statement names it.
 */
export const instantFunction = "manifold_instant";

/** Reads a datetime as milliseconds since 1970; undefined for another text. */
export type ReadInstant = (text: string) => number | undefined;

/** The names of the functions that `addFunctions` adds. */
export const addedFunctions: ReadonlySet<string> = new Set([
  "manifold_number",
  instantFunction,
  "manifold_months",
  "manifold_holds",
  "manifold_begins",
  "manifold_ends",
  "manifold_stddev",
]);

type Scalar = (...values: readonly SQLInputValue[]) => SQLInputValue;

/**
 * Adds the functions that statements of this connector call, for what SQLite cannot say exactly: they run in the reader
 * process, a row at a time, about 0.2 µs each. Null gives null.
 */
export function addFunctions(database: DatabaseSync, readInstant: ReadInstant): void {
  const functions: Readonly<Record<string, Scalar>> = {
    manifold_number: numberOf,
    [instantFunction]: createInstant(readInstant),
    manifold_months: (instant, months) =>
      typeof instant === "number" ? monthStart(instant, Number(months)) : null,
    manifold_holds: createMatch((part) => part),
    manifold_begins: createMatch((part) => `^${part}`),
    manifold_ends: createMatch((part) => `${part}$`),
  };
  for (const [name, run] of Object.entries(functions))
    database.function(name, { deterministic: true, useBigIntArguments: true }, run);
  database.aggregate<Float64Array>("manifold_stddev", {
    start: () => new Float64Array(6),
    step(state, value) {
      if (typeof value === "number") {
        addTo(state, 0, value);
        addTo(state, 3, value * tiny);
      }
      return state;
    },
    result: (state) => deviationOf(state, 0) ?? deviationOf(state, 3, tiny),
  });
}

/** Values times this power of two keep their bits, and their squares are doubles. */
const tiny = 2 ** -560;

/** As SQLite converts a text for a numeric column: white space of ASCII around a decimal number, nothing else. */
const numberText = /^[ \t\n\v\f\r]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[ \t\n\v\f\r]*$/;

function numberOf(text: SQLInputValue | undefined): number | null {
  const value = Number(numberText.exec(String(text))?.[1] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}

/** A statement names an instant several times a row, so the last one is kept. */
function createInstant(readInstant: ReadInstant): Scalar {
  let known: string | undefined;
  let instant: number | null = null;
  return (text) => {
    if (typeof text !== "string") return null;
    if (text !== known) {
      known = text;
      instant = plainInstant(text) ?? readInstant(text) ?? null;
    }
    return instant;
  };
}

/**
 * Reads the two forms that SQLite writes, `YYYY-MM-DD` and `YYYY-MM-DD HH:MM:SS`, without a regular expression: a third
 * of the time. Undefined for other texts, and for days that not every month has.
 */
function plainInstant(text: string): number | undefined {
  const { length } = text;
  if (length !== 10 && (length !== 19 || (text[10] !== " " && text[10] !== "T"))) return undefined;
  if (text[4] !== "-" || text[7] !== "-") return undefined;
  const year = digits(text, 0) * 100 + digits(text, 2);
  const month = digits(text, 5);
  const day = digits(text, 8);
  // `Date.UTC` takes the years 0 to 99 for those of the 20th century.
  if (!(year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28)) return undefined;
  const midnight = Date.UTC(year, month - 1, day);
  if (length === 10) return midnight;
  if (text[13] !== ":" || text[16] !== ":") return undefined;
  const hour = digits(text, 11);
  const minute = digits(text, 14);
  const second = digits(text, 17);
  if (!(hour < 24 && minute < 60 && second < 60)) return undefined;
  return midnight + hour * 3_600_000 + minute * 60_000 + second * 1000;
}

/** The number of two digits; NaN for other characters. */
function digits(text: string, at: number): number {
  const [ten, one] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return ten >= 0 && ten <= 9 && one >= 0 && one <= 9 ? ten * 10 + one : Number.NaN;
}

/** The flags `iu` compare by simple case folding (ECMA-262, Canonicalize). */
function createMatch(patternOf: (escaped: string) => string): Scalar {
  let known: { readonly part: string; readonly pattern: RegExp } | undefined;
  return (text, part) => {
    if (typeof text !== "string" || typeof part !== "string") return null;
    if (known?.part !== part)
      known = { part, pattern: new RegExp(patternOf(RegExp.escape(part)), "iu") };
    return known.pattern.test(text) ? 1 : 0;
  };
}

/** Adds a value to a count, a mean and the squares of distances from it, by Welford's method. */
function addTo(state: Float64Array, at: number, value: number): void {
  const count = state[at]! + 1;
  const distance = value - state[at + 1]!;
  state[at] = count;
  state[at + 1]! += distance / count;
  state[at + 2]! += distance * (value - state[at + 1]!);
}

/** The standard deviation of a sample; null for one value, and beyond the doubles. */
function deviationOf(state: Float64Array, at: number, scale = 1): number | null {
  const deviation = Math.sqrt(state[at + 2]! / (state[at]! - 1)) / scale;
  return state[at]! > 1 && Number.isFinite(deviation) ? deviation : null;
}
