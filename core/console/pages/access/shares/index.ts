// Belongings of a group or an integration: its people and groups, and the datasets and dashboards that it may see.
// May import: core/console/api, core/console/language, core/console/parts; lit.
export type { Holder } from "./holder.ts";
export { MembersList } from "./membersList.ts";
export { SharesList } from "./sharesList.ts";
