// The page Home of the console.
// May import: core/console/language, core/console/parts; lit.
export { HomePage } from "./homePage.ts";
