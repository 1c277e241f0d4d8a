// Integrations: places where dashboards are embedded, with the people and groups who see them there.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/pages/access/shares,
// core/console/parts; lit.
export { IntegrationsRoom } from "./integrationsRoom.ts";
