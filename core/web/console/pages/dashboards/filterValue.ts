import type { DashboardState } from "../../../embed/index.ts";

/** The value of a filter, as the state of a dashboard has it. */
export type FilterValue = NonNullable<DashboardState["filters"]>[string];
