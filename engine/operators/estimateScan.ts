import { rowGroupSize, type Segment } from "../column/segment/segment.ts";
import type { BoundTest, BoundValue } from "../expressions/boundValue.ts";
import type { BoundGrouping, BoundKey, BoundPlan, Slot } from "../plan/boundPlan.ts";
import { estimateTest, storedCost } from "./filter/estimateTest.ts";
import { prune } from "./filter/prune.ts";
import { boundSegment } from "./rows/boundSegment.ts";
import type { Arena } from "./task/arena.ts";

/** Maximum number of row groups whose zone maps are read, which takes a few microseconds each. */
const mostRowGroups = 256;
const rowGroupNs = 3000;
/** Nanoseconds per row to number it within few groups, or within more, and to fold it. */
const keyCost = { few: 0.1, many: 0.3 };
const foldCost = { one: 0.1, grouped: 0.2 };
/**
 * Nanoseconds per row to leave rows out by a mask, which is possible for few groups, and per row that passes a filter.
 */
const maskCost = 0.1;
const passingCost = 0.7;
/** Nanoseconds per byte to copy the table of a test. */
const tableByteCost = 0.1;
const fewGroups = 16;
/** Maximum number of listed values that kernels compare one by one. */
const mostListed = 8;

/**
 * Estimates the nanoseconds in which one thread scans a grouped plan, from zone maps only. Stops soon after `most` is
 * exceeded. Returns Infinity for plans that do more than compare, group and fold stored columns, for which the estimate
 * would be too rough.
 */
export function estimateScan(plan: BoundPlan, arenas: readonly Arena[], most: number): number {
  const { grouping, filter, deleted, rowCount, columns } = plan;
  const rowGroupCount = Math.ceil(rowCount / rowGroupSize);
  if (!grouping || deleted || rowGroupCount > mostRowGroups) return Infinity;
  const read = columnsRead(grouping);
  if (!read || (filter && !isPlainTest(filter))) return Infinity;
  let cost = filter ? tableBytes(filter) * tableByteCost : 0;
  for (let rowGroup = 0; rowGroup < rowGroupCount && cost <= most; rowGroup++) {
    const segmentOf = (column: number) => boundSegment(columns, column, rowGroup, arenas);
    cost += rowGroupNs;
    const pruning = filter ? prune(filter, segmentOf) : "all";
    if (pruning === "none") continue;
    const isSummed = pruning === "all" && read.keys.length === 0;
    if (isSummed && read.slots.every((slot) => isSummarized(slot, segmentOf))) continue;
    let perRow = foldingCost(read, grouping.capacity, segmentOf);
    if (filter && pruning === "some") {
      const { cost: testCost, share } = estimateTest(filter, segmentOf);
      const listed = share * (perRow + passingCost);
      const masked = grouping.capacity <= fewGroups ? perRow + maskCost : Infinity;
      perRow = testCost + Math.min(listed, masked);
    }
    cost += perRow * Math.min(rowGroupSize, rowCount - rowGroup * rowGroupSize);
  }
  return cost;
}

/** The columns that a grouping reads: one per key, and those of each slot. */
interface ReadColumns {
  readonly keys: readonly number[];
  readonly slots: readonly (readonly number[])[];
}

/** Returns the columns that a grouping reads; undefined if it reads anything but columns. */
function columnsRead({ keys, slots }: BoundGrouping): ReadColumns | undefined {
  const keyColumns = keys.map(columnOfKey);
  const slotColumns = slots.map((slot) => valuesOf(slot)?.map(columnOf));
  const isColumn = (column: number | undefined) => column !== undefined;
  if (!keyColumns.every(isColumn)) return undefined;
  const read: (readonly number[])[] = [];
  for (const each of slotColumns) {
    if (!each?.every(isColumn)) return undefined;
    read.push(each.filter(isColumn));
  }
  return { keys: keyColumns.filter(isColumn), slots: read };
}

function columnOfKey(key: BoundKey): number | undefined {
  if (key.kind === "text")
    return key.code.kind === "byCode" && !key.code.codes ? key.code.column : undefined;
  return key.kind === "whole" && (key.step ?? 1) === 1 ? columnOf(key.of) : undefined;
}

const columnOf = (of: BoundValue) => (of.kind === "column" ? of.column : undefined);

/** Returns the values that a slot folds; undefined for slots that take longer. */
function valuesOf(slot: Slot): readonly BoundValue[] | undefined {
  switch (slot.kind) {
    case "rows":
      return [];
    case "rowsSum":
    case "countSum":
      return [slot.right.of];
    case "count":
      return [slot.of];
    case "pair":
      return [slot.left.of, slot.right.of];
    case "extent":
      return [slot.of.of];
    case "variance":
    case "covariance":
      return undefined;
  }
}

type SegmentOf = (column: number) => Segment;

/** Returns whether the zone maps of a row group contain the sums and extremes of columns. Floats have no sums. */
function isSummarized(columns: readonly number[], segmentOf: SegmentOf): boolean {
  return columns.every((column) => segmentOf(column).form !== "float");
}

function foldingCost({ keys, slots }: ReadColumns, capacity: number, segmentOf: SegmentOf): number {
  const isFew = capacity <= fewGroups;
  let cost = 0;
  for (const key of keys) cost += isFew ? keyCost.few : keyCost.many + storedCost(segmentOf(key));
  for (const columns of slots) {
    if (!isFew) cost += foldCost.grouped;
    for (const column of columns)
      cost += (keys.length > 0 ? foldCost.grouped : foldCost.one) + storedCost(segmentOf(column));
  }
  return cost;
}

/** Returns whether a test compares columns with constants, or looks their codes up. */
function isPlainTest(test: BoundTest): boolean {
  switch (test.kind) {
    case "and":
    case "or":
      return test.of.every(isPlainTest);
    case "not":
      return isPlainTest(test.of);
    case "lookup":
      return true;
    case "lookupNumber":
      return false;
    case "in":
      return test.left.kind === "column" && test.values.size <= mostListed;
    case "compare":
    case "isNull":
      return test.left.kind === "column";
  }
}

function tableBytes(test: BoundTest): number {
  if (test.kind === "and" || test.kind === "or")
    return test.of.reduce((sum, part) => sum + tableBytes(part), 0);
  if (test.kind === "not") return tableBytes(test.of);
  return test.kind === "lookup" ? test.passes.byteLength : 0;
}
