// Groups: their people, and what these see together.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation,
// core/web/console/pages/access/shares, core/web/console/parts; lit.
export { GroupsRoom } from "./groupsRoom.ts";
