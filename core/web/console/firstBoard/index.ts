// A first dashboard from the shape of a dataset: reads the profile of its columns, and plans charts that suit them.
// May import: core/web/charts, core/web/console/api, core/web/console/language, core/web/console/parts,
// core/web/console/questions.
export type { BoardProfile, ColumnProfile, PeriodCount, TrendProfile } from "./boardProfile.ts";
export { makeDashboard } from "./makeDashboard.ts";
export { planBoard, type BoardPlan } from "./planBoard.ts";
export { readBoardProfile, type ReadProfile } from "./readBoardProfile.ts";
export { storedContents } from "./storedContents.ts";
