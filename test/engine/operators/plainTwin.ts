import { limitsOf } from "../../../engine/expressions/binLimits.ts";
import type { BoundCode, BoundTest, BoundValue } from "../../../engine/expressions/boundValue.ts";
import { scalarFunctions } from "../../../engine/expressions/scalarFunctions.ts";
import type { PeriodFloor } from "../../../engine/time/periodFloor.ts";
import type { Period } from "../../../engine/types.ts";
import { truncate } from "../referenceEngine.ts";
import type { GeneratedColumn } from "./columnMaker.ts";

/** The period and the zone of each compiled truncation. Tests register the truncations that they compile here. */
export const floors = new Map<PeriodFloor, { readonly period: Period; readonly zone: string }>();

/** The position of a row in generated columns. */
export interface PlainRow {
  readonly columns: readonly GeneratedColumn[];
  readonly group: number;
  readonly row: number;
}

const starts = new Map<string, number>();

/** Truncates an instant with the calendar of the runtime. Caches the result for each instant. */
export function start(instant: number, period: Period, zone: string): number {
  const key = `${instant} ${period} ${zone}`;
  let found = starts.get(key);
  if (found === undefined) starts.set(key, (found = truncate(instant, period, zone)));
  return found;
}

/** Returns the index of the entry that belongs to a row, in a table that is read by number. */
function placeOf(
  { of, base }: { readonly of: BoundValue; readonly base: number },
  length: number,
  at: PlainRow,
): number {
  const value = plainValue(of, at);
  const place = value - base + 1;
  return Number.isInteger(value) && place >= 1 && place < length ? place : 0;
}

/** Returns the value of a bound expression in a row, as the comments of `BoundValue` define it. NaN stands for null. */
export function plainValue(of: BoundValue, at: PlainRow): number {
  switch (of.kind) {
    case "column":
      return at.columns[of.column].groups[at.group][at.row];
    case "literal":
      return of.value;
    case "byCode":
      return of.values[at.columns[of.column].groups[at.group][at.row]];
    case "byNumber": {
      return of.values[placeOf(of, of.values.length, at)];
    }
    case "rowOf": {
      const value = plainValue(of.of, at);
      const { index } = of;
      if (index.kind === "range") {
        const place = index.places[value - index.base + 1] ?? 0;
        return value >= index.base && place > 0 ? place : NaN;
      }
      const slot = index.keys.findIndex((key, each) => key === value && index.places[each] > 0);
      return slot < 0 ? NaN : index.places[slot];
    }
    case "period": {
      const { period, zone } = floors.get(of.floor)!;
      const instant = plainValue(of.of, at);
      return Number.isNaN(instant) ? NaN : start(instant, period, zone);
    }
    case "bin":
      return limitsOf(of).startOf(plainValue(of.of, at));
    case "case": {
      const branch = of.branches.find(({ when }) => plainTest(when, at));
      return plainValue(branch?.then ?? of.otherwise, at);
    }
    case "call": {
      const parts = of.of.map((part) => plainValue(part, at));
      if (of.function === "datePart" && of.literals?.[0] === "year")
        return new Date(parts[0]).getUTCFullYear();
      const { seesNulls, bind } = scalarFunctions[of.function];
      if (!seesNulls && parts.some(Number.isNaN)) return NaN;
      const value = (bind([]) as (...cells: number[]) => number)(...parts);
      return Number.isFinite(value) ? value : NaN;
    }
    case "rows": {
      const texts = of.inputs.map((input) => {
        if (input.of.kind !== "text") return plainValue(input.of, at);
        return input.of.texts[plainCode(input.of.code, at) - 1] ?? null;
      });
      const [left, right] = texts;
      if (left === null || right === null) return NaN;
      return left < right ? -1 : left > right ? 1 : 0;
    }
  }
}

export function plainTest(test: BoundTest, at: PlainRow): boolean {
  switch (test.kind) {
    case "and":
      return test.of.every((part) => plainTest(part, at));
    case "or":
      return test.of.some((part) => plainTest(part, at));
    case "not":
      return !plainTest(test.of, at);
    case "lookup":
      return test.passes[at.columns[test.column].groups[at.group][at.row]] === 1;
    case "lookupNumber":
      return test.passes[placeOf(test, test.passes.length, at)] === 1;
    case "isNull":
      return Number.isNaN(plainValue(test.left, at));
    case "in":
      return test.values.has(plainValue(test.left, at));
    case "compare": {
      const value = plainValue(test.left, at);
      return {
        "=": value === test.value,
        "<": value < test.value,
        "<=": value <= test.value,
        ">": value > test.value,
        ">=": value >= test.value,
      }[test.operator];
    }
  }
}

export function plainCode(code: BoundCode, at: PlainRow): number {
  switch (code.kind) {
    case "code":
      return code.code;
    case "byCode": {
      const own = at.columns[code.column].groups[at.group][at.row];
      return code.codes ? code.codes[own] : own;
    }
    case "byNumber": {
      return code.codes[placeOf(code, code.codes.length, at)];
    }
    case "case": {
      const branch = code.branches.find(({ when }) => plainTest(when, at));
      return plainCode(branch?.then ?? code.otherwise, at);
    }
  }
}
