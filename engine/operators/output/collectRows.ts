import type { BoundCell, BoundOrder, BoundPlan } from "../../plan/boundPlan.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import { gather, rankNumbers, sort, weigh } from "./sort.ts";
import type { GroupLimit } from "../../types.ts";
import { cutGroups } from "./cutAnswer.ts";
import { createGroupLeaders, type GroupLeaders } from "./groupLeaders.ts";
import { compileWindow, mayPass } from "./orderBuckets.ts";
import type { ComputedTexts } from "../rows/computedTexts.ts";
import { compactTexts, rankCodes } from "../rows/computedTexts.ts";
import { compileNumbering, type Numbering } from "../keys/numbering.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileComputedCodes } from "../rows/computedCodes.ts";
import { compileCodes, compileVector } from "../rows/vectors.ts";

/** Minimum number of collected rows before the rows that a group limit removes are dropped for the first time. */
const leastGrouped = 65_536;

/** Number of rows that are collected before those that a group limit keeps are found. */
const leastLeading = 16_384;
/**
 * The same, if rows that cannot be kept are not collected. The sooner the kept rows are found, the more are left out.
 */
const leastNarrowed = 4096;

/**
 * Collects the rows of an ungrouped plan. With a limit, keeps the rows that can be in the answer; the number of other
 * rows that it keeps is at most about the same.
 */
export interface RowCollector {
  /** Returns whether no further row of the lane can be in the answer. */
  isFull(): boolean;
  /** Returns whether no row of the row group can be in the answer. */
  canSkip(): boolean;
  /** Prepares for a row group that is not skipped. */
  readonly openRowGroup?: () => void;
  add(): void;
  /** Ends a lane and returns its rows. With a group limit, rows may be kept until `finish` instead. */
  take(lane: number): CollectedRows;
  /** Returns the kept rows of each lane. Absent if no rows are kept. */
  readonly finish?: () => readonly (CollectedRows & { readonly lane: number })[];
}

/**
 * Rows, one column per cell, as stored codes or numbers, and the strings behind the codes of computed strings.
 */
export interface CollectedRows {
  readonly rows: Float64Array[];
  readonly texts: readonly ComputedTexts[];
}

