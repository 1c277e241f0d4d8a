import type { Segment } from "../../column/segment/segment.ts";
import type { BoundTest } from "../../expressions/boundValue.ts";
import type { ComparisonOperator } from "../../types.ts";
import { comparisons } from "./comparisons.ts";

/** Whether all, none or some rows of a row group pass. */
export type Pruning = "all" | "none" | "some";

/** Maximum number of codes that are looked up one by one to classify a row group. */
const lookedUpCodes = 4096;

/** Returns whether all, none or some rows of a row group pass, using only zone maps. */
export function prune(predicate: BoundTest, segmentOf: (column: number) => Segment): Pruning {
  switch (predicate.kind) {
    case "not": {
      const inner = prune(predicate.of, segmentOf);
      return inner === "some" ? inner : inner === "all" ? "none" : "all";
    }
    case "and":
    case "or": {
      const isAnd = predicate.kind === "and";
      let result: Pruning = isAnd ? "all" : "none";
      for (const part of predicate.of) {
        const inner = prune(part, segmentOf);
        if (inner === (isAnd ? "none" : "all")) return inner;
        if (inner === "some") result = "some";
      }
      return result;
    }
    case "lookup":
      return pruneLookup(predicate.passes, segmentOf(predicate.column));
    case "compare":
    case "in":
    case "isNull": {
      if (predicate.left.kind !== "column") return "some";
      const segment = segmentOf(predicate.left.column);
      if (predicate.kind === "isNull") {
        if (segment.nullCount === 0) return "none";
        return segment.nullCount === segment.rowCount ? "all" : "some";
      }
      return predicate.kind === "in"
        ? pruneList(predicate.values, segment)
        : pruneCompare(predicate.operator, predicate.value, segment);
    }
  }
}

function pruneCompare(
  operator: ComparisonOperator,
  value: number,
  { minimum, maximum, nullCount }: Segment,
): Pruning {
  const passes = comparisons[operator];
  const mayPass =
    operator === "="
      ? minimum <= value && value <= maximum
      : passes(operator === "<" || operator === "<=" ? minimum : maximum, value);
  if (!mayPass) return "none";
  return nullCount === 0 && passes(minimum, value) && passes(maximum, value) ? "all" : "some";
}

function pruneList(values: ReadonlySet<number>, { minimum, maximum, nullCount }: Segment): Pruning {
  for (const value of values)
    if (value === value ? value >= minimum && value <= maximum : nullCount > 0) return "some";
  return "none";
}

function pruneLookup(
  passes: Uint8Array,
  { minimum, maximum, nullCount, rowCount }: Segment,
): Pruning {
  let passing = 0;
  let failing = 0;
  if (nullCount > 0) {
    if (passes[0]) passing++;
    else failing++;
  }
  if (nullCount < rowCount) {
    if (maximum - minimum > lookedUpCodes) return "some";
    for (let code = minimum; code <= maximum; code++) {
      if (passes[code]) passing++;
      else failing++;
      if (passing > 0 && failing > 0) return "some";
    }
  }
  return passing > 0 ? "all" : "none";
}
