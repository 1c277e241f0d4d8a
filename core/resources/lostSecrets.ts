import { type Catalog, type Cipher, type Log, sealContext, SecretLost } from "../catalog/index.ts";
import { declarations } from "./declarations.ts";
import type { Declaration } from "./kernel/index.ts";

interface Parts {
  readonly catalog: Pick<Catalog, "knex">;
  readonly cipher: Cipher;
  readonly log: Log;
}

const checkText = "manifold";
const checkContext = "host_secret";

/**
 * Looks at start whether the host has the secret that its records were sealed with. Where it has another one, every
 * sealed value is tried: what does not open is counted in a warning, and its accounts become `invalid`. Reading such
 * records works; using what is lost is refused by name until it is entered anew.
 */
export async function reportLostSecrets({ catalog: { knex }, cipher, log }: Parts): Promise<void> {
  if (await isOwnSecret(knex, cipher)) return;
  const lost = new Map<string, number>();
  const accounts = new Set<string>();
  for (const declaration of declarations.values())
    for (const { member, id } of await lostOf(declaration, knex, cipher)) {
      const name = `${declaration.name}.${member}`;
      lost.set(name, (lost.get(name) ?? 0) + 1);
      if (declaration.name === "account") accounts.add(id);
    }
  if (lost.size === 0) {
    const sealed = cipher.seal(checkText, checkContext);
    await knex("host_secret").insert({ sealed }).onConflict("id").merge();
    return;
  }
  await knex("account")
    .whereIn("id", [...accounts])
    .update({ invalid: true });
  const counts = [...lost].map(([name, count]) => `${count} of ${name}`).join(", ");
  log.warn(
    { lost: Object.fromEntries(lost) },
    `MANIFOLD_SECRET is not the one that the catalog was written with. These secrets cannot be opened: ${counts}. ` +
      "Start the host with the secret of before, or enter them anew",
  );
}

/** Returns whether a catalog was written with the secret of a cipher; undefined when no host has started on it. */
export async function isOwnSecret(
  knex: Catalog["knex"],
  cipher: Cipher,
): Promise<boolean | undefined> {
  const check: { sealed: string } | undefined = await knex("host_secret").first("sealed");
  return check && opens(cipher, check.sealed, checkContext);
}

async function lostOf(
  declaration: Declaration,
  knex: Catalog["knex"],
  cipher: Cipher,
): Promise<readonly { readonly member: string; readonly id: string }[]> {
  const members = Object.entries(declaration.fields).flatMap(([member, { secret, sealed }]) =>
    secret || sealed ? [member] : [],
  );
  if (members.length === 0) return [];
  const rows: readonly Record<string, unknown>[] = await knex(declaration.name).select(
    "id",
    ...members,
  );
  return rows.flatMap((row) => {
    const id = String(row["id"]);
    return members.flatMap((member) => {
      const value = row[member];
      const isLost =
        typeof value === "string" &&
        !opens(cipher, value, sealContext(declaration.name, member, id));
      return isLost ? [{ member, id }] : [];
    });
  });
}

function opens(cipher: Cipher, sealed: string, context: string): boolean {
  try {
    cipher.open(sealed, context);
    return true;
  } catch (failure) {
    if (failure instanceof SecretLost) return false;
    throw failure;
  }
}
