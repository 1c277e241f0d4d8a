import type { Catalog, Cipher } from "../../../catalog/index.ts";
import { countByKey, isOwnSecret } from "../../secrets/index.ts";
import { bad, type Diagnosis, good, weak } from "../diagnosis.ts";

const check = "secret";

/**
 * Checks whether the host's secrets decrypt the values in the catalog, and with which secrets values are still sealed.
 */
export async function checkSecrets(
  { knex }: Pick<Catalog, "knex">,
  cipher: Cipher,
): Promise<Diagnosis> {
  const isOwn = await isOwnSecret(knex, cipher);
  if (isOwn === undefined) return good(check, "the catalog contains no secrets yet");
  if (!isOwn)
    return bad(
      check,
      "MANIFOLD_SECRET is not the secret that the catalog was written with",
      "set MANIFOLD_SECRET or MANIFOLD_SECRET_PREVIOUS to the former secret, or enter the passwords of connections again",
    );
  const counts = await countByKey(knex);
  const others = [...counts].filter(([id]) => id !== cipher.keyId);
  const shown = [...counts].map(([id, count]) => `${count} with key ${id}`).join(", ");
  if (others.length === 0) {
    const more = cipher.markKeys.size > 1 ? "; MANIFOLD_SECRET_PREVIOUS is no longer needed" : "";
    return good(
      check,
      `MANIFOLD_SECRET decrypts the secrets of the catalog, key ${cipher.keyId}${more}`,
    );
  }
  return others.every(([id]) => cipher.markKeys.has(id))
    ? weak(
        check,
        `values are sealed with several secrets: ${shown}; MANIFOLD_SECRET is key ${cipher.keyId}`,
        "run `manifold secret rotate` once all hosts have the same MANIFOLD_SECRET",
      )
    : bad(
        check,
        `values are sealed with secrets that the host does not have: ${shown}; MANIFOLD_SECRET is key ${cipher.keyId}`,
        "set MANIFOLD_SECRET_PREVIOUS to the missing secret, or enter the lost credentials again",
      );
}
