import { timingSafeEqual } from "node:crypto";
import type { Knex } from "knex";
import { writeAudit } from "../../catalog/index.ts";
import { nobody, type Records } from "../../base/index.ts";
import { removeFactors } from "../factors/index.ts";
import { firstOwner } from "./firstOwner.ts";
import { storePassword } from "./password.ts";
import { personById } from "./personById.ts";
import { createToken, hashToken } from "./tokens/token.ts";

/** The result of a recovery: the first owner's e-mail address and the next recovery key. */
export interface RecoveredOwner {
  readonly email: string;
  /** The next recovery key, which cannot be shown again. The previous key is no longer valid. */
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

/**
 * Creates and returns a recovery key that replaces the previous one. The catalog stores only its hash, so it cannot be
 * shown again.
 */
export function createRecoveryKey(records: Pick<Records, "transaction">): Promise<string> {
  return records.transaction(replaceKey);
}

/**
 * Lets the first owner sign in again, from any address. Sets a new password, removes the second factors and revokes all
 * sessions, in one transaction that also writes an audit event.
 * @throws {Error} for a wrong key, or before the first start
 * @throws {ApiError} MEMBER_INVALID for a weak password
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
      throw new Error(
        "the recovery key is wrong; create a new one with manifold owner recovery-key",
      );
    const userId = await firstOwner(transaction);
    if (userId === undefined) throw new Error("there is no owner yet; start the host once");
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
