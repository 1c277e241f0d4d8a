// The page Home: what is here, what is late or broken, and three ways in.
// May import: core/console/api, core/console/language, core/console/parts, core/console/styles; lit.
export { HomePage } from "./homePage.ts";
