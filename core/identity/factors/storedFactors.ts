import type { Knex } from "knex";
import type { Cipher } from "../../catalog/index.ts";
import { forgetFailures } from "./createWaits.ts";

/** A second factor as it is stored. */
export interface StoredFactor {
  readonly id: string;
  readonly user_id: string;
  readonly type: "app" | "passkey";
  readonly name: string;
  /** The secret of an app, sealed. */
  readonly secret: string | null;
  /** The last step of the clock whose code was used. */
  readonly last_step: string | null;
  readonly credential_id: string | null;
  readonly public_key: Buffer | null;
  readonly counter: string | null;
  readonly last_used_at: Date | null;
  readonly created_at: Date;
}

type Asked = Knex | Knex.Transaction;

/** The factors of a user, oldest first. */
export async function factorsOf(userId: string, knex: Asked): Promise<readonly StoredFactor[]> {
  const rows: StoredFactor[] = await knex("second_factor")
    .where({ user_id: userId })
    .orderBy(["created_at", "id"]);
  return rows;
}

/** Returns whether a user has a second factor. */
export async function hasFactors(userId: string, knex: Asked): Promise<boolean> {
  const found: unknown = await knex("second_factor").where({ user_id: userId }).first("id");
  return found !== undefined;
}

/** Removes all factors and recovery codes of a user; answers how many factors there were. */
export async function removeFactors(
  userId: string,
  transaction: Knex.Transaction,
): Promise<number> {
  await transaction("recovery_code").where({ user_id: userId }).delete();
  await forgetFailures([{ kind: "code", userId }], transaction);
  return transaction("second_factor").where({ user_id: userId }).delete();
}

/** Returns the context in which the secret of a factor is sealed. */
export const factorContext = (id: string): string => `second factor ${id}`;

/** Seals the secret of an app, for its row alone. */
export function sealFactor(secret: string, id: string, cipher: Cipher): string {
  return cipher.seal(secret, factorContext(id));
}

/** Opens the secret of an app. @throws {SecretLost} after MANIFOLD_SECRET was changed */
export function openFactor({ id, secret }: StoredFactor, cipher: Cipher): string {
  if (secret === null) throw new TypeError(`the second factor ${id} has no secret`);
  return cipher.open(secret, factorContext(id));
}
