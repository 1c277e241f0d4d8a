import type { GroupLimit } from "../protocol/index.ts";
import { isOf } from "./concerns.ts";
import type { Deviation } from "./deviation.ts";

/** Creates a deviation that does not keep the rows of each group that the limit selects, but others. */
function keeping(
  does: string,
  groupPageOf: (limit: Required<GroupLimit>) => readonly [from: number, to: number],
): Deviation {
  return {
    does,
    semantics: { groupPageOf: ({ offset = 0, ...limit }) => groupPageOf({ ...limit, offset }) },
    concerns: isOf("groupLimit"),
    touches: ({ groupLimit }) => groupLimit !== undefined,
  };
}

/** Known deviations in limits per group. */
export const groupLimitDeviations: readonly Deviation[] = [
  keeping("ignores groupLimit", () => [0, Infinity]),
  keeping("ignores the offset of groupLimit", ({ by }) => [0, by]),
  keeping("returns one row too many per group of groupLimit", ({ by, offset }) => [
    offset,
    offset + by + 1,
  ]),
  keeping("returns one row too few per group of groupLimit", ({ by, offset }) => [
    offset,
    offset + Math.max(0, by - 1),
  ]),
  {
    does: "applies groupLimit before the order",
    semantics: { groupLimits: "beforeOrder" },
    concerns: isOf("groupLimit"),
    touches: ({ groupLimit }) => groupLimit !== undefined,
  },
];
