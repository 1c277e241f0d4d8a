import type { Segment } from "../../column/segment/segment.ts";
import type { BoundTest } from "../../expressions/boundValue.ts";
import type { ComparisonOperator } from "../../types.ts";
import { comparisons } from "./comparisons.ts";

/** Whether all, none or some rows of a row group pass. */
export type Pruning = "all" | "none" | "some";

/** Maximum number of entries that are searched to classify a row group, which takes some 10 µs. */
const searchedEntries = 2 ** 18;
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
    case "lookupNumber": {
      const { of, base, passes } = predicate;
      return of.kind === "column" ? prunePlaces(passes, base, segmentOf(of.column)) : "some";
    }
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

/**
 * Classifies a row group by the entries of a table for the numbers between its bounds. Numbers that are not whole, or
 * outside the table, have entry 0.
 */
function prunePlaces(
  passes: Uint8Array,
  base: number,
  { form, minimum, maximum, decimals, nullCount, rowCount }: Segment,
): Pruning {
  if (nullCount === rowCount) return passes[0] ? "all" : "none";
  const first = minimum - base + 1;
  const last = maximum - base + 1;
  const isWithin = first >= 1 && last < passes.length;
  const isWhole = form !== "float" && decimals === 0;
  const hasEntry0 = nullCount > 0 || !isWithin || !isWhole;
  const { buffer, byteOffset } = passes;
  const from = Math.min(passes.length, Math.max(1, Math.ceil(first)));
  const length = Math.max(0, Math.min(passes.length - 1, Math.floor(last)) - from + 1);
  if (length > searchedEntries) return "some";
  const entries = Buffer.from(buffer, byteOffset + from, length);
  const mayPass = (hasEntry0 && passes[0] === 1) || entries.includes(1);
  const mayFail = (hasEntry0 && passes[0] === 0) || entries.includes(0);
  return mayPass && mayFail ? "some" : mayPass ? "all" : "none";
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
