import type { Knex } from "knex";
import { narrowUnder } from "../allow.ts";
import type { Reach } from "./reach.ts";

/** Returns the reach of records linked to a reachable securable. The table `link` contains the ids of both records. */
export function reachLinked(securables: Reach, link: string, key: string): Reach {
  return (query, alias, right, principal, under) => {
    const rule = (rights: Knex.QueryBuilder, each: string) =>
      securables(rights, each, right, principal);
    const by = { alias, resource: "securable", column: "l.securable_id", link };
    if (narrowUnder(query, under, by, rule)) return;
    const above = `${alias}_s`;
    query.whereExists((one) => {
      one
        .select(`${above}.id`)
        .from(`securable as ${above}`)
        .join(`${link} as l`, "l.securable_id", `${above}.id`)
        .whereRaw("l.?? = ??.id", [key, alias])
        .where((rights) => rule(rights, above));
    });
  };
}
