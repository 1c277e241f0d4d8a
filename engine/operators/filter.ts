import type { Segment } from "../column/segment.ts";
import type { BoundPredicate } from "../plan/boundPlan.ts";
import type { ComparisonOperator } from "../types.ts";
import type { ValueSource } from "./rowGroupReader.ts";

/** Tests every row of a source; returns a byte per row, 1 where the predicate is true. */
export function filter(predicate: BoundPredicate, source: ValueSource): Uint8Array {
  const { rowCount } = source;
  const mask = new Uint8Array(rowCount);
  switch (predicate.kind) {
    case "and": {
      mask.fill(1);
      for (const part of predicate.of) {
        const other = filter(part, source);
        for (let row = 0; row < rowCount; row++) mask[row] &= other[row];
      }
      return mask;
    }
    case "or": {
      for (const part of predicate.of) {
        const other = filter(part, source);
        for (let row = 0; row < rowCount; row++) mask[row] |= other[row];
      }
      return mask;
    }
    case "not": {
      const other = filter(predicate.of, source);
      for (let row = 0; row < rowCount; row++) mask[row] = other[row] ^ 1;
      return mask;
    }
    case "lookup": {
      const codes = source.codes(predicate.column);
      const { passes } = predicate;
      for (let row = 0; row < rowCount; row++) mask[row] = passes[codes[row]];
      return mask;
    }
    case "isNull": {
      const values = source.numbers(predicate.left);
      for (let row = 0; row < rowCount; row++) mask[row] = values[row] === values[row] ? 0 : 1;
      return mask;
    }
    case "in": {
      const values = source.numbers(predicate.left);
      const members = predicate.values;
      for (let row = 0; row < rowCount; row++) mask[row] = members.has(values[row]) ? 1 : 0;
      return mask;
    }
    case "compare":
      compares[predicate.operator](source.numbers(predicate.left), predicate.value, rowCount, mask);
      return mask;
  }
}

type Compare = (values: Float64Array, value: number, rowCount: number, mask: Uint8Array) => void;

/** A comparison with NaN is false, which is what a test of null is. */
const compares: Readonly<Record<ComparisonOperator, Compare>> = {
  "=": (values, value, rowCount, mask) => {
    for (let row = 0; row < rowCount; row++) mask[row] = values[row] === value ? 1 : 0;
  },
  "<": (values, value, rowCount, mask) => {
    for (let row = 0; row < rowCount; row++) mask[row] = values[row] < value ? 1 : 0;
  },
  "<=": (values, value, rowCount, mask) => {
    for (let row = 0; row < rowCount; row++) mask[row] = values[row] <= value ? 1 : 0;
  },
  ">": (values, value, rowCount, mask) => {
    for (let row = 0; row < rowCount; row++) mask[row] = values[row] > value ? 1 : 0;
  },
  ">=": (values, value, rowCount, mask) => {
    for (let row = 0; row < rowCount; row++) mask[row] = values[row] >= value ? 1 : 0;
  },
};

/** Says from zone maps alone whether all, none or some rows of a row group pass. */
export function prune(
  predicate: BoundPredicate,
  segmentOf: (column: number) => Segment,
): "all" | "none" | "some" {
  if (predicate.kind === "not") {
    const inner = prune(predicate.of, segmentOf);
    return inner === "some" ? inner : inner === "all" ? "none" : "all";
  }
  if (predicate.kind === "and" || predicate.kind === "or") {
    const [ends, neutral] =
      predicate.kind === "and" ? (["none", "all"] as const) : (["all", "none"] as const);
    let result: "all" | "none" | "some" = neutral;
    for (const part of predicate.of) {
      const inner = prune(part, segmentOf);
      if (inner === ends) return ends;
      if (inner === "some") result = "some";
    }
    return result;
  }
  if (predicate.kind === "lookup")
    return pruneLookup(predicate.passes, segmentOf(predicate.column));
  if (predicate.left.kind !== "column") return "some";
  const { minimum, maximum, nullCount, form } = segmentOf(predicate.left.column);
  if (predicate.kind === "isNull")
    return nullCount === 0 ? "none" : form === "null" ? "all" : "some";
  if (predicate.kind === "in") {
    for (const value of predicate.values)
      if (value === value ? value >= minimum && value <= maximum : nullCount > 0) return "some";
    return "none";
  }
  const { operator, value } = predicate;
  const mayPass: Record<ComparisonOperator, boolean> = {
    "=": minimum <= value && value <= maximum,
    "<": minimum < value,
    "<=": minimum <= value,
    ">": maximum > value,
    ">=": maximum >= value,
  };
  return mayPass[operator] ? "some" : "none";
}

function pruneLookup(
  passes: Uint8Array,
  { minimum, maximum, nullCount }: Segment,
): "none" | "some" {
  if ((nullCount > 0 && passes[0]) || maximum - minimum > 4096) return "some";
  for (let code = minimum; code <= maximum; code++) if (passes[code]) return "some";
  return "none";
}
