import { aggregates } from "../aggregates.ts";
import { EngineError } from "../errors.ts";
import { bindExpression, type BoundExpressionValue } from "../expressions/bindExpression.ts";
import type { BoundTest, BoundValue } from "../expressions/boundValue.ts";
import { numberByCode } from "../expressions/numberByCode.ts";
import { scales } from "./scaledSums.ts";
import { digestBytes } from "./stateLayout.ts";
import { sketchRegisters } from "../sketches/hyperLogLog.ts";
import type { Expression, Output } from "../types.ts";
import {
  allocateSlots,
  type NumberPair,
  type RegisteredSum,
  type SlotDoubles,
} from "./allocateSlots.ts";
import { bindDistinct } from "./bindDistinct.ts";
import { bindKey } from "./bindKey.ts";
import { bindQuantile } from "./bindQuantile.ts";
import { boundsOf } from "./boundsOf.ts";
import type {
  BoundDistinct,
  BoundGrouping,
  BoundKey,
  BoundOutput,
  Slot,
  Summand,
} from "./boundPlan.ts";
import { checkAggregate, type Aggregate } from "./checkAggregate.ts";
import { deriveKeys } from "./deriveKeys.ts";
import { fitsBitmaps } from "./fitsBitmaps.ts";
import { largestOf } from "./largestOf.ts";
import { largestOnLine, lineOf, type Line } from "./lineOf.ts";
import { narrowKey } from "./narrowKey.ts";
import { isComputedText } from "./isComputedText.ts";
import { largestCapacity } from "./numberedRanges.ts";
import type { PlanSource } from "./planSource.ts";
import { ranksByCode, rankTexts } from "./rankTexts.ts";
import { Registered } from "./registered.ts";

/**
 * Groups form an array if the product of the keys' cardinalities is at most `smallCapacity`, or at most `groupsPerRow`
 * times the number of rows.
 */
const smallCapacity = 4096;
const groupsPerRow = 4;
/**
 * Maximum bytes of states for which groups form an array. It applies to the states of a task, and to the ordered states
 * of all lanes.
 */
const largestStateBytes = 2 ** 28;
/** Maximum bytes of sketches, and of digests per lane, if groups form an array. */
const largestSketchBytes = 2 ** 26;
const largestDigestBytes = 2 ** 24;
/** Keys are narrowed to the values that pass the filter if there are more groups than this. */
const leastNarrowed = 1024;
/** Sums of whole numbers below this limit are exact. The limit leaves a margin for the intermediate steps of adding. */
const exactLimit = 2 ** 52;

/**
 * Binds the keys and aggregates of a grouped plan: the states per group, and the outputs computed from them. `filter`
 * is the filter of the plan.
 * @throws {EngineError} COLUMN_UNKNOWN, COLUMN_TYPE, QUERY_PLAN
 */
export function bindGrouping(
  outputs: readonly Output[],
  source: PlanSource,
  filter?: BoundTest,
): BoundGrouping {
  const binder = new GroupingBinder(source, filter);
  return binder.bind(outputs);
}

class GroupingBinder {
  readonly #source: PlanSource;
  readonly #filter: BoundTest | undefined;
  readonly #sums = new Map<string, RegisteredSum>();
  readonly #extents = new Map<string, Summand>();
  readonly #variances = new Map<string, BoundValue>();
  readonly #covariances = new Map<string, NumberPair>();
  readonly #distincts = new Registered<BoundDistinct>();
  readonly #quantiles = new Registered<{ readonly of: BoundValue; readonly fractions: number[] }>();
  readonly #sketches = new Registered<BoundValue>();
  readonly #digests = new Registered<BoundValue>();
  #needsRows = false;
  #capacity = 1;

  constructor(source: PlanSource, filter: BoundTest | undefined) {
    this.#source = source;
    this.#filter = filter;
  }

