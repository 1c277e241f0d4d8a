// Custom charts of an organization, and the approval of their scripts.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/records; lit.
export { charts } from "./charts.ts";
