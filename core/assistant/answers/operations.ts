import { isList, isObject } from "../../base/index.ts";
import type { AnswerCell } from "../../queries/index.ts";

/** The operations on cells of an answer. A text may contain their results. */
const operations = [
  "sum",
  "mean",
  "minimum",
  "maximum",
  "count",
  "difference",
  "ratio",
  "change",
  "share",
] as const;
export type OperationName = (typeof operations)[number];

/**
 * An operation on the cells of one column. `rows` contains row numbers; an empty list means all rows. `difference`,
 * `ratio` and `change` need exactly two rows, and `share` needs one.
 */
export interface Operation {
  readonly operation: OperationName;
  readonly column: number;
  readonly rows: readonly number[];
}

/** The JSON Schema of the operations that the model lists. */
export const operationsSchema = {
  type: "array",
  description: `The operations behind numbers in the text that are not cells. sum, mean, minimum, maximum and count
are computed over the given rows of a column, or over all rows if no rows are given. With two rows [a, b]: difference a - b, ratio a / b,
change (a - b) / b. share: one row's cell / the sum of the column. Rows and columns count from 0.`,
  items: {
    type: "object",
    additionalProperties: false,
    required: ["operation", "column", "rows"],
    properties: {
      operation: { type: "string", enum: operations },
      column: { type: "integer", minimum: 0 },
      rows: { type: "array", items: { type: "integer", minimum: 0 } },
    },
  },
} as const;

const mostOperations = 50;

/** Parses the operations that a model lists. Invalid entries are skipped. */
export function parseOperations(given: unknown): readonly Operation[] {
  if (!isList(given)) return [];
  return given.slice(0, mostOperations).flatMap((each) => {
    if (!isObject<"operation">(each)) return [];
    const { column, rows = [] } = each;
    const operation = operations.find((name) => name === each.operation);
    const isPlace = (value: unknown): value is number =>
      Number.isSafeInteger(value) && Number(value) >= 0;
    if (!operation || !isPlace(column) || !isList(rows) || !rows.every(isPlace)) return [];
    return [{ operation, column, rows }];
  });
}

/** Computes the result of an operation. Undefined if it refers to a cell that is missing or is not a number. */
export function carryOut(
  { operation, column, rows }: Operation,
  data: readonly (readonly AnswerCell[])[],
): number | undefined {
  const isWhole = rows.length === 0;
  const cells = isWhole ? data.map((row) => row[column]) : rows.map((row) => data[row]?.[column]);
  if (operation === "count") return cells.filter((cell) => cell != null).length;
  const isOfTwo = operation === "difference" || operation === "ratio" || operation === "change";
  // A sum skips nulls, as our queries do. If a row is missing, the sum is undefined.
  const given = isWhole ? cells.filter((cell) => cell != null) : cells;
  if (given.length === 0 || !given.every((cell) => typeof cell === "number")) return undefined;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const [first, second] = given;
  if (first === undefined || (isOfTwo && (isWhole || given.length !== 2))) return undefined;
  switch (operation) {
    case "sum":
      return sum(given);
    case "mean":
      return sum(given) / given.length;
    case "minimum":
      return given.reduce((least, each) => Math.min(least, each));
    case "maximum":
      return given.reduce((most, each) => Math.max(most, each));
    case "difference":
      return first - second!;
    case "ratio":
      return second === 0 ? undefined : first / second!;
    case "change":
      return second === 0 ? undefined : (first - second!) / second!;
    case "share": {
      const all = data.map((row) => row[column]).filter((cell) => typeof cell === "number");
      const total = sum(all);
      return isWhole || given.length !== 1 || total === 0 ? undefined : first / total;
    }
  }
}