  bind(outputs: readonly Output[]): BoundGrouping {
    const { keys: bound, outputs: keyOutputs } = deriveKeys(
      outputs.flatMap((output) =>
        output.kind === "key" ? [bindKey(output.of, this.#source)] : [],
      ),
    );
    const filter = capacityOf(bound) > leastNarrowed ? this.#filter : undefined;
    const keys = filter ? bound.map((key) => narrowKey(key, filter)) : bound;
    const capacity = capacityOf(keys);
    this.#capacity = capacity;
    let keyCount = 0;
    const makers = outputs.map((output): ((places: SlotDoubles) => BoundOutput) => {
      if (output.kind === "key") {
        const key = keyOutputs[keyCount++];
        return () => key;
      }
      checkAggregate(output);
      return this.#aggregate(output);
    });
    this.#needsRows ||= keys.length > 0;
    const { slots, places } = allocateSlots({
      sums: this.#sums,
      extents: this.#extents,
      variances: this.#variances,
      covariances: this.#covariances,
      needsRows: this.#needsRows,
    });
    const distincts = this.#distincts.values;
    const quantiles = this.#quantiles.values.map((quantile) =>
      bindQuantile(quantile, capacity, this.#source),
    );
    const isDirect = this.#isDirect(capacity, slots, distincts);
    const paired = isDirect && {
      distincts: indicesOf(
        distincts,
        (distinct) => !fitsBitmaps(distinct, capacity, this.#source.snapshot.rowCount),
      ),
      quantiles: indicesOf(quantiles, ({ canCount }) => !canCount),
    };
    return {
      mode: isDirect ? "direct" : "hash",
      capacity: isDirect ? capacity : 0,
      keys,
      slots,
      rows: places.rows,
      distincts,
      quantiles: quantiles.map((quantile) => quantile.bound),
      ...(paired && { paired }),
      sketches: this.#sketches.values,
      digests: this.#digests.values,
      outputs: makers.map((make) => make(places)),
    };
  }

  #isDirect(
    capacity: number,
    slots: readonly Slot[],
    distincts: readonly BoundDistinct[],
  ): boolean {
    const { rowCount } = this.#source.snapshot;
    const isSmall =
      capacity <= smallCapacity ||
      (capacity <= largestCapacity && capacity <= rowCount * groupsPerRow);
    if (!isSmall || capacity * slots.length * 16 > largestStateBytes) return false;
    if (capacity * this.#sketches.values.length * sketchRegisters > largestSketchBytes)
      return false;
    return distincts.every(({ kind }) => kind !== "computed");
  }

  #aggregate(output: Aggregate): (places: SlotDoubles) => BoundOutput {
    const { of } = output;
    if (!of) {
      this.#needsRows = true;
      return ({ rows }) => ({ kind: "count", count: rows });
    }
    const bound = bindExpression(of, this.#source);
    if (bound.type !== "number" && aggregates[output.function].argument === "number")
      throw new EngineError("COLUMN_TYPE", [nameOf(of), bound.type, "number"]);
    switch (output.function) {
      case "sum":
      case "average":
      case "cumulativesum": {
        const value = numberOf(bound);
        const kind = output.function;
        const series = output.per && { per: output.per };
        const line = this.#line(value);
        if (line) {
          const { key, decimals } = this.#sum(line.of);
          const { factor, shift } = line;
          return (places) => ({
            kind,
            decimals,
            ...series,
            ...places.sum(key),
            line: { factor, shift },
          });
        }
        const { key, decimals } = this.#sum(value);
        if (!this.#passes(this.#largest(value)))
          return (places) => ({ kind, decimals, ...series, ...places.sum(key) });
        const scaled = this.#sum(times(value, scales.sum)).key;
        return (places) => ({
          kind,
          decimals,
          ...series,
          ...places.sum(key),
          scaled: places.sum(scaled).sum,
        });
      }
      case "weightedaverage":
        return this.#weightedAverage(
          numberOf(bound),
          this.#number(output.weight, "weightedaverage"),
        );
      case "count": {
        const { key } = this.#sum(this.#presence(bound, of), true);
        return (places) => ({ kind: "count", count: places.sum(key).count });
      }
      case "min":
      case "max":
        return this.#extent(bound, output.function === "min" ? "least" : "greatest");
      case "stddev": {
        const value = numberOf(bound);
        const key = keyOf(value);
        this.#variances.set(key, value);
        const largest = this.#largest(value);
        if (!this.#passes(largest * largest))
          return (places) => ({ kind: "stddev", variance: places.variance(key) });
        const small = times(value, scales.square);
        const scaled = keyOf(small);
        this.#variances.set(scaled, small);
        return (places) => ({
          kind: "stddev",
          variance: places.variance(key),
          scaled: places.variance(scaled),
        });
      }
      case "corr":
        return this.#correlation(numberOf(bound), this.#number(output.other, "corr"));
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
      default:
        throw invalid(`${output.function satisfies never} is not bound`);
    }
  }

  /** Registers a sum, or only the number of its values. The returned key identifies the sum and the number. */
  #sum(of: BoundValue, isCounted = false): { readonly key: string; readonly decimals: number } {
    const key = keyOf(of);
    const known = this.#sums.get(key);
    if (known) {
      if (known.isCounted && !isCounted) this.#sums.set(key, { ...known, isCounted });
      return { key, decimals: known.summand.decimals };
    }
    const column = of.kind === "column" ? this.#source.columns[of.column] : undefined;
    const bounds = boundsOf(of, this.#source.columns);
    // Sums of other computed decimals would be more exact as whole numbers, but each value is rounded as a double.
    const decimals = column?.decimals ?? (bounds?.decimals === 0 ? 0 : -1);
    const { rowCount } = this.#source.snapshot;
    const isExact = decimals >= 0 && rowCount * this.#largest(of) * 10 ** decimals < exactLimit;
    this.#sums.set(key, {
      summand: { of, decimals },
      isExact,
      hasNulls: bounds?.hasNulls ?? true,
      isCounted,
    });
    return { key, decimals };
  }

  /**
   * Returns the line of a sum over a column; undefined if the sum must be computed from the values. The sum of a line
   * is exact, so it equals the line of the sum.
   */
  #line(of: BoundValue): Line | undefined {
    if (of.kind === "column") return undefined;
    const line = lineOf(of, this.#source.columns);
    if (!line) return undefined;
    const largest = largestOnLine(line, this.#source.columns);
    return largest * this.#source.snapshot.rowCount < exactLimit ? line : undefined;
  }

  #countDistinct(bound: BoundExpressionValue): (places: SlotDoubles) => BoundOutput {
    const distinct = this.#distinctIndex(bound);
    return () => ({ kind: "distinct", distinct });
  }

  #distinctIndex(bound: BoundExpressionValue): number {
    const key = keyOf(bound.of.kind === "text" ? bound.of.code : bound.of);
    return this.#distincts.register(key, () => bindDistinct(bound, this.#source));
  }

  #percentile(bound: BoundExpressionValue, fraction = 0.5): (places: SlotDoubles) => BoundOutput {
    const value = numberOf(bound);
    const key = keyOf(value);
    const quantile = this.#quantiles.register(key, () => ({ of: value, fractions: [] }));
    const { fractions } = this.#quantiles.values[quantile];
    if (!fractions.includes(fraction)) fractions.push(fraction);
    return () => ({ kind: "percentile", quantile, fraction });
  }

