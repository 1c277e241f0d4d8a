// The page Home: what is here, what is late or broken, and three ways in.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/styles; lit.
export { HomePage } from "./homePage.ts";
