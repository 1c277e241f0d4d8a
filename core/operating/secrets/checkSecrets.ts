import type { Catalog, Cipher, Log } from "../../catalog/index.ts";
import { opens } from "./opens.ts";
import { checkPlace, readSealed, sealedPlaces } from "./sealedPlaces.ts";
import { readKeys, recordKeys } from "./secretKeys.ts";

interface Parts {
  readonly catalog: Pick<Catalog, "knex">;
  readonly cipher: Cipher;
  readonly log: Log;
}

const checkText = "manifold";

/**
 * Looks at start whether the host has the secrets that its records were sealed with. Where one is missing, every sealed
 * value is tried. A host in the middle of a change that misses the secret before it is refused: nothing is lost yet. A
 * host with a wholly other secret starts: what does not open is counted in a warning, its accounts become `invalid`,
 * and using it is refused by name until it is entered anew.
 * @throws {Error} that names the missing secrets, and the way out
 */
export async function checkSecrets({ catalog: { knex }, cipher, log }: Parts): Promise<void> {
  const isOwn = await isOwnSecret(knex, cipher);
  const keys = await readKeys(knex);
  const missing = keys.filter(({ id, closed_at }) => !closed_at && !cipher.markKeys.has(id));
  const context = checkPlace.contextOf("");
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
      `values are still sealed with another secret than MANIFOLD_SECRET, of key ${needed.join(", ")}: ${shown}. ` +
        "Start the host with that secret in MANIFOLD_SECRET_PREVIOUS, run `manifold secret rotate`, and remove it then. " +
        `If it is lost for good, \`manifold secret give-up ${needed.join(" ")}\` lets the host start without these values`,
    );
  await knex("secret_key").whereIn("id", ids).update({ lost_at: new Date() });
  await recordKeys(knex, cipher);
  await knex("account").whereIn("id", accounts).update({ invalid: true });
  log.warn(
    { lost: Object.fromEntries(counts) },
    `MANIFOLD_SECRET is not the one that the catalog was written with. These secrets cannot be opened: ${shown}. ` +
      "Start the host with the secret of before, also as MANIFOLD_SECRET_PREVIOUS, or enter them anew",
  );
}

/** Returns whether a cipher has the secret of a catalog; undefined when no host has started on it. */
export async function isOwnSecret(
  knex: Catalog["knex"],
  cipher: Cipher,
): Promise<boolean | undefined> {
  const { table, member, contextOf } = checkPlace;
  const check: { readonly sealed: string } | undefined = await knex(table).first(member);
  return check && opens(cipher, check.sealed, contextOf(""));
}

/** Tries every sealed value: counts what does not open by member, and names the accounts among it. */
async function findLost(knex: Catalog["knex"], cipher: Cipher) {
  const counts = new Map<string, number>();
  const accounts = new Set<string>();
  for (const place of sealedPlaces())
    for await (const { id, sealed } of readSealed(place, knex)) {
      if (opens(cipher, sealed, place.contextOf(id))) continue;
      const name = `${place.table}.${place.member}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (place.table === "account") accounts.add(id);
    }
  return { counts, accounts: [...accounts] };
}
