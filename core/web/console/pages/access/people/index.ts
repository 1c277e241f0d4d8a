// People of the organization: their roles and rights, how they sign in, and how to end their access.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/records,
// core/web/console/sharing; lit.
export { addPerson } from "./addPerson.ts";
export { AccessCard } from "./accessCard.ts";
export { people } from "./people.ts";
