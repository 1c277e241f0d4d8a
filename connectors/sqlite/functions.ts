import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { monthStart } from "./monthStart.ts";

/** The name of the function that reads a text as an instant; the reader loads what it needs when a statement names it. */
export const instantFunction = "manifold_instant";

/** Reads a datetime as milliseconds since 1970; undefined for another text. */
export type ReadInstant = (text: string) => number | undefined;

type Scalar = (...values: readonly SQLInputValue[]) => SQLInputValue;

/**
 * Adds the functions that statements of this connector call, for what SQLite cannot say exactly: they run in the reader
 * process, a row at a time, about 0.2 µs each. Null gives null.
 */
export function addFunctions(database: DatabaseSync, readInstant: ReadInstant): void {
  const functions: Readonly<Record<string, Scalar>> = {
    manifold_number: numberOf,
    [instantFunction]: (text) => (typeof text === "string" ? (readInstant(text) ?? null) : null),
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
