// The Home page: recent records, problems, and three ways to add data.
// May import: core/web/console/api, core/web/console/boards, core/web/console/language, core/web/console/navigation,
// core/web/console/parts, core/web/console/styles; lit.
export { HomePage } from "./homePage.ts";
