// Custom charts of an organization, and the approval of their scripts.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/parts; lit.
export { ChartsRoom } from "./chartsRoom.ts";
