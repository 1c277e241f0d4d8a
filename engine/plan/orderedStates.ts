import type { BoundGrouping, BoundPlan, Slot } from "./boundPlan.ts";
import { digestBytes, slotBytes } from "./stateLayout.ts";

/** Returns whether the state of a slot depends on the order in which rows are added; see `Slot`. */
export function isOrdered(slot: Slot): boolean {
  if (slot.kind === "variance" || slot.kind === "covariance") return true;
  return "isExact" in slot && !slot.isExact;
}

/** Returns whether the lanes of a grouping must be merged in order. */
export function hasOrderedStates({ slots, digests }: BoundGrouping): boolean {
  return slots.some(isOrdered) || digests.length > 0;
}

/** Returns the size in bytes of one group's ordered states. */
export function orderedBytes({ slots, digests }: BoundGrouping): number {
  const ordered = slots.filter(isOrdered);
  return ordered.reduce((sum, slot) => sum + slotBytes(slot), 0) + digests.length * digestBytes;
}

/** Returns the size in bytes of one lane's ordered states; 0 if groups are found by hashing. */
export function laneBytes({ grouping }: BoundPlan): number {
  if (grouping?.mode !== "direct") return 0;
  return orderedBytes(grouping) * grouping.capacity;
}
