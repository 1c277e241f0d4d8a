// Members of a group or an integration, and the datasets and dashboards that are shared with it.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/records,
// core/web/console/sharing; lit.
export type { Holder } from "./holder.ts";
export { holderKind } from "./holderKind.ts";
export { MembersList } from "./membersList.ts";
export { SharesList } from "./sharesList.ts";