  /**
   * Registers a sketch. Returns undefined for computed strings, which are not numbered, or if bitmaps can count
   * exactly, which is faster.
   */
  #sketch(bound: BoundExpressionValue): number | undefined {
    const { of } = bound;
    if (isComputedText(of)) return undefined;
    const exact = bindDistinct(bound, this.#source);
    const isHash = this.#capacity > largestCapacity;
    const { rowCount } = this.#source.snapshot;
    if (!isHash && fitsBitmaps(exact, this.#capacity, rowCount)) return undefined;
    const value = of.kind === "text" ? numberByCode(of.code, stepsOf(of.textCount)) : of;
    const key = keyOf(of.kind === "text" ? of.code : of);
    return this.#sketches.register(key, () => value);
  }

  /**
   * Registers a digest. Returns undefined if the plan has too many groups, or if percentiles can be counted exactly,
   * which is faster.
   */
  #digest(of: BoundValue): number | undefined {
    const isHash = this.#capacity > largestCapacity;
    const isLarge = this.#capacity * digestBytes > largestDigestBytes;
    const known = bindQuantile({ of, fractions: [] }, this.#capacity, this.#source);
    if (!isHash && (isLarge || known.canCount)) return undefined;
    return this.#digests.register(keyOf(of), () => of);
  }

  /** Returns a value that can be counted in place of an expression, because it is null in exactly the same rows. */
  #presence({ of }: BoundExpressionValue, expression: Expression): BoundValue {
    if (isComputedText(of)) {
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

  /** Binds the second number of an aggregate. */
  #number(expression: Expression | undefined, aggregate: string): BoundValue {
    if (!expression) throw invalid(`${aggregate} needs a second expression`);
    const bound = bindExpression(expression, this.#source);
    if (bound.type !== "number")
      throw new EngineError("COLUMN_TYPE", [nameOf(expression), bound.type, "number"]);
    return numberOf(bound);
  }

  #correlation(left: BoundValue, right: BoundValue): (places: SlotDoubles) => BoundOutput {
    const keys = this.#withScaled(left).flatMap((one) =>
      this.#withScaled(right).map((other) => {
        const pair = { left: one, right: other };
        const key = keyOf(pair);
        this.#covariances.set(key, pair);
        return key;
      }),
    );
    return (places) => ({ kind: "corr", covariances: keys.map((key) => places.covariance(key)) });
  }

  /** Returns a value and, if its squares may exceed the range of doubles, also the scaled value. */
  #withScaled(of: BoundValue): readonly BoundValue[] {
    const largest = this.#largest(of);
    return this.#passes(largest * largest) ? [of, times(of, scales.square)] : [of];
  }

  #weightedAverage(of: BoundValue, factor: BoundValue): (places: SlotDoubles) => BoundOutput {
    const sums = (value: BoundValue, by: BoundValue) => ({
      product: this.#sum({ kind: "call", function: "multiply", of: [value, by] }).key,
      weights: this.#sum({
        kind: "case",
        branches: [{ when: { kind: "isNull", left: of }, then: { kind: "literal", value: NaN } }],
        otherwise: by,
      }).key,
    });
    const whole = sums(of, factor);
    const made = (places: SlotDoubles) =>
      ({
        kind: "weightedaverage",
        ...places.sum(whole.product),
        weight: places.sum(whole.weights).sum,
      }) as const;
    const largest = this.#largest(factor);
    if (!this.#passes(Math.max(largest, largest * this.#largest(of)))) return made;
    const scaled = sums(times(of, scales.square), times(factor, scales.square));
    return (places) => ({
      ...made(places),
      scaled: {
        sum: places.sum(scaled.product).sum,
        weight: places.sum(scaled.weights).sum,
        weightCount: places.sum(whole.weights).count,
      },
    });
  }

  #largest(of: BoundValue): number {
    return largestOf(of, this.#source.columns);
  }

  /** Returns whether sums of numbers up to `largest` may exceed the range of doubles. */
  #passes(largest: number): boolean {
    return !(largest * this.#source.snapshot.rowCount * 4 < Number.MAX_VALUE);
  }

  #extent(
    bound: BoundExpressionValue,
    kind: "least" | "greatest",
  ): (places: SlotDoubles) => BoundOutput {
    const { of } = bound;
    if (of.kind === "text") {
      const order = rankTexts(of);
      const key = `rank ${keyOf(of.code)}`;
      this.#extents.set(key, { of: numberByCode(of.code, ranksByCode(order)), decimals: -1 });
      return (places) => ({
        kind,
        extent: places.extent(key),
        decimals: -1,
        codesByRank: order.codes,
      });
    }
    if (isComputedText(of)) {
      const distinct = this.#distinctIndex(bound);
      return () => ({ kind: kind === "least" ? "firstText" : "lastText", distinct });
    }
    const column = of.kind === "column" ? this.#source.columns[of.column] : undefined;
    const decimals = column && column.decimals > 0 ? column.decimals : -1;
    const key = keyOf(of);
    this.#extents.set(key, { of, decimals });
    return (places) => ({ kind, extent: places.extent(key), decimals });
  }
}

