import type { Catalog, Cipher, Log } from "../../catalog/index.ts";
import { opens } from "./opens.ts";
import { checkColumn, readSealed, sealedColumns } from "./sealedColumns.ts";
import { readKeys, recordKeys } from "./secretKeys.ts";

interface Parts {
  readonly catalog: Pick<Catalog, "knex">;
  readonly cipher: Cipher;
  readonly log: Log;
}

const checkText = "manifold";

/**
 * Checks at the start whether the host has the secrets with which its values are sealed. If a secret is missing, tries
 * to decrypt every sealed value. During a rotation, a host without the previous secret does not start, because nothing
 * is lost yet. A host whose secret is completely different starts. A warning counts the values that cannot be
 * decrypted, and their accounts become `invalid`. Using one of these values fails with an error that names the value,
 * until someone enters it again.
 * @throws {Error} that names the missing secrets and says what to do
 */
export async function checkSecrets({ catalog: { knex }, cipher, log }: Parts): Promise<void> {
  const isOwn = await isOwnSecret(knex, cipher);
  const keys = await readKeys(knex);
  const missing = keys.filter(({ id, closed_at }) => !closed_at && !cipher.markKeys.has(id));
  const context = checkColumn.contextOf("");
  const renew = async () => {
    const sealed = cipher.seal(checkText, context);
    await knex("host_secret").insert({ sealed }).onConflict("id").merge();
  };
  if (isOwn === undefined) await renew();
  if (isOwn === undefined || (isOwn && missing.length === 0)) return recordKeys(knex, cipher);
  const { counts, accounts } = await findLost(knex, cipher);
  const ids = missing.map(({ id }) => id);
  if (counts.size === 0) {
    if (!isOwn) await renew();
    await knex("secret_key").whereIn("id", ids).update({ closed_at: new Date() });
    return recordKeys(knex, cipher);
  }
  const shown = [...counts].map(([name, count]) => `${count} of ${name}`).join(", ");
  const needed = missing.filter(({ lost_at }) => !lost_at).map(({ id }) => id);
  if (needed.length > 0 && keys.some(({ id, lost_at }) => id === cipher.keyId && !lost_at))
    throw new Error(
      `some values are still sealed with a secret other than MANIFOLD_SECRET (key ${needed.join(", ")}): ${shown}. ` +
        "Start the host with that secret in MANIFOLD_SECRET_PREVIOUS, run `manifold secret rotate`, and then remove it. " +
        `If the secret is lost for good, \`manifold secret give-up ${needed.join(" ")}\` lets the host start without these values`,
    );
  await knex("secret_key").whereIn("id", ids).update({ lost_at: new Date() });
  await recordKeys(knex, cipher);
  await knex("account").whereIn("id", accounts).update({ invalid: true });
  log.warn(
    { lost: Object.fromEntries(counts) },
    `MANIFOLD_SECRET is not the secret that the catalog was written with. These values cannot be decrypted: ${shown}. ` +
      "Set MANIFOLD_SECRET or MANIFOLD_SECRET_PREVIOUS to the former secret, or enter the values again",
  );
}

/** Returns whether a cipher has the secret of a catalog; undefined if no host has started on the catalog. */
export async function isOwnSecret(
  knex: Catalog["knex"],
  cipher: Cipher,
): Promise<boolean | undefined> {
  const { table, member, contextOf } = checkColumn;
  const check: { readonly sealed: string } | undefined = await knex(table).first(member);
  return check && opens(cipher, check.sealed, contextOf(""));
}

/**
 * Tries to decrypt every sealed value. Returns, by member, the number of values that cannot be decrypted, and the
 * affected accounts.
 */
async function findLost(knex: Catalog["knex"], cipher: Cipher) {
  const counts = new Map<string, number>();
  const accounts = new Set<string>();
  for (const column of sealedColumns())
    for await (const { id, sealed } of readSealed(column, knex)) {
      if (opens(cipher, sealed, column.contextOf(id))) continue;
      const name = `${column.table}.${column.member}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (column.table === "account") accounts.add(id);
    }
  return { counts, accounts: [...accounts] };
}
