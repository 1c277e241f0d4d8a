// The audit: who changed what, searched, paged and written to a file.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/parts; lit.
export { AuditRoom } from "./auditRoom.ts";
