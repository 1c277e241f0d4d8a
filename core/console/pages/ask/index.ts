// The page that asks in words, shows answers with their queries, and describes datasets.
// May import: core/charts, core/console/api, core/console/language, core/console/parts, core/console/pictures,
// core/console/questions, core/console/styles; lit.
export { AskPage } from "./askPage.ts";
