// The page Data: datasets and their columns, files that are uploaded, sources that are connected.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/pages/data/files,
// core/console/parts, core/console/styles; lit.
export { DataPage } from "./dataPage.ts";
