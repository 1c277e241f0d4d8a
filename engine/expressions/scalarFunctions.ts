import { EngineError } from "../errors.ts";
import { arithmeticFunctions } from "./arithmeticFunctions.ts";
import { choiceFunctions, isNull } from "./choiceFunctions.ts";
import { datetimeFunctions } from "./datetimeFunctions.ts";
import type { Cell, ScalarFunction, VectorFunction } from "./scalarFunction.ts";
import { textFunctions } from "./textFunctions.ts";

/** The functions available to `call`, by name. */
export const scalarFunctions: Readonly<Record<string, ScalarFunction>> = {
  ...choiceFunctions,
  ...arithmeticFunctions,
  ...textFunctions,
  ...datetimeFunctions,
};

/**
 * Returns the function with a name.
 * @throws {EngineError} QUERY_PLAN if there is no such function
 */
export function findFunction(name: string): ScalarFunction {
  if (!Object.hasOwn(scalarFunctions, name))
    throw new EngineError("QUERY_PLAN", [`there is no function ${name}`]);
  return scalarFunctions[name];
}

/** The earliest and the latest datetime are this many milliseconds from 1970. */
const timeLimitMs = 8.64e15;

/**
 * Compiles a call for the current row. `reads` return the values of its arguments. Returns null for null arguments if
 * the function does not handle them.
 */
export function callRow(
  name: string,
  literals: readonly string[],
  reads: readonly (() => Cell)[],
): () => Cell {
  const { bind, seesNulls, result } = findFunction(name);
  const run = bind(literals) as (...cells: readonly Cell[]) => Cell;
  const limit = result === "datetime" ? timeLimitMs : Number.MAX_VALUE;
  const keep = (value: Cell) =>
    typeof value !== "number" || Math.abs(value) <= limit ? value : NaN;
  const noneOf = (cell: Cell) =>
    result === "text" || (result === "T" && typeof cell !== "number") ? null : NaN;
  const [first, second] = reads;
  if (!seesNulls && reads.length === 1)
    return () => {
      const cell = first();
      return isNull(cell) ? noneOf(cell) : keep(run(cell));
    };
  if (!seesNulls && reads.length === 2)
    return () => {
      const left = first();
      const right = second();
      if (isNull(left)) return noneOf(left);
      return isNull(right) ? noneOf(right) : keep(run(left, right));
    };
  return () => {
    const cells = reads.map((read) => read());
    const none = seesNulls ? undefined : cells.find(isNull);
    return none === undefined ? keep(run(...cells)) : noneOf(none);
  };
}

/**
 * Returns the batch form of a function of numbers and datetimes. `literals` are the literal arguments of the call
 * (period, part, zone), in their order.
 */
export function vectorFunction(name: string, literals: readonly string[] = []): VectorFunction {
  const { vector } = findFunction(name);
  if (vector) return vector;
  const { bind, seesNulls, result } = findFunction(name);
  const run = bind(literals) as (...cells: readonly number[]) => number;
  const limit = result === "datetime" ? timeLimitMs : Number.MAX_VALUE;
  return (parts, rowCount, out) => {
    const [first, second, third] = parts;
    if (seesNulls || parts.length > 3)
      for (let row = 0; row < rowCount; row++) {
        const cells = parts.map((part) => part[row]);
        const value = seesNulls || cells.every((cell) => cell === cell) ? run(...cells) : NaN;
        out[row] = Math.abs(value) <= limit ? value : NaN;
      }
    else if (parts.length === 1)
      for (let row = 0; row < rowCount; row++) {
        const value = first[row] === first[row] ? run(first[row]) : NaN;
        out[row] = Math.abs(value) <= limit ? value : NaN;
      }
    else if (parts.length === 2)
      for (let row = 0; row < rowCount; row++) {
        const [left, right] = [first[row], second[row]];
        const value = left === left && right === right ? run(left, right) : NaN;
        out[row] = Math.abs(value) <= limit ? value : NaN;
      }
    else
      for (let row = 0; row < rowCount; row++) {
        const isWhole =
          first[row] === first[row] && second[row] === second[row] && third[row] === third[row];
        const value = isWhole ? run(first[row], second[row], third[row]) : NaN;
        out[row] = Math.abs(value) <= limit ? value : NaN;
      }
  };
}
