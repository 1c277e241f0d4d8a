import type { Knex } from "knex";
import { arrayBinding } from "../../../catalog/index.ts";
import { narrowUnder } from "../allow.ts";
import type { Reach } from "./reach.ts";

/** Returns the reach of columns: all columns of reachable datasets, except columns that are hidden from the token. */
export function reachColumns(securables: Reach): Reach {
  return (query, alias, right, principal, under) => {
    const hidden = arrayBinding(principal.restriction.hiddenColumns);
    query.whereRaw("??.id <> all(?::uuid[])", [alias, hidden]);
    query.where((columns) => {
      const rule = (rights: Knex.QueryBuilder, each: string) =>
        securables(rights, each, right, principal);
      const by = { alias, resource: "securable", column: `${alias}.securable_id` };
      if (narrowUnder(columns, under, by, rule)) return;
      const above = `${alias}_s`;
      columns.whereExists((one) => {
        one
          .select(`${above}.id`)
          .from(`securable as ${above}`)
          .whereRaw("??.id = ??", [above, `${alias}.securable_id`])
          .where((rights) => rule(rights, above));
      });
    });
  };
}

/** Returns the reach of hierarchy levels: all levels of reachable columns. */
export function reachLevels(columns: Reach): Reach {
  return (query, alias, right, principal) => {
    const above = `${alias}_c`;
    query.whereExists((one) => {
      one
        .select(`${above}.id`)
        .from(`column as ${above}`)
        .whereRaw("??.id = ??", [above, `${alias}.column_id`])
        .where((rule) => columns(rule, above, right, principal));
    });
  };
}
