// Custom charts of an organization, and the approval of their scripts.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation, core/web/console/parts;
// lit.
export { ChartsRoom } from "./chartsRoom.ts";
