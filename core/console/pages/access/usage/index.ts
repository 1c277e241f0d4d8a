// How much the organization uses of what it may.
// May import: core/console/language, core/console/parts, core/console/styles; lit.
export { UsageRoom } from "./usageRoom.ts";
