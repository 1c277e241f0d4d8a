import type { DayTimeSegment, WholeSegment } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundTest } from "../../expressions/boundValue.ts";
import { splitConjuncts, type Conjunct } from "./conjuncts.ts";
import { numberSet } from "./numberSet.ts";
import { passingRuns } from "./passingRuns.ts";
import { prune } from "./prune.ts";
import { storedRange, valueRange, type Range } from "../rows/storedRange.ts";
import type { StoredIntegers, StoredRows } from "../rows/storedColumn.ts";
import type { Compilation, Vector } from "../rows/compilation.ts";
import { compileCodes, compileNumbered, compileVector } from "../rows/vectors.ts";
import { longestAlwaysCompared, longestCompared, tableLength, wayOfList } from "./wayOfList.ts";

/** One byte per active row: 1 if a predicate is true for the row, otherwise 0. */
export type Mask = Vector;

const dayMs = 86_400_000;
const largest = 4_294_967_295;

/** Maximum number of runs of codes that are compared one by one. */
export const mostRuns = 2;

/** Compiles a predicate. */
export function compileMask(predicate: BoundTest, compilation: Compilation): Mask {
  return maskOnce(compileFill(predicate, compilation), compilation);
}

/** Compiles one conjunct of a filter. A range comparison of a column is tested by a dedicated kernel. */
export function compileConjunct({ test, compared }: Conjunct, compilation: Compilation): Mask {
  if (!compared) return compileMask(test, compilation);
  const { column, range } = compared;
  return maskOnce(compileRangeOfColumn(column, range, compilation), compilation);
}

/** Computes a mask once for each set of active rows. */
function maskOnce(fill: Fill, { source, workspace }: Compilation): Mask {
  const place = workspace.reserve(vectorSize);
  let stamp = -1;
  let address = 0;
  return {
    read: () => {
      if (stamp !== source.stamp) {
        const to = source.base + place;
        address = fill(to) ?? to;
        stamp = source.stamp;
      }
      return address;
    },
  };
}

/** Writes a mask to an address, or returns the address at which the mask already is. */
type Fill = (to: number) => number | void;

function compileFill(predicate: BoundTest, compilation: Compilation): Fill {
  const { source } = compilation;
  switch (predicate.kind) {
    case "and":
    case "or": {
      const isAnd = predicate.kind === "and";
      const tests = isAnd ? splitConjuncts(predicate.of) : predicate.of.map((test) => ({ test }));
      const parts = tests.map((each) => ({
        part: each.test,
        mask: compileConjunct(each, compilation),
      }));
      const neutral = isAnd ? "all" : "none";
      let rowGroupStamp = -1;
      let open = parts;
      return (to) => {
        const { kernels, arena, rowCount } = source;
        if (rowGroupStamp !== source.rowGroupStamp) {
          rowGroupStamp = source.rowGroupStamp;
          open = parts.filter(
            ({ part }) => prune(part, (column) => source.segment(column)) !== neutral,
          );
        }
        const combine = isAnd ? kernels.andMask : kernels.orMask;
        let from = -1;
        for (const { mask } of open) {
          const next = mask.read();
          if (from < 0) from = next;
          else {
            combine(from, next, rowCount, to);
            from = to;
          }
        }
        if (from >= 0) return from;
        arena.u8.fill(isAnd ? 1 : 0, to, to + rowCount);
        return to;
      };
    }
    case "not": {
      const of = compileMask(predicate.of, compilation);
      return (to) => source.kernels.notMask(of.read(), source.rowCount, to);
    }
    case "lookup":
      return compileLookup(predicate.column, predicate.passes, compilation);
    case "lookupNumber": {
      const table = compileNumbered(predicate, predicate.passes, compilation);
      return (to) => table.readMask(to);
    }
    case "isNull":
      return predicate.left.kind === "column"
        ? compileNullOfColumn(predicate.left.column, compilation)
        : compileNull(compileVector(predicate.left, -1, compilation), compilation);
    case "compare": {
      const range = valueRange(predicate.operator, predicate.value);
      return predicate.left.kind === "column"
        ? compileRangeOfColumn(predicate.left.column, range, compilation)
        : compileRange(compileVector(predicate.left, -1, compilation), range, compilation);
    }
    case "in":
      return compileIn(predicate, compilation);
  }
}

function compileLookup(column: number, passes: Uint8Array, compilation: Compilation): Fill {
  const runs = passingRuns(passes, mostRuns);
  return runs
    ? compileRuns(column, passes, runs, compilation)
    : compileTable(column, passes, compilation);
}

