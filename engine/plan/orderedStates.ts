import type { BoundGrouping, BoundPlan, Slot } from "./boundPlan.ts";
import { digestBytes, slotBytes } from "./stateLayout.ts";

/** Whether the state of a slot depends on the order in which rows are added; see `Slot`. */
export function isOrdered(slot: Slot): boolean {
  return slot.kind === "variance" || ("isExact" in slot && !slot.isExact);
}

/** Whether the lanes of a grouping must be merged in their order. */
export function hasOrderedStates({ slots, digests }: BoundGrouping): boolean {
  return slots.some(isOrdered) || digests.length > 0;
}

/** Bytes of one group's ordered states. */
export function orderedBytes({ slots, digests }: BoundGrouping): number {
  const ordered = slots.filter(isOrdered);
  return ordered.reduce((sum, slot) => sum + slotBytes(slot), 0) + digests.length * digestBytes;
}

/** Bytes of one lane's ordered states: 0 where groups are found by hashing. */
export function laneBytes({ grouping }: BoundPlan): number {
  if (grouping?.mode !== "direct") return 0;
  return orderedBytes(grouping) * grouping.capacity;
}
