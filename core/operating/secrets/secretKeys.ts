import type { Knex } from "knex";
import { type Cipher, SecretLost } from "../../catalog/index.ts";
import { checkColumn, markColumn, sealedColumns } from "./sealedColumns.ts";

/** A secret that the hosts of a catalog use or used. */
export interface SecretKey {
  readonly id: string;
  readonly mark_key: string;
  /**
   * The time at which a rotation found no more values that are sealed with this secret; null while hosts may seal
   * values with it.
   */
  readonly emptied_at: Date | null;
  /** The time of the first start of a host that had no access to the secret and did not need it for any value. */
  readonly closed_at: Date | null;
  /** The time at which the values of the secret were given up. */
  readonly lost_at: Date | null;
}

/** Records the secrets of a host that is starting. From now on, the host may seal values with its own secret. */
export async function recordKeys(knex: Knex, cipher: Cipher): Promise<void> {
  for (const [id, key] of cipher.markKeys) {
    const text = Buffer.from(key).toString("base64");
    const mark_key = cipher.seal(text, markColumn.contextOf(id));
    const known = { closed_at: null, lost_at: null };
    await knex("secret_key")
      .insert({ id, mark_key })
      .onConflict("id")
      .merge({ mark_key, ...known, ...(id === cipher.keyId && { emptied_at: null }) });
  }
}

/** Returns the secrets of a catalog, oldest first. */
export async function readKeys(knex: Knex): Promise<readonly SecretKey[]> {
  const rows: readonly SecretKey[] = await knex("secret_key").orderBy(["created_at", "id"]);
  return rows;
}

/**
 * Returns the keys of audit marks by the id of their secret. The result includes the keys of earlier secrets, so that
 * old marks can still be verified. Keys that cannot be decrypted are omitted.
 */
export async function readMarkKeys(
  knex: Knex,
  cipher: Cipher,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map(cipher.markKeys);
  for (const { id, mark_key } of await readKeys(knex))
    try {
      if (found.has(id)) continue;
      const text = cipher.open(mark_key, markColumn.contextOf(id));
      found.set(id, Buffer.from(text, "base64"));
    } catch (failure) {
      if (!(failure instanceof SecretLost)) throw failure;
    }
  return found;
}

/** Counts the sealed strings of a catalog by the id of their secret. Reads all strings, but decrypts none. */
export async function countByKey(knex: Knex): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, member } of [...sealedColumns(), checkColumn, markColumn]) {
    const rows: readonly { readonly key: string; readonly count: string }[] = await knex(table)
      .select(knex.raw("split_part(??, '.', 3) as key", [member]))
      .count({ count: "*" })
      .whereNotNull(member)
      .groupBy("key");
    for (const { key, count } of rows) counts.set(key, (counts.get(key) ?? 0) + Number(count));
  }
  return counts;
}

/** Returns whether a rotation is in progress, so that values may be sealed with another of the host's secrets. */
export async function isRotating(knex: Knex, cipher: Cipher): Promise<boolean> {
  if (cipher.markKeys.size === 1) return false;
  const others = [...cipher.markKeys.keys()].filter((id) => id !== cipher.keyId);
  const found: unknown = await knex("secret_key")
    .whereIn("id", others)
    .whereNull("emptied_at")
    .first("id");
  return found !== undefined;
}
