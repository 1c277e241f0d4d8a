// Who did what to which record, written with the change.
// May import: core/contracts; knex.
export {
  writeAudit,
  writeAudits,
  type AccountAction,
  type Change,
  type Actor,
} from "./writeAudit.ts";
