// Groups: their people, and what these see together.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/pages/access/shares,
// core/console/parts; lit.
export { GroupsRoom } from "./groupsRoom.ts";
