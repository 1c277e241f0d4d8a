// Usage: what people did by month, and how much of each quota the organization uses.
// May import: core/web/console/language, core/web/console/parts, core/web/console/styles; lit.
export { UsageRoom } from "./usageRoom.ts";
