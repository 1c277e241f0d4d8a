// The page Data: datasets and their columns, files that are uploaded, sources that are connected.
// May import: core/web/charts, core/web/console/api, core/web/console/language, core/web/console/navigation,
// core/web/console/parts, core/web/console/questions, core/web/console/records, core/web/console/styles; lit.
export { DataPage } from "./dataPage.ts";
