// How much the organization uses of what it may.
// May import: core/web/console/language, core/web/console/parts, core/web/console/styles; lit.
export { UsageRoom } from "./usageRoom.ts";
