// The page Data of the console.
// May import: core/console/language, core/console/parts; lit.
export { DataPage } from "./dataPage.ts";
