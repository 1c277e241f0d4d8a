import type { Knex } from "knex";
import type { Cipher } from "../../catalog/index.ts";
import { forgetFailures } from "./createWaits.ts";

/** A second factor as stored. Members that belong only to the other type of factor are null. */
export interface StoredFactor {
  readonly id: string;
  readonly user_id: string;
  readonly type: "app" | "passkey";
  readonly name: string;
  /** The encrypted secret of an app. */
  readonly secret: string | null;
  /** The time step of the last code used. */
  readonly last_step: string | null;
  readonly credential_id: string | null;
  readonly public_key: Buffer | null;
  readonly counter: string | null;
  readonly last_used_at: Date | null;
  readonly created_at: Date;
}

type Database = Knex | Knex.Transaction;

/** Returns the factors of a user, oldest first. */
export async function factorsOf(userId: string, knex: Database): Promise<readonly StoredFactor[]> {
  const rows: StoredFactor[] = await knex("second_factor")
    .where({ user_id: userId })
    .orderBy(["created_at", "id"]);
  return rows;
}

/** Returns whether a user has a second factor. */
export async function hasFactors(userId: string, knex: Database): Promise<boolean> {
  const found: unknown = await knex("second_factor").where({ user_id: userId }).first("id");
  return found !== undefined;
}

/** Removes all factors and recovery codes of a user. Returns the number of removed factors. */
export async function removeFactors(
  userId: string,
  transaction: Knex.Transaction,
): Promise<number> {
  await transaction("recovery_code").where({ user_id: userId }).delete();
  await forgetFailures([{ kind: "code", userId }], transaction);
  return transaction("second_factor").where({ user_id: userId }).delete();
}

/** Returns the encryption context for the secret of a factor. */
export const factorContext = (id: string): string => `second factor ${id}`;

/** Encrypts an app's secret so that it can be decrypted only for its own row. */
export function sealFactor(secret: string, id: string, cipher: Cipher): string {
  return cipher.seal(secret, factorContext(id));
}

/**
 * Decrypts an app's secret.
 * @throws {SecretLost} after MANIFOLD_SECRET was changed
 */
export function openFactor({ id, secret }: StoredFactor, cipher: Cipher): string {
  if (secret === null) throw new TypeError(`the second factor ${id} must have a secret`);
  return cipher.open(secret, factorContext(id));
}
