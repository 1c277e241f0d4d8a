// People of the organization: who they are, what they may do, how they sign in, and how their access ends.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation, core/web/console/parts;
// lit.
export { addPerson } from "./addPerson.ts";
export { PeopleRoom } from "./peopleRoom.ts";
