import { EngineError } from "../errors.ts";
import {
  bindExpression,
  numberByCode,
  type BoundExpressionValue,
} from "../expressions/bindExpression.ts";
import type { BoundRows, BoundText, BoundValue } from "../expressions/boundValue.ts";
import { digestBytes } from "../operators/stateLayout.ts";
import { sketchRegisters } from "../sketches/hyperLogLog.ts";
import { dayMs } from "../time/calendar.ts";
import { periodDayTable } from "../time/periodDayTable.ts";
import { periodCount } from "../time/periodFloor.ts";
import type { AggregateFunction, Expression, Output } from "../types.ts";
import { boundsOf } from "./boundsOf.ts";
import type {
  BoundDistinct,
  BoundGrouping,
  BoundKey,
  BoundOutput,
  BoundQuantile,
  Place,
  Slot,
  Summand,
} from "./boundPlan.ts";
import type { PlanSource } from "./planSource.ts";
import { rankTexts } from "./rankTexts.ts";

type Aggregate = Extract<Output, { kind: "aggregate" }>;

/** Which expressions an aggregate takes: of numbers only, of any type, or none. */
const aggregateArguments: Readonly<Record<AggregateFunction, "number" | "any" | "none">> = {
  rows: "none",
  count: "any",
  sum: "number",
  average: "number",
  min: "any",
  max: "any",
  distinctcount: "any",
  median: "number",
  percentile: "number",
  stddev: "number",
  weightedaverage: "number",
  cumulativesum: "number",
  approximatedistinctcount: "any",
  approximatepercentile: "number",
};

/** Products of cardinalities up to which groups are always an array, and up to which they are when there are rows enough: one for so many. */
const smallCapacity = 4096;
const largestCapacity = 2 ** 24;
const groupsPerRow = 4;
/** Bytes of states of one task, and of ordered states of all lanes, up to which groups are an array. */
const largestStateBytes = 2 ** 28;
/** Bytes of bitmaps up to which distinct values are counted in them. */
const largestBitmapBytes = 2 ** 26;
/** Bytes of sketches, and of digests of one lane, up to which groups that are an array have them. */
const largestSketchBytes = 2 ** 26;
const largestDigestBytes = 2 ** 24;
/** Distinct whole numbers up to which they are numbered instead of hashed. */
const largestWholeRange = 2 ** 22;
/** UTC days up to which periods are tabulated by day. */
const tabulatedDays = 40_000;
/**
 * Counters of a histogram: where a bucket holds one value; where it is a first step, as many as stay in the first cache, or
 * more when there are many groups.
 */
const exactCounters = 2 ** 20;
const roughCounters = 2 ** 13;
const leastBucketCount = 64;
const mostRoughCounters = 2 ** 22;
/** Whole sums below this are exact, with room for the steps of adding them up. */
const exactLimit = 2 ** 52;

/**
 * Binds the keys and aggregates of a grouped plan: which states a group has, and how outputs are made of them.
 * @throws {EngineError} COLUMN_UNKNOWN, COLUMN_TYPE, QUERY_PLAN
 */
export function bindGrouping(outputs: readonly Output[], source: PlanSource): BoundGrouping {
  const binder = new GroupingBinder(source);
  return binder.bind(outputs);
}

/** Refuses aggregates that do not exist or have wrong arguments. */
export function checkAggregate(output: Aggregate): void {
  if (!Object.hasOwn(aggregateArguments, output.function))
    throw invalid(`there is no aggregate ${String(output.function)}`);
  const isNone = aggregateArguments[output.function] === "none";
  if ((output.of === undefined) !== isNone)
    throw invalid(`${output.function} takes ${isNone ? "no" : "an"} expression`);
  const isWeighted = output.function === "weightedaverage";
  if ((output.weight !== undefined) !== isWeighted)
    throw invalid(`${output.function} takes ${isWeighted ? "a" : "no"} weight`);
  const isPercentile =
    output.function === "percentile" || output.function === "approximatepercentile";
  const { fraction } = output;
  if (
    isPercentile
      ? !(fraction !== undefined && fraction >= 0 && fraction <= 1)
      : fraction !== undefined
  )
    throw invalid(
      isPercentile
        ? `${output.function} takes a fraction from 0 to 1`
        : `${output.function} takes no fraction`,
    );
}

