import { timesOf, type Segment } from "../../column/segment/segment.ts";
import type { BoundTest, BoundValue } from "../../expressions/boundValue.ts";
import { valueRange } from "../rows/storedRange.ts";
import { wayOfList, type ListWay } from "./wayOfList.ts";

/** Nanoseconds per row for looking up a stored number of at most two bytes. */
const tableCost = 0.3;

interface TestEstimate {
  /** Approximate nanoseconds per row when whole vectors are tested. */
  readonly cost: number;
  /** Estimated share of the rows that pass, between 0 and 1. */
  readonly share: number;
}

/** Number of codes that are sampled to estimate the share that passes. */
const sampledCodes = 64;

/**
 * Uses zone maps to estimate the cost of a test in a row group and the share of rows that pass. Query results do not
 * depend on these estimates.
 */
export function estimateTest(
  test: BoundTest,
  segmentOf: (column: number) => Segment,
): TestEstimate {
  switch (test.kind) {
    case "and":
    case "or": {
      const isAnd = test.kind === "and";
      let cost = 0;
      let share = 1;
      for (const part of test.of) {
        const inner = estimateTest(part, segmentOf);
        cost += inner.cost;
        share *= isAnd ? inner.share : 1 - inner.share;
      }
      return { cost, share: isAnd ? share : 1 - share };
    }
    case "not": {
      const { cost, share } = estimateTest(test.of, segmentOf);
      return { cost, share: 1 - share };
    }
    case "lookup": {
      const segment = segmentOf(test.column);
      const cost = segment.values?.width === 1 ? 0.06 : 0.3;
      return { cost, share: passingShare(test.passes, segment) };
    }
    case "lookupNumber": {
      const { of, base, passes } = test;
      const cost = lookupCost + (of.kind === "column" ? 0 : valueCost(of));
      const segment = of.kind === "column" ? segmentOf(of.column) : undefined;
      const within = segment ? placesWithin(segment, base, passes.length) : undefined;
      return {
        cost,
        share: passingShare(passes, within ?? { minimum: 1, maximum: passes.length - 1 }),
      };
    }
    case "isNull": {
      if (test.left.kind !== "column") return { cost: valueCost(test.left), share: 0.1 };
      const segment = segmentOf(test.left.column);
      return { cost: storedCost(segment), share: segment.nullCount / segment.rowCount };
    }
    case "in": {
      const { left, values } = test;
      const segment = left.kind === "column" ? segmentOf(left.column) : undefined;
      const costs: Readonly<Record<ListWay, number>> = {
        compared: (segment ? storedCost(segment) : 0.2) * values.size,
        tabulated: tableCost,
        searched: valueCost(left) + 10,
      };
      return { cost: costs[wayOfList(values.size, segment)], share: 0.3 };
    }
    case "compare": {
      if (test.left.kind !== "column") return { cost: valueCost(test.left), share: 0.5 };
      const segment = segmentOf(test.left.column);
      const { minimum, maximum, nullCount, rowCount } = segment;
      const { low, high } = valueRange(test.operator, test.value);
      const span = maximum - minimum;
      const within = Math.min(high, maximum) - Math.max(low, minimum);
      const share = span > 0 ? Math.max(0, within / span) : 1;
      return { cost: storedCost(segment), share: share * (1 - nullCount / rowCount) };
    }
  }
}

/** Returns the approximate nanoseconds per row for comparing stored values. */
export function storedCost(segment: Segment): number {
  return (segment.values?.width ?? 0) * 0.03 + (timesOf(segment) ? 0.05 : 0);
}

/** Nanoseconds per row for looking up a stored number in a table. */
const lookupCost = 0.6;

/** Returns the places of the values of a row group in a table that starts at `base`; undefined if there are none. */
function placesWithin({ minimum, maximum }: Segment, base: number, length: number) {
  const places = {
    minimum: Math.max(1, Math.ceil(minimum - base + 1)),
    maximum: Math.min(length - 1, Math.floor(maximum - base + 1)),
  };
  return places.minimum <= places.maximum ? places : undefined;
}

function passingShare(
  passes: Uint8Array,
  { minimum, maximum }: Pick<Segment, "minimum" | "maximum">,
): number {
  const step = Math.max(1, (maximum - minimum) / sampledCodes);
  let sampled = 0;
  let passing = 0;
  for (let code = minimum; code <= maximum; code += step) {
    sampled++;
    passing += passes[Math.floor(code)];
  }
  return sampled > 0 ? passing / sampled : 0.5;
}

function valueCost(value: BoundValue): number {
  switch (value.kind) {
    case "column":
    case "literal":
    case "byCode":
      return 1;
    case "byNumber":
    case "bin":
      return 2 + valueCost(value.of);
    case "rowOf":
    case "period":
      return 5 + valueCost(value.of);
    case "case":
      return value.branches.reduce((sum, { then }) => sum + 3 + valueCost(then), 3);
    case "call":
      return value.of.reduce((sum, of) => sum + valueCost(of), 2);
    case "rows":
      return 100;
  }
}
