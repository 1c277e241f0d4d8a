// Suborganizations: the parts of an organization whose people see nothing of each other's.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/pages/access/people,
// core/console/parts; lit.
export { SuborganizationsRoom } from "./suborganizationsRoom.ts";
