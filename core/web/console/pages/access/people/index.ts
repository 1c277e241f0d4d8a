// People of the organization: who they are, what they may do, how they sign in, and how their access ends.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/records; lit.
export { addPerson } from "./addPerson.ts";
export { people } from "./people.ts";