class GroupingBinder {
  readonly #source: PlanSource;
  readonly #sums = new Map<
    string,
    { readonly summand: Summand; readonly isExact: boolean; readonly hasNulls: boolean }
  >();
  readonly #extents = new Map<string, Summand>();
  readonly #variances = new Map<string, BoundValue>();
  readonly #distincts = new Map<string, BoundDistinct>();
  readonly #quantiles = new Map<
    string,
    { readonly of: BoundValue; readonly fractions: number[] }
  >();
  readonly #sketches = new Map<string, BoundValue>();
  readonly #digests = new Map<string, BoundValue>();
  #needsRows = false;
  #capacity = 1;

  constructor(source: PlanSource) {
    this.#source = source;
  }

  bind(outputs: readonly Output[]): BoundGrouping {
    const keys = outputs.flatMap((output) => (output.kind === "key" ? [this.#key(output.of)] : []));
    const capacity = keys.reduce(
      (product, key) => product * ("cardinality" in key ? key.cardinality : Infinity),
      1,
    );
    this.#capacity = capacity;
    let keyCount = 0;
    const makers = outputs.map((output): ((places: Places) => BoundOutput) => {
      if (output.kind === "key") {
        const key = keyCount++;
        return () => ({ kind: "key", key });
      }
      checkAggregate(output);
      return this.#aggregate(output);
    });
    this.#needsRows ||= keys.length > 0;
    const { slots, places } = this.#allocate();
    const distincts = [...this.#distincts.values()];
    const quantiles = [...this.#quantiles.values()].map((quantile) =>
      this.#quantile(quantile, capacity),
    );
    const isDirect = this.#isDirect(capacity, slots, distincts, quantiles);
    return {
      mode: isDirect ? "direct" : "hash",
      capacity: isDirect ? capacity : 0,
      keys,
      slots,
      rows: places.rows,
      distincts,
      quantiles: quantiles.map((quantile) => quantile.bound),
      sketches: [...this.#sketches.values()],
      digests: [...this.#digests.values()],
      outputs: makers.map((make) => make(places)),
    };
  }

  #isDirect(
    capacity: number,
    slots: readonly Slot[],
    distincts: readonly BoundDistinct[],
    quantiles: readonly { readonly canCount: boolean }[],
  ): boolean {
    const { rowCount } = this.#source.snapshot;
    const isSmall =
      capacity <= smallCapacity ||
      (capacity <= largestCapacity && capacity <= rowCount * groupsPerRow);
    if (!isSmall || capacity * slots.length * 16 > largestStateBytes) return false;
    if (!quantiles.every(({ canCount }) => canCount)) return false;
    if (capacity * this.#sketches.size * sketchRegisters > largestSketchBytes) return false;
    return distincts.every(
      (distinct) =>
        "cardinality" in distinct &&
        capacity * Math.ceil(distinct.cardinality / 128) * 16 <= largestBitmapBytes,
    );
  }

  #key(expression: Expression): BoundKey {
    const { of } = bindExpression(expression, this.#source);
    if (of.kind === "text") return { kind: "text", code: of.code, cardinality: of.textCount + 1 };
    if (isMade(of)) return { kind: "made", of };
    if (of.kind === "period") {
      const count = periodCount(of.floor);
      if (count === undefined || count > largestCapacity) return { kind: "value", of };
      const days = this.#dayTable(of);
      return {
        kind: "period",
        of: of.of,
        floor: of.floor,
        cardinality: count + 1,
        ...(days && { days }),
      };
    }
    const bounds = boundsOf(of, this.#source.columns);
    if (!bounds || bounds.decimals < 0) return { kind: "value", of };
    const unit = 10 ** bounds.decimals;
    const base = bounds.minimum === bounds.minimum ? Math.round(bounds.minimum * unit) : 0;
    const last = bounds.maximum === bounds.maximum ? Math.round(bounds.maximum * unit) : 0;
    if (!(last - base < largestWholeRange)) return { kind: "value", of };
    return { kind: "whole", of, base, decimals: bounds.decimals, cardinality: last - base + 2 };
  }

  #dayTable({ of, floor }: Extract<BoundValue, { kind: "period" }>) {
    const bounds = boundsOf(of, this.#source.columns);
    if (!bounds || bounds.minimum !== bounds.minimum) return undefined;
    const firstDay = Math.floor(bounds.minimum / dayMs);
    const dayCount = Math.floor(bounds.maximum / dayMs) - firstDay + 1;
    if (dayCount > tabulatedDays) return undefined;
    const table = periodDayTable(floor, firstDay, dayCount);
    return table && { firstDay, table };
  }

  #aggregate(output: Aggregate): (places: Places) => BoundOutput {
    const { of } = output;
    if (!of) {
      this.#needsRows = true;
      return ({ rows }) => ({ kind: "count", count: rows });
    }
    const bound = bindExpression(of, this.#source);
    if (bound.type !== "number" && aggregateArguments[output.function] === "number")
      throw new EngineError("COLUMN_TYPE", [nameOf(of), bound.type, "number"]);
    switch (output.function) {
      case "sum":
      case "average":
      case "cumulativesum": {
        const { key, decimals } = this.#sum(numberOf(bound));
        const kind = output.function;
        return (places) => ({ kind, decimals, ...places.sum(key) });
      }
      case "weightedaverage":
        return this.#weightedAverage(numberOf(bound), output.weight);
      case "count": {
        const { key } = this.#sum(this.#presence(bound, of));
        return (places) => ({ kind: "count", count: places.sum(key).count });
      }
      case "min":
      case "max":
        return this.#extent(bound, output.function === "min" ? "least" : "greatest");
      case "stddev": {
        const value = numberOf(bound);
        const key = keyOf(value);
        this.#variances.set(key, value);
        return (places) => ({ kind: "stddev", variance: places.variance(key) });
      }
      case "approximatedistinctcount": {
        const sketch = this.#sketch(bound);
        if (sketch !== undefined) return () => ({ kind: "approximatedistinct", sketch });
        return this.#countDistinct(bound);
      }
      case "distinctcount":
        return this.#countDistinct(bound);
      case "approximatepercentile": {
        const digest = this.#digest(numberOf(bound));
        if (digest === undefined) return this.#percentile(bound, output.fraction);
        const fraction = output.fraction ?? 0.5;
        return () => ({ kind: "approximatepercentile", digest, fraction });
      }
      case "median":
      case "percentile":
        return this.#percentile(bound, output.fraction);
      case "rows":
        throw invalid("rows takes no expression");
    }
  }

  /** Registers a sum; its key finds the places of the sum and of the count of values. */
  #sum(of: BoundValue): { readonly key: string; readonly decimals: number } {
    const key = keyOf(of);
    const known = this.#sums.get(key);
    if (known) return { key, decimals: known.summand.decimals };
    const column = of.kind === "column" ? this.#source.columns[of.column] : undefined;
    const decimals = column?.decimals ?? -1;
    const { rowCount } = this.#source.snapshot;
    const largest = column && column.largest === column.largest ? column.largest : 0;
    const isExact = decimals >= 0 && rowCount * largest * 10 ** decimals < exactLimit;
    this.#sums.set(key, {
      summand: { of, decimals },
      isExact,
      hasNulls: !column || column.nullCount > 0,
    });
    return { key, decimals };
  }

  #countDistinct(bound: BoundExpressionValue): (places: Places) => BoundOutput {
    const distinct = this.#distinctIndex(bound);
    return () => ({ kind: "distinct", distinct });
  }

  #distinctIndex(bound: BoundExpressionValue): number {
    const key = keyOf(bound.of.kind === "text" ? bound.of.code : bound.of);
    if (!this.#distincts.has(key)) this.#distincts.set(key, this.#distinct(bound));
    return [...this.#distincts.keys()].indexOf(key);
  }

  #percentile(bound: BoundExpressionValue, fraction = 0.5): (places: Places) => BoundOutput {
    const value = numberOf(bound);
    const key = keyOf(value);
    const known = this.#quantiles.get(key) ?? { of: value, fractions: [] };
    if (!known.fractions.includes(fraction)) known.fractions.push(fraction);
    this.#quantiles.set(key, known);
    const quantile = [...this.#quantiles.keys()].indexOf(key);
    return () => ({ kind: "percentile", quantile, fraction });
  }

  /** Registers a sketch; undefined where bitmaps count exactly, which is faster, and for made texts, which have no number. */
  #sketch(bound: BoundExpressionValue): number | undefined {
    const { of } = bound;
    if (isMade(of)) return undefined;
    const exact = this.#distinct(bound);
    const isHash = this.#capacity > largestCapacity;
    if (!isHash && "cardinality" in exact) {
      const bytes = this.#capacity * Math.ceil(exact.cardinality / 128) * 16;
      if (bytes <= largestBitmapBytes) return undefined;
    }
    const value = of.kind === "text" ? numberByCode(of.code, stepsOf(of.textCount)) : of;
    const key = keyOf(of.kind === "text" ? of.code : of);
    if (!this.#sketches.has(key)) this.#sketches.set(key, value);
    return [...this.#sketches.keys()].indexOf(key);
  }

  /** Registers a digest; undefined where exact percentiles are counted, which is faster, or groups are too many. */
  #digest(of: BoundValue): number | undefined {
    const isHash = this.#capacity > largestCapacity;
    const isLarge = this.#capacity * digestBytes > largestDigestBytes;
    const known = this.#quantile({ of, fractions: [] }, this.#capacity);
    if (!isHash && (isLarge || known.canCount)) return undefined;
    const key = keyOf(of);
    if (!this.#digests.has(key)) this.#digests.set(key, of);
    return [...this.#digests.keys()].indexOf(key);
  }

  /** A number that is null where the expression is, to count values by. */
  #presence({ of }: BoundExpressionValue, expression: Expression): BoundValue {
    if (isMade(of)) {
      const when = { kind: "isNull", left: expression } as const;
      const one = { kind: "literal", type: "number", value: 1 } as const;
      const branch = { when: { kind: "not", of: when } as const, then: one };
      return numberOf(bindExpression({ kind: "case", branches: [branch] }, this.#source));
    }
    if (of.kind !== "text") return of;
    const ones = new Float64Array(of.textCount + 1).fill(1);
    ones[0] = NaN;
    return numberByCode(of.code, ones);
  }

  #weightedAverage(
    of: BoundValue,
    weight: Expression | undefined,
  ): (places: Places) => BoundOutput {
    if (!weight) throw invalid("weightedaverage takes a weight");
    const bound = bindExpression(weight, this.#source);
    if (bound.type !== "number")
      throw new EngineError("COLUMN_TYPE", [nameOf(weight), bound.type, "number"]);
    const factor = numberOf(bound);
    const product = this.#sum({
      kind: "call",
      function: "multiply",
      of: [of, factor],
    });
    const weights = this.#sum({
      kind: "case",
      branches: [{ when: { kind: "isNull", left: of }, then: { kind: "literal", value: NaN } }],
      otherwise: factor,
    });
    return (places) => ({
      kind: "weightedaverage",
      ...places.sum(product.key),
      weight: places.sum(weights.key).sum,
    });
  }

  #extent(
    bound: BoundExpressionValue,
    kind: "least" | "greatest",
  ): (places: Places) => BoundOutput {
    const { of } = bound;
    if (of.kind === "text") {
      const { ranks, codes } = rankTexts(of, this.#source);
      const table = new Float64Array(new SharedArrayBuffer((of.textCount + 1) * 8));
      table[0] = NaN;
      for (let code = 0; code < of.textCount; code++) table[code + 1] = ranks[code];
      const key = `rank ${keyOf(of.code)}`;
      this.#extents.set(key, { of: numberByCode(of.code, table), decimals: -1 });
      return (places) => ({
        kind,
        extent: places.extent(key),
        decimals: -1,
        codesByRank: codes,
      });
    }
    if (isMade(of)) {
      const distinct = this.#distinctIndex(bound);
      return () => ({ kind: kind === "least" ? "firstText" : "lastText", distinct });
    }
    const column = of.kind === "column" ? this.#source.columns[of.column] : undefined;
    const decimals = column && column.decimals > 0 ? column.decimals : -1;
    const key = keyOf(of);
    this.#extents.set(key, { of, decimals });
    return (places) => ({ kind, extent: places.extent(key), decimals });
  }

  #distinct({ of }: BoundExpressionValue): BoundDistinct {
    if (of.kind === "text") return { kind: "code", code: of.code, cardinality: of.textCount };
    if (isMade(of)) return { kind: "made", of };
    const bounds = boundsOf(of, this.#source.columns);
    if (bounds && bounds.minimum !== bounds.minimum)
      return { kind: "whole", of, base: 0, decimals: 0, cardinality: 1 };
    if (bounds && bounds.decimals >= 0) {
      const unit = 10 ** bounds.decimals;
      const base = Math.round(bounds.minimum * unit);
      const cardinality = Math.round(bounds.maximum * unit) - base + 1;
      if (cardinality <= largestWholeRange)
        return { kind: "whole", of, base, decimals: bounds.decimals, cardinality };
    }
    return { kind: "number", of };
  }

  #quantile(
    { of, fractions }: { readonly of: BoundValue; readonly fractions: readonly number[] },
    capacity: number,
  ): { readonly bound: BoundQuantile; readonly canCount: boolean } {
    const bounds = boundsOf(of, this.#source.columns);
    const none = { of, decimals: -1, low: 0, factor: 0, bucketCount: 1, isExact: false, fractions };
    if (!bounds) return { bound: none, canCount: false };
    const decimals = Math.max(-1, bounds.decimals);
    const unit = decimals > 0 ? 10 ** decimals : 1;
    const round = (value: number) => (decimals >= 0 ? Math.round(value * unit) : value);
    const isEmpty = bounds.minimum !== bounds.minimum;
    const low = isEmpty ? 0 : round(bounds.minimum);
    const range = isEmpty ? 0 : round(bounds.maximum) - low;
    if (!Number.isFinite(range)) return { bound: none, canCount: false };
    if (decimals >= 0 && (range + 1) * capacity <= exactCounters)
      return {
        bound: { of, decimals, low, factor: 1, bucketCount: range + 1, isExact: true, fractions },
        canCount: true,
      };
    const bucketCount = Math.max(leastBucketCount, Math.floor(roughCounters / capacity));
    const factor = bucketCount / range;
    if (range === 0 || !Number.isFinite(factor))
      return { bound: { ...none, decimals, low }, canCount: true };
    return {
      bound: { of, decimals, low, factor, bucketCount, isExact: false, fractions },
      canCount: bucketCount * capacity <= mostRoughCounters,
    };
  }

  /** Puts the states into slots: sums without nulls share slots with the row count and with one another. */
  #allocate(): { readonly slots: readonly Slot[]; readonly places: Places } {
    const slots: Slot[] = [];
    const sums = new Map<string, { sum: Place; count: Place }>();
    let rows: Place = { slot: 0, lane: 0 };
    const plain = [...this.#sums].filter(([, { hasNulls }]) => !hasNulls);
    plain.sort(([, left], [, right]) => Number(right.isExact) - Number(left.isExact));
    const [first, ...others] = plain;
    if (first) {
      const [key, { summand, isExact }] = first;
      rows = { slot: slots.push({ kind: "rowsSum", right: summand, isExact }) - 1, lane: 0 };
      sums.set(key, { sum: { ...rows, lane: 1 }, count: rows });
    } else if (this.#needsRows || this.#sums.size === 0)
      rows = { slot: slots.push({ kind: "rows" }) - 1, lane: 0 };
    while (others.length > 0) {
      const [left, right] = others;
      const isPair = right !== undefined && left[1].isExact === right[1].isExact;
      if (isPair) {
        others.splice(0, 2);
        const slot =
          slots.push({
            kind: "pair",
            left: left[1].summand,
            right: right[1].summand,
            isExact: left[1].isExact,
          }) - 1;
        sums.set(left[0], { sum: { slot, lane: 0 }, count: rows });
        sums.set(right[0], { sum: { slot, lane: 1 }, count: rows });
      } else {
        others.shift();
        const { summand, isExact } = left[1];
        const slot = slots.push({ kind: "rowsSum", right: summand, isExact }) - 1;
        sums.set(left[0], { sum: { slot, lane: 1 }, count: { slot, lane: 0 } });
      }
    }
    for (const [key, { summand, isExact, hasNulls }] of this.#sums) {
      if (!hasNulls) continue;
      const slot = slots.push({ kind: "countSum", right: summand, isExact }) - 1;
      sums.set(key, { sum: { slot, lane: 1 }, count: { slot, lane: 0 } });
    }
    const extents = new Map<string, number>();
    for (const [key, of] of this.#extents) extents.set(key, slots.push({ kind: "extent", of }) - 1);
    const variances = new Map<string, number>();
    for (const [key, of] of this.#variances)
      variances.set(key, slots.push({ kind: "variance", of }) - 1);
    return {
      slots,
      places: {
        rows,
        sum: (key) => found(sums, key),
        extent: (key) => found(extents, key),
        variance: (key) => found(variances, key),
      },
    };
  }
}

/** Where the states of what was registered lie. */
interface Places {
  readonly rows: Place;
  sum(key: string): { readonly sum: Place; readonly count: Place };
  extent(key: string): number;
  variance(key: string): number;
}

function found<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`no state for ${key}`);
  return value;
}

const identities = new WeakMap<object, number>();
let identityCount = 0;

/** A text that is the same for equal expressions; tables are told apart by identity. */
function keyOf(of: object): string {
  return JSON.stringify(of, (_, value: unknown) => {
    if (value instanceof Set) return [...(value as Set<number>)].map(String);
    if (!ArrayBuffer.isView(value)) return typeof value === "number" ? String(value) : value;
    let identity = identities.get(value);
    if (identity === undefined) identities.set(value, (identity = identityCount++));
    return `table ${identity}`;
  });
}

function numberOf({ of }: BoundExpressionValue): BoundValue {
  if (of.kind === "text") throw new TypeError("a text is bound as a number");
  return of;
}

const invalid = (reason: string) => new EngineError("QUERY_PLAN", [reason]);

/** Tells whether an expression gives texts that are made row by row. */
export function isMade(of: BoundValue | BoundText): of is BoundRows {
  return of.kind === "rows" && of.type === "text";
}

/** Each stored code as a number, null for null. */
function stepsOf(textCount: number): Float64Array {
  const numbers = new Float64Array(new SharedArrayBuffer((textCount + 1) * 8));
  for (let code = 0; code <= textCount; code++) numbers[code] = code === 0 ? NaN : code;
  return numbers;
}

/** Names an expression in messages: the column that it starts from. */
function nameOf(expression: Expression): string {
  if (expression.kind === "column") return expression.name;
  return expression.kind;
}
