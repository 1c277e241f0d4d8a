import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { monthStart } from "./monthStart.ts";

/**
 * Name of the function that parses a string as an instant. The reader loads the code of this function only if a
 * statement uses it.
 */
export const instantFunction = "manifold_instant";

/** Name of the function that also reads a string without a zone, on the clock of the zone in its second argument. */
export const zonedInstantFunction = `${instantFunction}_in`;

/** Parses a datetime to milliseconds since 1970; undefined for any other string. */
export type ReadInstant = (text: string) => number | undefined;

/** Returns the instant at which the clock of a zone shows a datetime, in milliseconds since 1970. */
export type ZoneReading = (readingMs: number, zone: string) => number;

/** Names of the functions that `addFunctions` adds. */
export const addedFunctions: ReadonlySet<string> = new Set([
  "manifold_number",
  instantFunction,
  zonedInstantFunction,
  "manifold_months",
  "manifold_holds",
  "manifold_begins",
  "manifold_ends",
  "manifold_stddev",
]);

type Scalar = (...values: readonly SQLInputValue[]) => SQLInputValue;

/**
 * Adds the functions that this connector's statements call because SQLite cannot express them exactly. They run in the
 * reader process, once per row, and take about 0.2 µs. For a null argument, they return null.
 */
export function addFunctions(
  database: DatabaseSync,
  readInstant: ReadInstant,
  zoneReading: ZoneReading,
): void {
  const functions: Readonly<Record<string, Scalar>> = {
    manifold_number: numberOf,
    [instantFunction]: createInstant(readInstant),
    [zonedInstantFunction]: createZonedInstant(readInstant, zoneReading),
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

/**
 * Factor for huge values. It is a power of two, so the values keep their significant digits. It is so small that the
 * squares of the scaled values stay within the range of doubles.
 */
const tiny = 2 ** -560;

/**
 * Matches the strings that SQLite converts to numbers in a numeric column: a decimal number with optional ASCII white
 * space around it.
 */
const numberText = /^[ \t\n\v\f\r]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[ \t\n\v\f\r]*$/;

function numberOf(text: SQLInputValue | undefined): number | null {
  const value = Number(numberText.exec(String(text))?.[1] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}

/**
 * Creates the function that parses instants. It caches its last result, because a statement reads an instant several
 * times per row.
 */
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

/** Matches a date or datetime that ends with a zone. */
const withZone = /^[+-]?\d{4,6}-\d\d-\d\d(?:[T ][\d:.,]+)? ?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;

function createZonedInstant(readInstant: ReadInstant, zoneReading: ZoneReading): Scalar {
  const read = createInstant(readInstant);
  return (text, zone) => {
    const reading = read(text);
    if (typeof reading !== "number" || typeof text !== "string" || withZone.test(text))
      return reading;
    return zoneReading(reading, String(zone));
  };
}

/**
 * Parses the two forms that SQLite writes, `YYYY-MM-DD` and `YYYY-MM-DD HH:MM:SS`. Does not use a regular expression,
 * and is therefore three times as fast. Undefined for other strings, and for days 29 to 31, because not every month has
 * these days.
 */
function plainInstant(text: string): number | undefined {
  const { length } = text;
  if (length !== 10 && (length !== 19 || (text[10] !== " " && text[10] !== "T"))) return undefined;
  if (text[4] !== "-" || text[7] !== "-") return undefined;
  const year = digits(text, 0) * 100 + digits(text, 2);
  const month = digits(text, 5);
  const day = digits(text, 8);
  // `Date.UTC` maps the years 0 to 99 to the 20th century.
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

/** Returns the number that two digits represent; NaN for other characters. */
function digits(text: string, at: number): number {
  const [ten, one] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48];
  return ten >= 0 && ten <= 9 && one >= 0 && one <= 9 ? ten * 10 + one : Number.NaN;
}

/**
 * Creates the function that matches patterns. The flags `iu` compare with simple case folding (ECMA-262, Canonicalize).
 */
function createMatch(patternOf: (escaped: string) => string): Scalar {
  let known: { readonly part: string; readonly pattern: RegExp } | undefined;
  return (text, part) => {
    if (typeof text !== "string" || typeof part !== "string") return null;
    if (known?.part !== part)
      known = { part, pattern: new RegExp(patternOf(RegExp.escape(part)), "iu") };
    return known.pattern.test(text) ? 1 : 0;
  };
}

/** Adds a value to a count, a mean and a sum of squared deviations (Welford's method). */
function addTo(state: Float64Array, at: number, value: number): void {
  const count = state[at]! + 1;
  const distance = value - state[at + 1]!;
  state[at] = count;
  state[at + 1]! += distance / count;
  state[at + 2]! += distance * (value - state[at + 1]!);
}

/**
 * Returns the standard deviation of a sample; null for a single value, and for a result beyond the range of doubles.
 */
function deviationOf(state: Float64Array, at: number, scale = 1): number | null {
  const deviation = Math.sqrt(state[at + 2]! / (state[at]! - 1)) / scale;
  return state[at]! > 1 && Number.isFinite(deviation) ? deviation : null;
}
