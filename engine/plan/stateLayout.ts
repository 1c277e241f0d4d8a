import type { BoundGrouping, Slot } from "./boundPlan.ts";
import { sketchRegisters } from "../sketches/hyperLogLog.ts";
import { digestDoubles } from "../sketches/tDigest.ts";

/**
 * The location of a slot's states in the workspace: `copyCount` copies of `sizeBytes`, with one pair of doubles per
 * group.
 */
export interface SlotPlace {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly copyCount: 1 | 4;
}

/**
 * The location of bitmaps: one per group, with a bit for each code. The bit of code 0 (null) is only used until the
 * scan ends.
 */
export interface DistinctPlace {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly wordsPerGroup: number;
}

/** The location of histograms, sketches or digests, one per group. */
export interface StatePlace {
  readonly offset: number;
  readonly sizeBytes: number;
}

export interface StateLayout {
  readonly slots: readonly SlotPlace[];
  readonly distincts: readonly DistinctPlace[];
  readonly histograms: readonly StatePlace[];
  readonly sketches: readonly StatePlace[];
  readonly digests: readonly StatePlace[];
}

/** Maximum bytes of states that have four copies. Together, the copies stay in the first-level cache. */
const copiedBytes = 8192;

/** Size in bytes of one group's digest. */
export const digestBytes = digestDoubles * 8;

/** Returns the size in bytes of one group's state in a slot. */
export function slotBytes(slot: Slot): number {
  if (slot.kind === "covariance") return 48;
  return slot.kind === "variance" ? 32 : 16;
}

/** Working memory in which states are laid out. Offsets are relative to its start. */
interface StateMemory {
  /** Reserves bytes and returns their offset. */
  reserve(sizeBytes: number): number;
  /** Marks the end of the states. Other reservations may follow. */
  endStates(): void;
}

/** Reserves the states of directly numbered groups and ends the states of the workspace. */
export function layoutStates(grouping: BoundGrouping, workspace: StateMemory): StateLayout {
  const { capacity, paired } = grouping;
  const slots = grouping.slots.map((slot): SlotPlace => {
    const sizeBytes = capacity * slotBytes(slot);
    const isCopied = slot.kind !== "variance" && slot.kind !== "covariance";
    const copyCount = isCopied && sizeBytes <= copiedBytes ? 4 : 1;
    return { offset: workspace.reserve(sizeBytes * copyCount), sizeBytes, copyCount };
  });
  const distincts = grouping.distincts.map((distinct, index): DistinctPlace => {
    const hasBitmaps = "cardinality" in distinct && !paired?.distincts.includes(index);
    const wordsPerGroup = hasBitmaps ? Math.ceil((distinct.cardinality + 1) / 128) * 4 : 0;
    const sizeBytes = capacity * wordsPerGroup * 4;
    return { offset: workspace.reserve(sizeBytes), sizeBytes, wordsPerGroup };
  });
  const histograms = grouping.quantiles.map(({ bucketCount }, index): StatePlace => {
    const isPaired = paired?.quantiles.includes(index);
    const sizeBytes = isPaired ? 0 : Math.ceil((capacity * bucketCount * 4) / 16) * 16;
    return { offset: workspace.reserve(sizeBytes), sizeBytes };
  });
  const place = (sizeBytes: number): StatePlace => ({
    offset: workspace.reserve(sizeBytes),
    sizeBytes,
  });
  const sketches = grouping.sketches.map(() => place(capacity * sketchRegisters));
  const digests = grouping.digests.map(() => place(capacity * digestBytes));
  workspace.endStates();
  return { slots, distincts, histograms, sketches, digests };
}