function compileTable(column: number, passes: Uint8Array, compilation: Compilation): Fill {
  const { source, workspace } = compilation;
  const table = workspace.table(passes);
  const set = workspace.table(bitSet(passes));
  const codes = compileCodes({ kind: "byCode", column }, compilation);
  return (to) => {
    const { kernels, base, rowCount } = source;
    const stored = source.stored(column);
    if (stored?.kind !== "integers") source.arena.u8.fill(passes[0], to, to + rowCount);
    else if (source.isSelected) kernels.lookup[4](codes.read(), rowCount, base + table, to);
    else {
      const { address, width, segment } = stored;
      if (width === 1) kernels.member(address, rowCount, base + set, segment.maximum + 1, to);
      else kernels.lookup[width](address, rowCount, base + table, to);
    }
  };
}

/** Compares stored codes with the bounds of the passing runs, without a table. */
function compileRuns(
  column: number,
  passes: Uint8Array,
  runs: readonly Range[],
  compilation: Compilation,
): Fill {
  const { source, workspace } = compilation;
  const set = workspace.table(bitSet(passes));
  const widened = workspace.reserve(vectorSize * 4);
  const scratch = workspace.reserve(vectorSize);
  const [first = { low: 1, high: 0 }, ...others] = runs;
  return (to) => {
    const { kernels, arena, base, rowCount, isSelected } = source;
    const stored = source.stored(column);
    if (stored?.kind !== "integers") arena.u8.fill(passes[0], to, to + rowCount);
    else if (stored.width === 1 && !isSelected && others.length > 0)
      kernels.member(stored.address, rowCount, base + set, stored.segment.maximum + 1, to);
    else {
      const codes = stored.read(base + widened);
      testStored(compilation, codes, first.low, first.high, to);
      for (const { low, high } of others) {
        testStored(compilation, codes, low, high, base + scratch);
        kernels.orMask(to, base + scratch, rowCount, to);
      }
    }
  };
}

/** Returns the first 256 bytes of a table as bits. */
function bitSet(passes: Uint8Array): Uint8Array {
  const set = new Uint8Array(32);
  for (let code = 0; code < Math.min(256, passes.length); code++)
    if (passes[code]) set[code >> 3] |= 1 << (code & 7);
  return set;
}

function compileNull(vector: Vector, { source }: Compilation): Fill {
  return (to) => source.kernels.nullFloat[8](vector.read(), source.rowCount, to);
}

function compileNullOfColumn(column: number, compilation: Compilation): Fill {
  const { source } = compilation;
  const vector = compileVector({ kind: "column", column }, -1, compilation);
  return (to) => {
    const { kernels, rowCount } = source;
    const stored = source.stored(column);
    if (!stored || stored.segment.nullCount === 0)
      source.arena.u8.fill(stored ? 0 : 1, to, to + rowCount);
    else if (source.isSelected) kernels.nullFloat[8](vector.read(), rowCount, to);
    else stored.maskNulls(to);
  };
}

function compileRange(vector: Vector, { low, high }: Range, { source }: Compilation): Fill {
  return (to) => source.kernels.rangeFloat[8](vector.read(), source.rowCount, low, high, to);
}

function compileRangeOfColumn(column: number, range: Range, compilation: Compilation): Fill {
  const { source, workspace } = compilation;
  const vector = compileVector({ kind: "column", column }, -1, compilation);
  const dayTime = compileDayTime(range, compilation);
  const widened = workspace.reserve(vectorSize * 4);
  return (to) => {
    const { kernels, rowCount, base, isSelected } = source;
    const stored = source.stored(column);
    if (!stored || range.low > range.high) source.arena.u8.fill(0, to, to + rowCount);
    else if (stored.kind === "floats") {
      const width = isSelected ? 8 : stored.segment.values.width;
      const from = isSelected ? vector.read() : stored.address;
      kernels.rangeFloat[width](from, rowCount, range.low, range.high, to);
    } else {
      const { segment } = stored;
      const rows = stored.read(base + widened);
      if (segment.form === "whole") {
        const { low, high } = storedRange(segment, range);
        testStored(compilation, rows, low, high, to);
      } else if (segment.form === "dayTime") dayTime(segment, stored, rows, to);
      else throw new TypeError("codes of strings cannot be compared with numbers");
    }
  };
}

function testStored(
  { source }: Compilation,
  { address, width }: StoredRows,
  low: number,
  high: number,
  to: number,
): void {
  const greatest = 2 ** (8 * width) - 1;
  if (low > high || low > greatest) source.arena.u8.fill(0, to, to + source.rowCount);
  else source.kernels.range[width](address, source.rowCount, low, Math.min(high, greatest), to);
}

/**
 * Tests a datetime in two steps: days strictly between the bounds pass; on the days of the bounds, the time of day
 * decides.
 */
