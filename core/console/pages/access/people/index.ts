// People of the organization: who they are, what they may do, how they sign in, and how their access ends.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/parts; lit.
export { addPerson } from "./addPerson.ts";
export { PeopleRoom } from "./peopleRoom.ts";
