import type { Knex } from "knex";
import { type Cipher, SecretLost } from "../../catalog/index.ts";
import {
  checkColumn,
  markColumn,
  pageCount,
  readPage,
  type SealedColumn,
  sealedColumns,
} from "./sealedColumns.ts";
import { countByKey } from "./secretKeys.ts";

/** How many values a rotation has resealed, and how many it could not reseal. */
export interface Rotation {
  /** Number of resealed values, by table and member. */
  readonly resealed: ReadonlyMap<string, number>;
  /** Number of values that no secret of the command decrypts, by table and member. These values stay unchanged. */
  readonly lost: ReadonlyMap<string, number>;
  /** Number of values that are still sealed with other secrets, by the id of the secret's key. */
  readonly others: ReadonlyMap<string, number>;
}

/** Maximum number of passes over all values. Hosts with the former secret may still write during a pass. */
const mostPasses = 3;

/**
 * Reseals every value that is sealed with another secret, using the cipher's own secret, while hosts run. Each
 * transaction handles one page of a column and skips rows that a host has locked, so that neither waits for the other.
 * Each value is decrypted again before it is written. An interrupted rotation can be continued, and repeating a
 * complete rotation changes nothing.
 */
export async function rotateSecrets(knex: Knex, cipher: Cipher): Promise<Rotation> {
  const resealed = new Map<string, number>();
  const lost = new Map<string, number>();
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    lost.clear();
    // The check value is resealed last, because it shows that the former secret is no longer needed.
    for (const column of [...sealedColumns(), markColumn, checkColumn])
      await resealColumn(column, { knex, cipher, resealed, lost, waits: pass > 1 });
    const others = await othersOf(knex, cipher);
    if (sumOf(others) === sumOf(lost)) break;
  }
  const others = await othersOf(knex, cipher);
  const inUse = [...others.keys()];
  if (sumOf(others) === sumOf(lost))
    await knex("secret_key")
      .whereNot("id", cipher.keyId)
      .whereNotIn("id", inUse)
      .whereNull("emptied_at")
      .update({ emptied_at: new Date() });
  return { resealed, lost, others };
}

/** Returns the sum of all counts. */
export const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

async function othersOf(knex: Knex, cipher: Cipher): Promise<ReadonlyMap<string, number>> {
  return new Map([...(await countByKey(knex))].filter(([id]) => id !== cipher.keyId));
}

interface Pass {
  readonly knex: Knex;
  readonly cipher: Cipher;
  readonly resealed: Map<string, number>;
  readonly lost: Map<string, number>;
  /** Whether to wait for rows that a host has locked. */
  readonly waits: boolean;
}

async function resealColumn(column: SealedColumn, pass: Pass): Promise<void> {
  const { knex, cipher, resealed, lost, waits } = pass;
  const { table, member, contextOf } = column;
  const name = `${table}.${member}`;
  const count = (counts: Map<string, number>) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const size = waits ? 1 : pageCount;
  const only = (query: Knex.QueryBuilder) => {
    query.whereRaw("split_part(??, '.', 3) <> ?", [member, cipher.keyId]).forUpdate();
    if (!waits) query.skipLocked();
  };
  for (let after: string | undefined; ;) {
    const page = await knex.transaction(async (transaction) => {
      const found = await readPage(column, after, transaction, { only, count: size });
      for (const { id, sealed } of found) {
        const fresh = resealOne(sealed, contextOf(id), cipher);
        if (fresh === undefined) {
          count(lost);
          continue;
        }
        await transaction(table)
          .where({ id })
          .update({ [member]: fresh });
        count(resealed);
      }
      return found;
    });
    after = page.at(-1)?.id;
    if (after === undefined || page.length < size) return;
  }
}

/** Seals a value again with the cipher's own secret; undefined if the value cannot be decrypted. */
function resealOne(sealed: string, context: string, cipher: Cipher): string | undefined {
  try {
    const fresh = cipher.reseal(sealed, context) ?? sealed;
    if (cipher.open(fresh, context) === cipher.open(sealed, context)) return fresh;
  } catch (failure) {
    if (failure instanceof SecretLost) return undefined;
    throw failure;
  }
  throw new Error(`a resealed value of ${context} must decrypt to the original`);
}
