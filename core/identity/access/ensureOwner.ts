import { type Records, isUuid } from "../../base/index.ts";
import { randomUUID } from "node:crypto";
import { firstOwner } from "./firstOwner.ts";
import { createToken, hashToken, noExpiry } from "./tokens/token.ts";

export interface OwnerOptions {
  readonly records: Records;
  /** The settings MANIFOLD_KEY and MANIFOLD_TOKEN. Either both are set, or neither. */
  readonly key: string | undefined;
  readonly token: string | undefined;
}

/** A new key pair. It cannot be shown again later. */
export interface MadePair {
  readonly key: string;
  readonly token: string;
}

/** An arbitrary lock number that is not used for anything else. */
const lockId = 7_306_122_102;
const description = "the key pair of the first owner";

function checkGiven({ key, token }: OwnerOptions): void {
  if (key === undefined && token === undefined) return;
  if (key === undefined || token === undefined)
    throw new Error("MANIFOLD_KEY and MANIFOLD_TOKEN must be set together, or not at all");
  if (!isUuid(key)) throw new Error("MANIFOLD_KEY must be a UUID");
  if (token.length < 20) throw new Error("MANIFOLD_TOKEN must have at least 20 characters");
}

/**
 * Creates the first organization, its owner and the owner's API key pair at the first start. Returns the pair if it was
 * generated. If the settings contain a pair, it is valid after every start, and an earlier pair from the settings is
 * revoked. Pairs created through the API remain valid.
 * @throws {Error} if only one of key and token is set, the key is not a UUID, or the key belongs to another user
 */
export async function ensureOwner(options: OwnerOptions): Promise<MadePair | undefined> {
  checkGiven(options);
  const { records } = options;
  return records.transaction(async (transaction) => {
    await transaction.raw("select pg_advisory_xact_lock(?)", [lockId]);
    let userId = await firstOwner(transaction);
    const isFirstStart = userId === undefined;
    if (userId === undefined) {
      const organization = await records.insert(
        "organization",
        { name: { en: "Organization" }, signed_up: false },
        transaction,
      );
      const owner = await records.insert(
        "user",
        { email: "owner@localhost", name: "Owner" },
        transaction,
      );
      await transaction("organization_user").insert({
        organization_id: organization.id,
        user_id: owner.id,
        flagMember: true,
        flagEditor: true,
        flagOwn: true,
      });
      userId = owner.id;
    }
    if (options.key === undefined && !isFirstStart) return undefined;

    const key = (options.key ?? randomUUID()).toLowerCase();
    const token = options.token ?? createToken();
    const [present] = await records.find("authorization", { id: key }, transaction);
    if (present && present.user_id !== userId)
      throw new Error("MANIFOLD_KEY is already the key of another user; choose another UUID");
    const values = {
      type: "api" as const,
      description,
      expiry: noExpiry,
      token_hash: hashToken(token),
      user_id: userId,
    };
    const earlier = await records.find(
      "authorization",
      { user_id: userId, description },
      transaction,
    );
    await records.remove(
      "authorization",
      earlier.map(({ id }) => id).filter((id) => id !== key),
      transaction,
    );
    // Sessions started with the former token are revoked.
    if (present && !hashToken(token).equals(present.token_hash))
      await transaction("authorization").where({ parent_id: key }).delete();
    if (present) await records.change("authorization", key, values, transaction);
    else await records.insert("authorization", { ...values, id: key }, transaction);
    return options.key === undefined ? { key, token } : undefined;
  });
}
