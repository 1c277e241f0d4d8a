import type { Segment } from "../column/segment.ts";
import { vectorSize } from "../kernels/kernels.ts";
import type { BoundTest } from "../expressions/boundValue.ts";
import { prune } from "./prune.ts";
import { storedRange, valueRange, type Range } from "./storedRange.ts";
import {
  compileCodes,
  compileVector,
  type Compilation,
  type StoredWidth,
  type Vector,
} from "./vectors.ts";

/** A byte per row to look at, 1 where a predicate is true. */
export type Mask = Vector;

const dayMs = 86_400_000;
const largest = 4_294_967_295;

/** Lists of numbers up to this length are compared one by one. */
const shortList = 8;

/** Compiles a predicate. */
export function compileMask(predicate: BoundTest, compilation: Compilation): Mask {
  const { source, workspace } = compilation;
  const fill = compileFill(predicate, compilation);
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

/** Writes a mask at an address, or answers where it already lies. */
type Fill = (to: number) => number | void;

function compileFill(predicate: BoundTest, compilation: Compilation): Fill {
  const { source } = compilation;
  switch (predicate.kind) {
    case "and":
    case "or": {
      const parts = predicate.of.map((part) => ({ part, mask: compileMask(part, compilation) }));
      const isAnd = predicate.kind === "and";
      const neutral = isAnd ? "all" : "none";
      let groupStamp = -1;
      let open = parts;
      return (to) => {
        const { kernels, arena, rowCount } = source;
        if (groupStamp !== source.groupStamp) {
          groupStamp = source.groupStamp;
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
  const { source, workspace } = compilation;
  const table = workspace.table(passes);
  const set = workspace.table(bitSet(passes));
  const codes = compileCodes({ kind: "byCode", column }, compilation);
  return (to) => {
    const { kernels, base, rowCount } = source;
    const { values } = source.segment(column);
    if (!values) source.arena.u8.fill(passes[0], to, to + rowCount);
    else if (source.isSelected) kernels.lookup[4](codes.read(), rowCount, base + table, to);
    else {
      const width = values.width as StoredWidth;
      const from = source.address(column, values);
      if (width === 1) kernels.member(from, rowCount, base + set, to);
      else kernels.lookup[width](from, rowCount, base + table, to);
    }
  };
}

/** The first 256 bytes of a table as bits. */
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
    const { form, values, nullCount } = source.segment(column);
    if (!values || nullCount === 0)
      source.arena.u8.fill(form === "null" ? 1 : 0, to, to + rowCount);
    else if (source.isSelected) kernels.nullFloat[8](vector.read(), rowCount, to);
    else {
      const from = source.address(column, values);
      if (form === "float") kernels.nullFloat[values.width === 4 ? 4 : 8](from, rowCount, to);
      else kernels.range[values.width as StoredWidth](from, rowCount, 0, 0, to);
    }
  };
}

function compileRange(vector: Vector, { low, high }: Range, { source }: Compilation): Fill {
  return (to) => source.kernels.rangeFloat[8](vector.read(), source.rowCount, low, high, to);
}

function compileRangeOfColumn(column: number, range: Range, compilation: Compilation): Fill {
  const { source, workspace } = compilation;
  const vector = compileVector({ kind: "column", column }, -1, compilation);
  const scratch = workspace.reserve(vectorSize);
  const edge = workspace.reserve(vectorSize);
  return (to) => {
    const { kernels, rowCount } = source;
    const segment = source.segment(column);
    const { form, values } = segment;
    if (!values) source.arena.u8.fill(0, to, to + rowCount);
    else if (source.isSelected)
      kernels.rangeFloat[8](vector.read(), rowCount, range.low, range.high, to);
    else {
      const from = source.address(column, values);
      if (form === "float")
        kernels.rangeFloat[values.width === 4 ? 4 : 8](from, rowCount, range.low, range.high, to);
      else if (form === "whole") {
        const { low, high } = storedRange(segment, range);
        const width = values.width as StoredWidth;
        testStored(compilation, width, from, low, high, to);
      } else {
        const { base } = source;
        testDayTime(compilation, column, segment, range, base + scratch, base + edge, to);
      }
    }
  };
}

function testStored(
  { source }: Compilation,
  width: StoredWidth,
  from: number,
  low: number,
  high: number,
  to: number,
): void {
  const greatest = 2 ** (8 * width) - 1;
  if (low > high || low > greatest) source.arena.u8.fill(0, to, to + source.rowCount);
  else source.kernels.range[width](from, source.rowCount, low, Math.min(high, greatest), to);
}

/** Tests a datetime in two parts: days strictly between the bounds pass, and times decide on the days of the bounds. */
function testDayTime(
  compilation: Compilation,
  column: number,
  segment: Segment,
  { low, high }: Range,
  scratch: number,
  edge: number,
  to: number,
): void {
  const { source } = compilation;
  const { values, times, bias, timeScale } = segment;
  if (!values) return;
  const width = values.width as StoredWidth;
  const days = source.address(column, values);
  const first = Math.ceil(low);
  const last = Math.floor(high);
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
  testStored(compilation, width, days, middleFrom, middleTo, to);
  const testEdge = (day: number, from: number, until: number): void => {
    if (day < 1 || from > until) return;
    const { kernels, rowCount } = source;
    if (!times) {
      if (from > 0) return;
      testStored(compilation, width, days, day, day, scratch);
      kernels.orMask(to, scratch, rowCount, to);
      return;
    }
    const timeWidth = times.width as StoredWidth;
    const greatest = 2 ** (8 * timeWidth) - 1;
    if (from > greatest) return;
    const stored = source.address(column, times, 1);
    testStored(compilation, width, days, day, day, scratch);
    kernels.range[timeWidth](stored, rowCount, from, Math.min(until, greatest), edge);
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
}

function compileIn(
  { left, values }: Extract<BoundTest, { kind: "in" }>,
  compilation: Compilation,
): Fill {
  const { source } = compilation;
  if (values.size <= shortList) {
    const parts = [...values].map((value): BoundTest =>
      value === value ? { kind: "compare", left, operator: "=", value } : { kind: "isNull", left },
    );
    return compileFill({ kind: "or", of: parts }, compilation);
  }
  const vector = compileVector(left, -1, compilation);
  return (to) => {
    const from = vector.read() / 8;
    const { f64, u8 } = source.arena;
    for (let row = 0; row < source.rowCount; row++)
      u8[to + row] = values.has(f64[from + row]) ? 1 : 0;
  };
}
