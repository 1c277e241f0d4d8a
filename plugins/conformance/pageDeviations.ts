import type { Limit } from "../protocol/index.ts";
import { isOf } from "./concerns.ts";
import type { Deviation } from "./deviation.ts";

/** Creates a deviation that does not keep the rows of the sorted answer that the limit selects, but others. */
function paging(
  does: string,
  pageOf: (limit: Required<Limit>) => readonly [from: number, to: number],
  rest: Partial<Deviation> = { isOnlyNamed: true },
): Deviation {
  return {
    does,
    semantics: { pageOf: ({ by, offset = 0 }) => pageOf({ by, offset }) },
    concerns: isOf("limit"),
    touches: ({ limit }) => limit !== undefined,
    ...rest,
  };
}

const proves: Partial<Deviation> = {};
const rows = (count: number) => (count === 1 ? "one row" : `${count} rows`);
const counts = Array.from({ length: 10 }, (_, at) => at + 1);

/** Known deviations in limits and offsets. */
export const pageDeviations: readonly Deviation[] = [
  ...counts.flatMap((count) => [
    paging(
      `returns ${rows(count)} more than the limit`,
      ({ by, offset }) => [offset, offset + by + count],
      count === 1 ? proves : undefined,
    ),
    paging(
      `returns ${rows(count)} fewer than the limit`,
      ({ by, offset }) => [offset, offset + Math.max(0, by - count)],
      count === 1 ? proves : undefined,
    ),
  ]),
  paging("ignores the limit", () => [0, Infinity], proves),
  paging("ignores the offset", ({ by }) => [0, by], proves),
  paging(
    "starts each page with the last row of the previous page",
    ({ by, offset }) => {
      const from = Math.max(0, offset - 1);
      return [from, from + by];
    },
    proves,
  ),
  paging("skips one row more than the offset", ({ by, offset }) => [offset + 1, offset + 1 + by]),
  paging("skips one row more than an offset above 0", ({ by, offset }) => {
    const from = offset > 0 ? offset + 1 : 0;
    return [from, from + by];
  }),
  paging("omits the first row of each page", ({ by, offset }) => [offset + 1, offset + by]),
  paging("applies the offset and ignores the limit", ({ offset }) => [offset, Infinity]),
  paging("ignores the limit if there is an offset", ({ by, offset }) => [
    offset,
    offset > 0 ? Infinity : by,
  ]),
  paging(
    "treats limit 0 as no limit",
    ({ by, offset }) => [offset, by === 0 ? Infinity : offset + by],
    proves,
  ),
  paging("reads the offset as a number of pages", ({ by, offset }) => [
    offset * by,
    offset * by + by,
  ]),
  paging("reads the limit as the position of the last row", ({ by, offset }) => [offset, by]),
  paging("swaps limit and offset", ({ by, offset }) => [by, by + offset]),
  {
    does: "applies the limit before the order",
    semantics: { limits: "beforeOrder" },
    concerns: isOf("limit"),
    touches: ({ limit }) => limit !== undefined,
  },
  {
    does: "applies the limit before the filters",
    semantics: { limits: "beforeFilters" },
    concerns: isOf("limit"),
    touches: ({ limit }) => limit !== undefined,
  },
];
