// Who did what to which record, written with the change.
// May import: the contracts of core/access and core/resources, core/call, knex.
export { writeAudit, writeAudits, type Change, type Doer } from "./writeAudit.ts";
