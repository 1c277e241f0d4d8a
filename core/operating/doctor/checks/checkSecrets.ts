import type { Catalog, Cipher } from "../../../catalog/index.ts";
import { countByKey, isOwnSecret } from "../../secrets/index.ts";
import { bad, type Finding, good, weak } from "../finding.ts";

const check = "secret";

/** Looks whether the host's secrets open what the catalog holds, and which of them still seal a value. */
export async function checkSecrets(
  { knex }: Pick<Catalog, "knex">,
  cipher: Cipher,
): Promise<Finding> {
  const isOwn = await isOwnSecret(knex, cipher);
  if (isOwn === undefined) return good(check, "the catalog holds no secrets yet");
  if (!isOwn)
    return bad(
      check,
      "MANIFOLD_SECRET is not the one that the catalog was written with",
      "start the host with the secret of before, also as MANIFOLD_SECRET_PREVIOUS, or enter passwords of connections again",
    );
  const counts = await countByKey(knex);
  const others = [...counts].filter(([id]) => id !== cipher.keyId);
  const shown = [...counts].map(([id, count]) => `${count} with key ${id}`).join(", ");
  if (others.length === 0) {
    const more =
      cipher.markKeys.size > 1 ? "; nothing needs MANIFOLD_SECRET_PREVIOUS any more" : "";
    return good(
      check,
      `MANIFOLD_SECRET opens the secrets of the catalog, key ${cipher.keyId}${more}`,
    );
  }
  return others.every(([id]) => cipher.markKeys.has(id))
    ? weak(
        check,
        `values are sealed with several secrets: ${shown}; MANIFOLD_SECRET is key ${cipher.keyId}`,
        "run `manifold secret rotate` when all hosts have the same MANIFOLD_SECRET",
      )
    : bad(
        check,
        `values are sealed with secrets that the host does not have: ${shown}; MANIFOLD_SECRET is key ${cipher.keyId}`,
        "give the missing one as MANIFOLD_SECRET_PREVIOUS, or enter anew what is lost",
      );
}
