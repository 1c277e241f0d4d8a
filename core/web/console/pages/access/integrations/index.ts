// Integrations: places where dashboards are embedded, with the people and groups who see them there.
// May import: core/web/console/api, core/web/console/language, core/web/console/pages/access/shares,
// core/web/console/records.
export { integrations } from "./integrations.ts";