function compileDayTime(
  { low, high }: Range,
  compilation: Compilation,
): (segment: DayTimeSegment, stored: StoredIntegers, days: StoredRows, to: number) => void {
  const { source, workspace } = compilation;
  const scratchPlace = workspace.reserve(vectorSize);
  const edgePlace = workspace.reserve(vectorSize);
  const timesPlace = workspace.reserve(vectorSize * 4);
  const first = Math.ceil(low);
  const last = Math.floor(high);

  return (segment, stored, days, to) => {
    const { bias, timeScale } = segment;
    const times = stored.timesOf(segment);
    const firstDay = Number.isFinite(first) ? Math.floor(first / dayMs) - bias : 0;
    const lastDay = Number.isFinite(last) ? Math.floor(last / dayMs) - bias : largest;
    const fromTime = Number.isFinite(first)
      ? Math.ceil((first - (firstDay + bias) * dayMs) / timeScale)
      : 0;
    const toTime = Number.isFinite(last)
      ? Math.floor((last - (lastDay + bias) * dayMs) / timeScale)
      : largest;
    const isFirstWhole = fromTime === 0;
    const isLastWhole = !Number.isFinite(last) || (toTime + 1) * timeScale >= dayMs;
    const middleFrom = Math.max(1, isFirstWhole ? firstDay : firstDay + 1);
    const middleTo = isLastWhole ? lastDay : lastDay - 1;
    testStored(compilation, days, middleFrom, middleTo, to);
    const testEdge = (day: number, from: number, until: number): void => {
      if (day < 1 || from > until) return;
      const { kernels, rowCount, base } = source;
      const scratch = base + scratchPlace;
      if (!times) {
        if (from > 0) return;
        testStored(compilation, days, day, day, scratch);
        kernels.orMask(to, scratch, rowCount, to);
        return;
      }
      const timesOfRows = times.read(base + timesPlace);
      const edge = base + edgePlace;
      testStored(compilation, days, day, day, scratch);
      testStored(compilation, timesOfRows, from, until, edge);
      kernels.andMask(scratch, edge, rowCount, scratch);
      kernels.orMask(to, scratch, rowCount, to);
    };
    if (firstDay === lastDay) {
      if (isFirstWhole && isLastWhole) return;
      testEdge(firstDay, Math.max(0, fromTime), toTime);
      return;
    }
    if (!isFirstWhole) testEdge(firstDay, fromTime, largest);
    if (!isLastWhole) testEdge(lastDay, 0, toTime);
  };
}

function compileIn(
  { left, values }: Extract<BoundTest, { kind: "in" }>,
  compilation: Compilation,
): Fill {
  const { source } = compilation;
  const compileCompared = (): Fill => {
    const of = [...values].map((value): BoundTest =>
      value === value ? { kind: "compare", left, operator: "=", value } : { kind: "isNull", left },
    );
    return compileFill({ kind: "or", of }, compilation);
  };
  const compileSearched = (): Fill => {
    const vector = compileVector(left, -1, compilation);
    const set = numberSet(values);
    return (to) => set.test(source.arena, vector.read(), source.rowCount, to);
  };
  const { size } = values;
  if (left.kind !== "column")
    return wayOfList(size, undefined) === "compared" ? compileCompared() : compileSearched();
  const { column } = left;
  const isCompared = size <= longestCompared;
  const others = isCompared ? compileCompared() : compileSearched();
  if (size <= longestAlwaysCompared) return others;
  const tabulated = compileMembers(column, values, compilation);
  return (to) =>
    wayOfList(size, source.segment(column)) === "tabulated" ? tabulated(to) : others(to);
}

/** Looks stored numbers up in a table of the numbers that pass, which is written for each row group. */
function compileMembers(
  column: number,
  values: ReadonlySet<number>,
  { source, workspace }: Compilation,
): Fill {
  const place = workspace.reserve(tableLength);
  const widened = workspace.reserve(vectorSize * 4);
  let written: Pick<typeof source, "arena" | "base" | "rowGroupStamp"> | undefined;
  return (to) => {
    const { kernels, arena, base, rowCount, rowGroupStamp } = source;
    const stored = source.stored(column);
    if (stored?.kind !== "integers" || stored.segment.form !== "whole")
      throw new TypeError("only whole numbers have a table");
    const table = base + place;
    if (
      written?.arena !== arena ||
      written.base !== base ||
      written.rowGroupStamp !== rowGroupStamp
    ) {
      writeMembers(values, stored.segment, arena.u8.subarray(table, table + tableLength));
      written = { arena, base, rowGroupStamp };
    }
    const { address, width } = stored.read(base + widened);
    kernels.lookup[width](address, rowCount, table, to);
  };
}

/** Writes 1 for each stored number that passes, and 0 for all others that the row group may contain. 0 is null. */
function writeMembers(values: ReadonlySet<number>, segment: WholeSegment, table: Uint8Array): void {
  const length = 2 ** (8 * segment.values.width);
  table.fill(0, 0, length);
  for (const value of values) {
    const { low, high } = storedRange(segment, { low: value, high: value });
    if (low === high && low < length) table[low] = 1;
  }
  if (values.has(NaN)) table[0] = 1;
}
