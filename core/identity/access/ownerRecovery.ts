import { timingSafeEqual } from "node:crypto";
import type { Knex } from "knex";
import { writeAudit } from "../../catalog/index.ts";
import { nobody, type Records } from "../../base/index.ts";
import { removeFactors } from "../factors/index.ts";
import { firstOwner } from "./firstOwner.ts";
import { storePassword } from "./password.ts";
import { personById } from "./personById.ts";
import { createToken, hashToken } from "./tokens/token.ts";

/** The first owner, let in again. */
export interface RecoveredOwner {
  readonly email: string;
  /** The next recovery key, shown this once: the one before has ended. */
  readonly recoveryKey: string;
}

async function replaceKey(transaction: Knex.Transaction): Promise<string> {
  const key = createToken();
  await transaction("owner_recovery")
    .insert({ hash: hashToken(key), created_at: new Date() })
    .onConflict("id")
    .merge();
  return key;
}

/** Makes a recovery key in the place of the one before; the catalog keeps its hash alone. Shown this once. */
export function createRecoveryKey(records: Pick<Records, "transaction">): Promise<string> {
  return records.transaction(replaceKey);
}

/**
 * Lets the first owner in again, from any address: a new password, no second factor, no session from before. One
 * transaction, with its audit event.
 * @throws {Error} for a wrong key, before the first start; {ApiError} MEMBER_INVALID for a weak password
 */
export function recoverOwner(
  records: Records,
  given: { readonly recoveryKey: string; readonly password: string },
): Promise<RecoveredOwner> {
  return records.transaction(async (transaction) => {
    const stored: { hash: Buffer } | undefined = await transaction("owner_recovery")
      .forUpdate()
      .first("hash");
    const isRight = stored && timingSafeEqual(stored.hash, hashToken(given.recoveryKey));
    if (!isRight)
      throw new Error("the recovery key is wrong; manifold owner recovery-key makes a new one");
    const userId = await firstOwner(transaction);
    if (userId === undefined) throw new Error("there is no owner yet: start the host once");
    const principal = { ...(await personById(userId, transaction)), authorizationId: nobody };
    const { email, name } = principal;
    await removeFactors(userId, transaction);
    await storePassword({ id: userId, email, name }, given.password, nobody, transaction);
    await transaction("organization")
      .where({ id: principal.organizationId })
      .update({ allowed_addresses: null });
    const event = { action: "owner_recover", resource: "user", recordId: userId } as const;
    const members = ["password", "second_factors", "sessions", "allowed_addresses"];
    const actor = { principal, address: undefined };
    await writeAudit(records, actor, { ...event, members }, transaction);
    return { email, recoveryKey: await replaceKey(transaction) };
  });
}
