// The People and access page, with a tab for each of its subjects.
// May import: core/web/console/language, core/web/console/parts, core/web/console/records, core/web/console/sharing,
// core/web/console/styles; lit.
export { AccessPage } from "./accessPage.ts";
