// The audit: who changed what, with search, pages and export to a file.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation, core/web/console/parts,
// core/web/console/records, core/web/embed; lit.
export { AuditRoom } from "./auditRoom.ts";
