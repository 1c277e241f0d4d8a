import type { Arena } from "../task/arena.ts";
import type { BoundGrouping, Slot, Summand } from "../../plan/boundPlan.ts";
import { compileCountFold, foldRows } from "../folds/countFold.ts";
import { compileBitmaps } from "../folds/distinctBitmaps.ts";
import { addFew, fewSummand, isFewer, sumFew } from "../folds/fewSums.ts";
import { foldFewFloat, foldFewPair } from "../folds/fewFloats.ts";
import { foldsStored } from "../folds/foldsStored.ts";
import { compileHistogram, countRowsBy } from "../folds/histograms.ts";
import { compileNumbering, type NumberedKey, type Numbering } from "../keys/numbering.ts";
import { compileDigest, compileSketch } from "../folds/sketches.ts";
import { isOrdered } from "../../plan/orderedStates.ts";
import type { SlotPlace, StateLayout } from "../../plan/stateLayout.ts";
import type { VectorSource } from "../rows/vectorSource.ts";
import { compileVector, type Compilation, type Vector } from "../rows/vectors.ts";

/** Folds rows into groups that are numbered by their keys, in shared memory. */
export interface DirectGroups {
  /** Sets all states to what they are before the first row; call once, before any row. */
  begin(): void;
  /** Call for each row group. */
  openRowGroup(): void;
  /** Folds a whole row group of `rowCount` rows from its small aggregates alone; false when they do not tell enough. */
  foldSummary(rowCount: number): boolean;
  /**
   * Whether `fold` may be called for the whole row group at once, if all its rows are looked at: everything is folded straight
   * from stored values then.
   */
  foldsStored(): boolean;
  /** Folds the rows to look at. */
  fold(): void;
  /** Adds up the copies of the states that depend on the order of rows, hands them to `keep` in slot order, and starts them anew. */
  endLane(keep: (arena: Arena, address: number, sizeBytes: number) => void): void;
  /** Adds up the copies of all states. */
  finish(): void;
}

interface SlotFold {
  readonly place: SlotPlace;
  readonly slot: Slot;
  fold(state: number): void;
  canSummarize(): boolean;
  summarize(state: number, rowCount: number): void;
}

/** Compiles the folds of a grouping. Keys are all numbered. */
export function compileDirectGroups(
  grouping: BoundGrouping,
  layout: StateLayout,
  compilation: Compilation,
): DirectGroups {
  const { source } = compilation;
  const numbering = compileNumbering(grouping.keys as readonly NumberedKey[], compilation);
  const folds = grouping.slots.map((slot, index) =>
    compileSlot(slot, layout.slots[index], numbering, compilation),
  );
  const distincts = grouping.distincts.flatMap((distinct, index) => {
    if (distinct.kind === "number" || distinct.kind === "computed") return [];
    return [compileBitmaps(distinct, layout.distincts[index], numbering, compilation)];
  });
  const histograms = grouping.quantiles.map((quantile, index) =>
    compileHistogram(quantile, layout.histograms[index], numbering, compilation),
  );
  const rowsCounter = countRowsBy(grouping, layout);
  const scanned = rowsCounter ? folds.filter(({ slot }) => slot.kind !== "rows") : folds;
  const sketches = grouping.sketches.map((of, index) =>
    compileSketch(of, layout.sketches[index], numbering, compilation),
  );
  const digests = grouping.digests.map((of, index) =>
    compileDigest(of, layout.digests[index], numbering, compilation),
  );
  const isOnlySlots = grouping.sketches.length === 0 && grouping.digests.length === 0;
  const hasOtherThanHistograms = distincts.length > 0 || !isOnlySlots;
  const hasOthers = hasOtherThanHistograms || histograms.length > 0;

  const clear = ({ place, slot }: SlotFold): void => {
    const { arena, base } = source;
    const from = base + place.offset;
    const until = from + place.sizeBytes * place.copyCount;
    arena.f64.fill(slot.kind === "extent" ? Infinity : 0, from / 8, until / 8);
  };
  const gatherCopies = ({ place, slot }: SlotFold): void => {
    const { kernels, base } = source;
    const merge = slot.kind === "extent" ? kernels.leastStates : kernels.addStates;
    for (let copy = 1; copy < place.copyCount; copy++)
      merge(base + place.offset, base + place.offset + copy * place.sizeBytes, place.sizeBytes);
  };

  return {
    begin: () => {
      folds.forEach(clear);
      const { arena, base } = source;
      for (const { offset, sizeBytes } of [
        ...layout.distincts,
        ...layout.histograms,
        ...layout.sketches,
        ...layout.digests,
      ])
        arena.f64.fill(0, (base + offset) / 8, (base + offset + sizeBytes) / 8);
    },
    openRowGroup: () => numbering.openRowGroup(),
    foldSummary: (rowCount) => {
      if (hasOthers || !numbering.isConstant) return false;
      if (!folds.every((fold) => fold.canSummarize())) return false;
      for (const fold of folds)
        fold.summarize(source.base + fold.place.offset + numbering.constant * 16, rowCount);
      return true;
    },
    foldsStored: () =>
      !hasOtherThanHistograms &&
      source.isGathered &&
      scanned.every(({ slot }) => !isOrdered(slot) && foldsStored(slot, numbering, source)) &&
      histograms.every((histogram) => histogram.readsStored()),
    fold: () => {
      const { constant } = numbering;
      for (const fold of scanned) fold.fold(source.base + fold.place.offset + constant * 16);
      if (!hasOthers) return;
      for (const { fold } of distincts) fold();
      for (const { fold } of histograms) fold();
      for (const fold of sketches) fold();
      for (const fold of digests) fold();
    },
    endLane: (keep) => {
      for (const fold of folds) {
        if (!isOrdered(fold.slot)) continue;
        gatherCopies(fold);
        keep(source.arena, source.base + fold.place.offset, fold.place.sizeBytes);
        clear(fold);
      }
      for (const { offset, sizeBytes } of layout.digests) {
        const from = source.base + offset;
        keep(source.arena, from, sizeBytes);
        source.arena.f64.fill(0, from / 8, (from + sizeBytes) / 8);
      }
    },
    finish: () => {
      for (const fold of folds) {
        if (rowsCounter && fold.slot.kind === "rows")
          rowsCounter(source.arena, source.base, fold.place.offset);
        if (!isOrdered(fold.slot)) gatherCopies(fold);
      }
      for (const { finish } of distincts) finish(grouping.capacity);
    },
  };
}

