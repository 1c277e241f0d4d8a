import {
  type Members,
  rights,
  type Principal,
  type Right,
  type Records,
} from "../../../base/index.ts";
import { parseTokenReach } from "./tokenReach.ts";

interface Entry {
  readonly id: string;
  readonly rights: Right;
}

/**
 * Returns a token's `access` with its collections resolved: `dashboards` and `datasets` also list the current contents
 * of the collections, as far as the issuer can reach them. Each record gets the right that the token has on the
 * collection. Records that the token names itself come first. The result is only for the response to a create, because
 * each call with the token resolves the collections again.
 */
export async function reachOf(
  access: Members,
  records: Records,
  issuer: Principal,
): Promise<Record<string, unknown>> {
  const { collections, dashboards, datasets } = parseTokenReach(access);
  if (collections.size === 0) return { ...access };
  const links = await records.linked("collection", "Securables", [...collections.keys()]);
  const ids = [...new Set(links.map(({ otherId }) => otherId))];
  const inherited = new Map<string, Entry & { readonly type: unknown }>();
  for (const right of rights) {
    const held = await records.visible("securable", ids, right, issuer);
    for (const { ownId, otherId: id } of links) {
      const given = collections.get(ownId);
      const row = held.get(id);
      if (given && row && rights.indexOf(given) >= rights.indexOf(right))
        inherited.set(id, { id, rights: right, type: row.type });
    }
  }
  const listed = (named: ReadonlyMap<string, Right>, type: string): Entry[] => [
    ...[...named].map(([id, right]) => ({ id, rights: right })),
    ...[...inherited.values()]
      .filter((each) => each.type === type && !named.has(each.id))
      .map(({ id, rights: right }) => ({ id, rights: right })),
  ];
  return {
    ...access,
    dashboards: listed(dashboards, "dashboard"),
    datasets: listed(datasets, "dataset"),
  };
}
