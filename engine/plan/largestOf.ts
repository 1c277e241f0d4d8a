import type { BoundValue } from "../expressions/boundValue.ts";
import type { ColumnSnapshot } from "../table/snapshot.ts";
import { boundsOf } from "./boundsOf.ts";

/** Functions whose result has, apart from rounding, at most the magnitude of one of their arguments. */
const notLarger = new Set(["negate", "abs", "round", "floor", "ceil", "trunc", "modulo"]);

/** Functions of strings and of datetimes that return small whole numbers. */
const counting = new Set(
  "datePart dateDiff epochMs length position contains startsWith endsWith compare sign".split(" "),
);

/** Returns an upper bound for |value| of an expression; Infinity if no bound is known. */
export function largestOf(of: BoundValue, columns: readonly ColumnSnapshot[]): number {
  switch (of.kind) {
    case "column": {
      const { largest } = columns[of.column];
      return largest === largest ? largest : 0;
    }
    case "case":
      return Math.max(
        largestOf(of.otherwise, columns),
        ...of.branches.map(({ then }) => largestOf(then, columns)),
      );
    case "call": {
      const parts = of.of.map((part) => largestOf(part, columns));
      const [first = 0, second = 0] = parts;
      if (of.function === "add" || of.function === "subtract") return first + second;
      if (of.function === "multiply") return first * second || 0;
      if (notLarger.has(of.function)) return 2 * first;
      if (counting.has(of.function)) return 2 ** 60;
      return Infinity;
    }
    case "byCode":
    case "byNumber":
    case "literal": {
      const bounds = boundsOf(of, columns);
      if (!bounds) return Infinity;
      const { minimum, maximum } = bounds;
      return minimum === minimum ? Math.max(Math.abs(minimum), Math.abs(maximum)) : 0;
    }
    case "bin":
    case "period":
    case "rowOf":
    case "rows":
      return Infinity;
  }
}
