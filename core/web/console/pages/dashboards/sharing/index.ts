// The Share dialog of a dashboard: people and groups with the rows that each sees, private links, and embedding.
// May import: core/web/charts, core/web/console/api, core/web/console/language,
// core/web/console/pages/dashboards/contents, core/web/console/pages/dashboards/words, core/web/console/parts,
// core/web/console/questions, core/web/console/sharing, core/web/console/styles; lit.
export { openShare, type ShareOptions } from "./openShare.ts";
