import { aggregationDeviations } from "./aggregationDeviations.ts";
import type { Deviation } from "./deviation.ts";
import { filterDeviations } from "./filterDeviations.ts";
import { functionDeviations } from "./functionDeviations.ts";
import { groupLimitDeviations } from "./groupLimitDeviations.ts";
import { nestingDeviations } from "./nestingDeviations.ts";
import { orderDeviations } from "./orderDeviations.ts";
import { isOf } from "./concerns.ts";
import { pageDeviations } from "./pageDeviations.ts";
import { periodDeviations } from "./periodDeviations.ts";
import { searchDeviations } from "./searchDeviations.ts";
import { stringDeviations } from "./stringDeviations.ts";

/** The known deviations. If two deviations are similar, the deviation that changes fewer answers comes first. */
export const deviations: readonly Deviation[] = [
  ...filterDeviations,
  ...stringDeviations,
  ...searchDeviations,
  ...nestingDeviations,
  ...periodDeviations,
  ...aggregationDeviations,
  ...functionDeviations,
  {
    does: "omits rows without a joined row",
    semantics: { joinsInner: true },
    concerns: isOf("joins"),
    touches: ({ joins = [] }) => joins.length > 0,
  },
  {
    does: "compares only the first columns of a key",
    semantics: { ignoresFurtherKeys: true },
    concerns: isOf("compositeJoins"),
    touches: ({ joins = [] }) => joins.some(({ and }) => and),
  },
  {
    does: "ignores the filters of a join",
    semantics: { ignoresJoinFilters: true },
    concerns: isOf("joinFilters"),
    touches: ({ joins = [] }) => joins.length > 0,
  },
  {
    does: "ignores having",
    semantics: { ignoresHaving: true },
    concerns: isOf("having"),
    touches: ({ having = [] }) => having.length > 0,
  },
  {
    does: "removes repeated rows",
    semantics: { rowsAreDistinct: true },
    concerns: isOf("projection"),
    touches: ({ options }) => !options.pushdown,
    isOnlyNamed: true,
  },
  ...orderDeviations,
  ...groupLimitDeviations,
  ...pageDeviations,
];
