// The page Access of the console.
// May import: core/console/language, core/console/parts; lit.
export { AccessPage } from "./accessPage.ts";
