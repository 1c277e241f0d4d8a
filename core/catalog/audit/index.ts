// The audit log of changes, reads and refused sign-ins, in a hash chain that reveals tampering.
// May import: core/base, core/catalog/cipher, core/catalog/log; knex.
export { readChain, readEnds } from "./chain.ts";
export { openRefusals, type NoteRefusal, type Refusal, type Refusals } from "./openRefusals.ts";
export { createReadAudit, type ReadAudit } from "./createReadAudit.ts";
export { removeEvents } from "./removeEvents.ts";
export { stampEvent } from "./stampEvent.ts";
export { verifyAudit, type VerifiedChain } from "./verifyAudit.ts";
export {
  writeAudit,
  writeAudits,
  type AccountAction,
  type Change,
  type Actor,
} from "./writeAudit.ts";