/** Compiles the cells of an ungrouped plan. */
export function compileRowCollector(
  plan: BoundPlan,
  cells: readonly BoundCell[],
  compilation: Compilation,
): RowCollector {
  const { source, workspace } = compilation;
  const { groupLimit, windows = [] } = plan;
  const narrows = windows.map((window) => compileWindow(window, plan.order, cells, compilation));
  const wanted = plan.limit && !groupLimit ? plan.limit.offset + plan.limit.count : Infinity;
  const readers = cells.map((cell) => {
    if (cell.kind === "computed") {
      const computed = compileComputedCodes(cell.of, compilation);
      return { isText: true, vector: computed, computed };
    }
    return cell.kind === "text"
      ? { isText: true, vector: compileCodes(cell.code, compilation), computed: undefined }
      : { isText: false, vector: compileVector(cell.of, -1, compilation), computed: undefined };
  });
  const isTop = plan.order.length > 0 && wanted !== Infinity;
  const [firstOrder] = plan.order;
  const canNarrow = isTop && cells[firstOrder.output].kind !== "computed";
  const ranked = workspace.reserve(vectorSize * 4);
  const mask = workspace.reserve(vectorSize);
  const rankTable = firstOrder?.ranks && workspace.table(rankNumbers(firstOrder.ranks));
  let columns: Float64Array[] = cells.map(() => new Float64Array(0));
  let rowCount = 0;
  let worst = Infinity;
  /** Number of rows at which rows that a group limit removes are dropped. It doubles if most rows are kept. */
  let mostGrouped = groupLimit ? leastGrouped : Infinity;

  const isRanked = plan.order.some(({ output }) => cells[output].kind === "computed");
  const leaderKeys = firstOrder?.ranks ? undefined : plan.leaderKeys;
  /** The rows that a group limit keeps. Absent if ranks of computed strings, which are not yet known, decide. */
  const leaders =
    groupLimit && !isRanked
      ? createGroupLeaders(
          groupLimit,
          plan.order,
          cells.length,
          leaderKeys?.reduce((product, { cardinality }) => product * cardinality, 1),
        )
      : undefined;
  /** The numbers of groups, if they are known before rows are collected. */
  const numbering = leaders && leaderKeys && compileNumbering(leaderKeys, compilation);
  const mostLeading = numbering ? leastNarrowed : leastLeading;
  /** The group numbers of the collected rows. */
  let groups = new Uint32Array(0);
  /** The number of rows that were added to the leaders when each lane ended. */
  const laneEnds: { readonly lane: number; readonly end: number }[] = [];

  const reserve = (needed: number): void => {
    if (needed <= (columns[0]?.length ?? 0)) return;
    columns = columns.map((column) => {
      const grown = new Float64Array(Math.max(needed, rowCount * 2, 1024));
      grown.set(column.subarray(0, rowCount));
      return grown;
    });
  };
  /** Narrows the active rows to those that may be among the first rows of their group, and collects their groups. */
  const narrowToLeaders = ({ worst }: GroupLeaders, { read, constant }: Numbering): void => {
    const { arena, base } = source;
    const values = arena.f64.subarray(readers[firstOrder.output].vector.read() / 8);
    const numbers = arena.u32.subarray(read() / 4);
    const to = base + mask;
    const marks = arena.u8.subarray(to, to + source.rowCount);
    markLeaders(values, firstOrder.descending ? -1 : 1, numbers, constant, worst, marks);
    source.narrow(to);
    const added = source.rowCount;
    if (rowCount + added > groups.length) {
      const grown = new Uint32Array(Math.max(rowCount + added, mostLeading + vectorSize));
      grown.set(groups.subarray(0, rowCount));
      groups = grown;
    }
    const from = read() / 4;
    for (let row = 0; row < added; row++) groups[rowCount + row] = arena.u32[from + row] + constant;
  };
  const addToLeaders = ({ add }: GroupLeaders): void => {
    add(columns, rowCount, numbering && groups);
    rowCount = 0;
  };
  /** Returns the plan's order, extended by ranks for the computed strings that occur in the rows. */
  const rankedOrder = (): readonly BoundOrder[] =>
    plan.order.map((part) => {
      const { computed } = readers[part.output];
      if (!computed) return part;
      const codes = columns[part.output].subarray(0, rowCount);
      return { ...part, ranks: rankCodes(codes, computed.texts) };
    });
  const cut = (): void => {
    const kept = sort(columns, rankedOrder(), rowCount).subarray(0, wanted);
    if (canNarrow && kept.length === wanted && wanted > 0)
      worst = Math.min(worst, weightOf(firstOrder, columns[firstOrder.output][kept[wanted - 1]]));
    kept.sort();
    columns = columns.map((column) => gather(column, kept));
    rowCount = kept.length;
  };
  const cutToGroups = (limit: GroupLimit): void => {
    const taken = columns.map((column) => column.subarray(0, rowCount));
    columns = cutGroups({ order: rankedOrder() }, limit, taken);
    rowCount = columns[0].length;
    mostGrouped = Math.max(leastGrouped, rowCount * 2);
  };
  /** Narrows the active rows to those that do not sort after the worst kept row. Only these may be in the answer. */
  const narrow = (): void => {
    const { kernels, base, rowCount } = source;
    const at = readers[firstOrder.output].vector.read();
    const to = base + mask;
    const { low, high } = weightRange(firstOrder, worst);
    if (rankTable === undefined) kernels.rangeFloat[8](at, rowCount, low, high, to);
    else {
      kernels.numberLookup[4](at, rowCount, base + rankTable, 1, base + ranked, 1);
      kernels.range[4](base + ranked, rowCount, Math.max(1, low + 1), high + 1, to);
    }
    source.narrow(to);
  };
  const collected = (rows: readonly Float64Array[]): CollectedRows => {
    const texts: ComputedTexts[] = [];
    return {
      rows: rows.map((taken, index) => {
        const { computed } = readers[index];
        if (!computed) return taken;
        const kept = compactTexts(taken, computed.texts);
        texts[index] = kept.texts;
        return kept.codes;
      }),
      texts,
    };
  };
  const keyCell = canNarrow ? cells[firstOrder.output] : undefined;
  const keyColumn =
    keyCell?.kind === "number" && keyCell.of.kind === "column" ? keyCell.of.column : undefined;

  /** The windows whose numbers are those of a column. */
  const windowColumns = windows.flatMap((window) => {
    const cell = cells[plan.order[window.part].output];
    const isColumn = cell.kind === "number" && cell.of.kind === "column";
    return isColumn ? [{ window, column: cell.of.column }] : [];
  });
  const isOutside = (): boolean =>
    windowColumns.some(({ window, column }) => {
      const { minimum, maximum, nullCount } = source.segment(column);
      return !mayPass(window, minimum, maximum, nullCount > 0);
    });

  return {
    isFull: () => plan.order.length === 0 && rowCount >= wanted,
    canSkip: () => {
      if (isOutside()) return true;
      if (keyColumn === undefined || worst === Infinity) return false;
      const { minimum, maximum, nullCount, rowCount: groupRows } = source.segment(keyColumn);
      if (nullCount === groupRows) return true;
      const { low, high } = weightRange(firstOrder, worst);
      return maximum < low || minimum > high;
    },
    ...(numbering && { openRowGroup: () => numbering.openRowGroup() }),
    add: () => {
      if (wanted === 0) return;
      for (const toWindow of narrows) toWindow();
      if (worst !== Infinity) narrow();
      if (leaders && numbering && source.rowCount > 0) narrowToLeaders(leaders, numbering);
      const added = source.rowCount;
      if (added === 0) return;
      reserve(rowCount + added);
      readers.forEach(({ isText, vector }, index) => {
        const at = vector.read();
        const target = columns[index];
        if (isText) {
          const { u32 } = source.arena;
          for (let row = 0, from = at / 4; row < added; row++)
            target[rowCount + row] = u32[from + row];
        } else target.set(source.arena.f64.subarray(at / 8, at / 8 + added), rowCount);
      });
      rowCount += added;
      if (isTop && rowCount > wanted * 2 + vectorSize) cut();
      if (leaders && rowCount >= mostLeading) addToLeaders(leaders);
      else if (!leaders && groupLimit && rowCount > mostGrouped) cutToGroups(groupLimit);
    },
    take: (lane) => {
      if (leaders) {
        addToLeaders(leaders);
        laneEnds.push({ lane, end: leaders.addedCount });
      } else if (rowCount > wanted) cut();
      else if (groupLimit && rowCount > 0) cutToGroups(groupLimit);
      const taken = collected(columns.map((column) => column.slice(0, rowCount)));
      rowCount = 0;
      return taken;
    },
    ...(leaders && {
      finish: () => {
        const { rows, positions } = leaders.take();
        let from = 0;
        return laneEnds.splice(0).map(({ lane, end }) => {
          let to = from;
          while (to < positions.length && positions[to] < end) to++;
          const own = rows.map((column) => column.slice(from, to));
          from = to;
          return { lane, ...collected(own) };
        });
      },
    }),
  };
}

/**
 * Marks the rows whose weight is at most the worst of their group; see `weigh`. This is a separate function, because V8
 * reads parameters faster than variables of closures.
 */
function markLeaders(
  values: Float64Array<ArrayBufferLike>,
  sign: number,
  numbers: Uint32Array<ArrayBufferLike>,
  constant: number,
  worst: Float64Array,
  marks: Uint8Array<ArrayBufferLike>,
): void {
  for (let row = 0; row < marks.length; row++) {
    const value = values[row];
    const limit = worst[numbers[row] + constant];
    // Null, which is NaN, comes last.
    marks[row] = value * sign <= limit || limit === Infinity ? 1 : 0;
  }
}

function weightOf(order: BoundOrder, value: number): number {
  return weigh(value, order.descending, order.ranks);
}

/** Returns the range of the values, or ranks, whose weight is at most `worst`. `worst` must be finite. */
function weightRange(
  { descending }: BoundOrder,
  worst: number,
): { readonly low: number; readonly high: number } {
  return descending ? { low: -worst, high: Infinity } : { low: -Infinity, high: worst };
}
