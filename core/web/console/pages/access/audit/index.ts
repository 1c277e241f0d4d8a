// The audit: who changed what, searched, paged and written to a file.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation, core/web/console/parts,
// core/web/console/records; lit.
export { AuditRoom } from "./auditRoom.ts";
