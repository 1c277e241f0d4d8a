// Belongings of a group or an integration: its people and groups, and the datasets and dashboards that it may see.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/records; lit.
export type { Holder } from "./holder.ts";
export { holderKind } from "./holderKind.ts";
export { MembersList } from "./membersList.ts";
export { SharesList } from "./sharesList.ts";