function compileSlot(
  slot: Slot,
  place: SlotPlace,
  numbering: Numbering,
  compilation: Compilation,
): SlotFold {
  const { source, workspace } = compilation;
  const copyBytes = place.copyCount === 1 ? 0 : place.sizeBytes;
  const base = { slot, place };
  const never = { canSummarize: () => false, summarize: () => undefined };
  switch (slot.kind) {
    case "rows":
      return {
        ...base,
        canSummarize: () => true,
        summarize: (state, rowCount) => {
          source.arena.f64[state / 8] += rowCount;
        },
        fold: (state) => foldRows(numbering, source, state, copyBytes),
      };
    case "count":
      return { ...base, ...compileCountFold(slot.of, numbering, compilation, copyBytes) };
    case "rowsSum":
    case "countSum": {
      const total = compileTotal(slot.right, compilation);
      const vector = compileVector(slot.right.of, slot.right.decimals, compilation);
      const isRows = slot.kind === "rowsSum";
      return {
        ...base,
        canSummarize: total.canSummarize,
        summarize: (state, rowCount) => {
          const { f64 } = source.arena;
          const { count, sum } = total.summary();
          f64[state / 8] += isRows ? rowCount : count;
          f64[state / 8 + 1] += sum;
        },
        fold: (state) => {
          const { kernels, rowCount, arena } = source;
          if (numbering.isConstant) {
            const { count, sum } = total.run(vector);
            arena.f64[state / 8] += isRows ? rowCount : count;
            arena.f64[state / 8 + 1] += sum;
            return;
          }
          if (foldFewFloat(slot.right, numbering, source, state, copyBytes)) return;
          const summand = fewSummand(slot.right, numbering, source);
          const tryStored = isRows && !(summand && isFewer(summand));
          if (tryStored && foldStored(slot.right, numbering, compilation, state, copyBytes)) return;
          if (summand) {
            const sums = sumFew(summand, source);
            addFew(sums, summand.few, state, source);
            addFew(sums + 8, summand.few, state + 8, source);
            return;
          }
          const fold = isRows ? kernels.foldRowsSum : kernels.foldCountSum;
          fold(numbering.read(), vector.read(), rowCount, state, 16, copyBytes);
        },
      };
    }
    case "pair": {
      const left = compileVector(slot.left.of, slot.left.decimals, compilation);
      const right = compileVector(slot.right.of, slot.right.decimals, compilation);
      const leftTotal = compileTotal(slot.left, compilation);
      const rightTotal = compileTotal(slot.right, compilation);
      const add = (state: number, leftSum: number, rightSum: number): void => {
        const { f64 } = source.arena;
        f64[state / 8] += leftSum;
        f64[state / 8 + 1] += rightSum;
      };
      return {
        ...base,
        canSummarize: () => leftTotal.canSummarize() && rightTotal.canSummarize(),
        summarize: (state) => add(state, leftTotal.summary().sum, rightTotal.summary().sum),
        fold: (state) => {
          if (numbering.isConstant) {
            const leftSum = leftTotal.run(left).sum;
            add(state, leftSum, rightTotal.run(right).sum);
            return;
          }
          if (foldFewPair(slot.left, slot.right, numbering, source, state, copyBytes)) return;
          const leftFew = fewSummand(slot.left, numbering, source);
          const rightFew = leftFew && fewSummand(slot.right, numbering, source);
          if (rightFew) {
            const { few } = rightFew;
            addFew(sumFew(leftFew, source) + 8, few, state, source);
            addFew(sumFew(rightFew, source) + 8, few, state + 8, source);
            return;
          }
          source.kernels.foldPair(
            numbering.read(),
            left.read(),
            right.read(),
            source.rowCount,
            state,
            16,
            copyBytes,
          );
        },
      };
    }
    case "extent": {
      const { of, decimals } = slot.of;
      const vector = compileVector(of, decimals, compilation);
      const out = workspace.reserve(16);
      const column = of.kind === "column" ? of.column : undefined;
      const lower = (state: number, least: number, negatedGreatest: number): void => {
        const { f64 } = source.arena;
        const at = state / 8;
        if (least < f64[at]) f64[at] = least;
        if (negatedGreatest < f64[at + 1]) f64[at + 1] = negatedGreatest;
      };
      return {
        ...base,
        canSummarize: () => column !== undefined,
        summarize: (state) => {
          if (column === undefined) return;
          const { minimum, maximum } = source.segment(column);
          if (minimum !== minimum) return;
          const unit = decimals > 0 ? 10 ** decimals : 1;
          const whole = (value: number) => (unit === 1 ? value : Math.round(value * unit));
          lower(state, whole(minimum), -whole(maximum));
        },
        fold: (state) => {
          const { kernels, rowCount } = source;
          if (!numbering.isConstant) {
            kernels.foldExtent(numbering.read(), vector.read(), rowCount, state, 16, copyBytes);
            return;
          }
          const at = source.base + out;
          kernels.extent(vector.read(), rowCount, at);
          lower(state, source.arena.f64[at / 8], source.arena.f64[at / 8 + 1]);
        },
      };
    }
    case "variance": {
      const vector = compileVector(slot.of, -1, compilation);
      return {
        ...base,
        ...never,
        fold: (state) => {
          const { kernels, rowCount } = source;
          const shifted = state + numbering.constant * 16;
          kernels.foldVariance(numbering.read(), vector.read(), rowCount, shifted, 32);
        },
      };
    }
  }
}

