import type { Arena } from "../task/arena.ts";
import type { BoundGrouping } from "../../plan/boundPlan.ts";
import { canFoldRowGroup, choosePath } from "../folds/accessPath.ts";
import { compileBitmaps } from "../folds/distinctBitmaps.ts";
import { compileHistogram, countRowsBy } from "../folds/histograms.ts";
import { compileNumbering, type NumberedKey } from "../keys/numbering.ts";
import { compileSlotFold } from "../folds/slotFold.ts";
import { compileDigest, compileSketch } from "../folds/sketches.ts";
import { isOrdered } from "../../plan/orderedStates.ts";
import { slotBytes, type StateLayout } from "../../plan/stateLayout.ts";
import { compileRecorders, type RecordPlace } from "./compileRecorders.ts";
import type { RecordedPairs } from "./pairParts.ts";
import type { Compilation } from "../rows/compilation.ts";

/** Folds rows into groups that are numbered by their keys, in shared memory. */
export interface DirectGroups {
  /** Initializes all states. Call it once, before any row. */
  begin(): void;
  /** Prepares for a row group. Call it for each row group, before folding it. */
  openRowGroup(): void;
  /** Folds a whole row group of `rowCount` rows, using only zone maps. Returns false if these are not sufficient. */
  foldSummary(rowCount: number): boolean;
  /**
   * Returns whether one call of `fold` accepts the whole row group. Call it while all rows of the row group are active.
   */
  canFoldRowGroup(): boolean;
  /** Folds the active rows. */
  fold(): void;
  /**
   * Adds up the copies of the states that depend on the order of rows, passes them to `keep` in slot order, and resets
   * them.
   */
  endLane(keep: (arena: Arena, address: number, sizeBytes: number) => void): void;
  /** Adds up the copies of all states. */
  finish(): void;
  /** Returns the recorded pairs, if an aggregate needs them. Call it once, after all rows. */
  takePairs(): RecordedPairs | undefined;
}

/** Compiles the folds of a grouping in which all keys are numbered. */
export function compileDirectGroups(
  grouping: BoundGrouping,
  layout: StateLayout,
  compilation: Compilation,
  recordPlace: RecordPlace,
): DirectGroups {
  const { paired } = grouping;
  const { source } = compilation;
  const numbering = compileNumbering(grouping.keys as readonly NumberedKey[], compilation);
  const folds = grouping.slots.map((slot, index) => {
    const place = layout.slots[index];
    const copyBytes = place.copyCount === 1 ? 0 : place.sizeBytes;
    const fold = compileSlotFold(slot, numbering, compilation, copyBytes);
    return { ...fold, slot, place, bytes: slotBytes(slot) };
  });
  const distincts = grouping.distincts.flatMap((distinct, index) => {
    if (distinct.kind === "number" || distinct.kind === "computed") return [];
    if (paired?.distincts.includes(index)) return [];
    return [compileBitmaps(distinct, layout.distincts[index], numbering, compilation)];
  });
  const histograms = grouping.quantiles.flatMap((quantile, index) =>
    paired?.quantiles.includes(index)
      ? []
      : [compileHistogram(quantile, layout.histograms[index], numbering, compilation)],
  );
  const recorders = compileRecorders(grouping, recordPlace, numbering, compilation);
  const rowsCounter = countRowsBy(grouping, layout);
  const scanned = rowsCounter ? folds.filter(({ slot }) => slot.kind !== "rows") : folds;
  const sketches = grouping.sketches.map((of, index) =>
    compileSketch(of, layout.sketches[index], numbering, compilation),
  );
  const digests = grouping.digests.map((of, index) =>
    compileDigest(of, layout.digests[index], numbering, compilation),
  );
  const isOnlySlots = grouping.sketches.length === 0 && grouping.digests.length === 0;
  const hasOtherThanHistograms = distincts.length > 0 || !isOnlySlots || recorders !== undefined;
  const hasOthers = hasOtherThanHistograms || histograms.length > 0;

  /**
   * Returns the address of the state of group `Numbering.constant`. Only keys that have a single value in the row group
   * contribute to that number.
   */
  const stateOf = ({ place, bytes }: (typeof folds)[number]): number =>
    source.base + place.offset + numbering.constant * bytes;
  const clear = ({ place, slot }: (typeof folds)[number]): void => {
    const { arena, base } = source;
    const from = base + place.offset;
    const until = from + place.sizeBytes * place.copyCount;
    arena.f64.fill(slot.kind === "extent" ? Infinity : 0, from / 8, until / 8);
  };
  const mergeCopies = ({ place, slot }: (typeof folds)[number]): void => {
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
      if (!folds.every(({ summary }) => summary.canFold())) return false;
      for (const fold of folds) fold.summary.fold(stateOf(fold), rowCount);
      return true;
    },
    canFoldRowGroup: () =>
      !hasOtherThanHistograms &&
      source.isInOneArena &&
      scanned.every(({ slot, paths }) => !isOrdered(slot) && canFoldRowGroup(paths)) &&
      histograms.every((histogram) => histogram.canFoldRowGroup()),
    fold: () => {
      for (const fold of scanned) choosePath(fold.paths).fold(stateOf(fold));
      if (!hasOthers) return;
      for (const { fold } of distincts) fold();
      for (const { fold } of histograms) fold();
      for (const fold of sketches) fold();
      for (const fold of digests) fold();
      recorders?.fold();
    },
    endLane: (keep) => {
      for (const fold of folds) {
        if (!isOrdered(fold.slot)) continue;
        mergeCopies(fold);
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
        if (!isOrdered(fold.slot)) mergeCopies(fold);
      }
      for (const { finish } of distincts) finish(grouping.capacity);
    },
    takePairs: () => recorders?.take(),
  };
}
