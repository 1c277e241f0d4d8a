// The Ask page, for questions in natural language: shows answers with their queries, and describes datasets.
// May import: core/web/charts, core/web/console/api, core/web/console/language, core/web/console/parts,
// core/web/console/pictures, core/web/console/questions, core/web/console/styles; lit.
export { AskPage } from "./askPage.ts";