/** Folds rows and sums straight from stored columns, when both the numbers and the values lie there as they are needed. */
function foldStored(
  { of, decimals }: Summand,
  numbering: Numbering,
  { source }: Compilation,
  state: number,
  copyBytes: number,
): boolean {
  if (of.kind !== "column") return false;
  const numbers = numbering.stored();
  if (!numbers) return false;
  const segment = source.segment(of.column);
  const { form, values } = segment;
  const isStored =
    form === "float"
      ? values.width === 8 && decimals <= 0
      : form === "whole" && decimals >= segment.decimals;
  if (!values || !isStored) return false;
  const factor = form === "whole" ? 10 ** (decimals - segment.decimals) : 1;
  const { scale, bias } = form === "whole" ? segment : { scale: 1, bias: 0 };
  source.kernels.foldStored[numbers.width][values.width](
    numbers.address,
    source.address(of.column, values),
    source.rowCount,
    scale * factor,
    bias * factor,
    state,
    numbers.stride * 16,
    copyBytes,
  );
  return true;
}

/** Rows of a vector for each selected one from which on it costs more to sum all stored values under a mask than to bring the selected ones. */
const sparseRows = 8;

function sumsUnderMask({ mask, rowCount, vectorRowCount }: VectorSource): boolean {
  return mask >= 0 && rowCount * sparseRows > vectorRowCount;
}

interface Total {
  /** Sums the rows to look at; `vector` is read when the stored values cannot be summed as they are. */
  run(vector: Vector): { readonly count: number; readonly sum: number };
  canSummarize(): boolean;
  /** The count and sum of the whole row group. */
  summary(): { readonly count: number; readonly sum: number };
}

function compileTotal({ of, decimals }: Summand, { source, workspace }: Compilation): Total {
  const out = workspace.reserve(16);
  const column = of.kind === "column" ? of.column : undefined;
  return {
    canSummarize: () => {
      if (column === undefined || decimals < 0) return false;
      const { sum, decimals: own } = source.segment(column);
      return sum === sum && own >= 0;
    },
    summary: () => {
      if (column === undefined) return { count: 0, sum: 0 };
      const { sum, decimals: own, nullCount, rowCount } = source.segment(column);
      return { count: rowCount - nullCount, sum: sum * 10 ** (decimals - own) };
    },
    run: (vector) => {
      const { kernels, rowCount, base } = source;
      const at = base + out;
      const place = at / 8;
      const segment = column === undefined ? undefined : source.segment(column);
      if (
        column !== undefined &&
        segment?.form === "whole" &&
        decimals >= segment.decimals &&
        (!source.isSelected || sumsUnderMask(source))
      ) {
        const { width } = segment.values;
        const from = source.address(column, segment.values);
        if (source.isSelected)
          kernels.totalMasked[width](from, source.mask, source.vectorRowCount, at);
        else kernels.total[width](from, rowCount, at);
        const sum = source.arena.f64[place];
        const count = source.arena.f64[place + 1];
        const factor = 10 ** (decimals - segment.decimals);
        return { count, sum: (sum * segment.scale + count * segment.bias) * factor };
      }
      kernels.totalFloat[8](vector.read(), rowCount, at);
      return { sum: source.arena.f64[place], count: source.arena.f64[place + 1] };
    },
  };
}