const capacityOf = (keys: readonly BoundKey[]): number =>
  keys.reduce((product, key) => product * ("cardinality" in key ? key.cardinality : Infinity), 1);

function times(of: BoundValue, factor: number): BoundValue {
  return { kind: "call", function: "multiply", of: [of, { kind: "literal", value: factor }] };
}

const identities = new WeakMap<object, number>();
let identityCount = 0;

/** Returns a string that is equal for equal expressions. Tables are compared by identity. */
function keyOf(of: object): string {
  return JSON.stringify(of, (_, value: unknown) => {
    if (value instanceof Set) return [...value].map(String);
    if (!ArrayBuffer.isView(value)) return typeof value === "number" ? String(value) : value;
    let identity = identities.get(value);
    if (identity === undefined) identities.set(value, (identity = identityCount++));
    return `table ${identity}`;
  });
}

function numberOf({ of }: BoundExpressionValue): BoundValue {
  if (of.kind === "text") throw new TypeError("a text expression is bound as a number");
  return of;
}

function indicesOf<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly number[] {
  return items.flatMap((item, index) => (test(item) ? [index] : []));
}

const invalid = (reason: string) => new EngineError("QUERY_PLAN", [reason]);

/** Returns a table that maps each stored code to the code itself as a number, and null to null. */
function stepsOf(textCount: number): Float64Array {
  const numbers = new Float64Array(new SharedArrayBuffer((textCount + 1) * 8));
  for (let code = 0; code <= textCount; code++) numbers[code] = code === 0 ? NaN : code;
  return numbers;
}

/** Returns the name of an expression for error messages: the name of the first column that the expression reads. */
function nameOf(expression: Expression): string {
  if (expression.kind === "column") return expression.name;
  return expression.kind;
}
