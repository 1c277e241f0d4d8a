// The page Data: datasets and their columns, files that are uploaded, sources that are connected.
// May import: core/charts, core/console/api, core/console/language, core/console/navigation,
// core/console/pages/data/files, core/console/pages/data/hierarchies, core/console/parts, core/console/questions,
// core/console/styles; lit.
export { DataPage } from "./dataPage.ts";
