// Suborganizations: parts of an organization whose people do not see each other.
// May import: core/web/console/api, core/web/console/language, core/web/console/pages/access/people,
// core/web/console/parts, core/web/console/records; lit.
export { suborganizations } from "./suborganizations.ts";
