import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import type { Right } from "../../base/index.ts";

/** A user, group or integration with which a dataset or dashboard is shared, and the share. */
export interface Holder {
  readonly securable_id: string;
  readonly kind: "user" | "group" | "integration";
  readonly id: string;
  /** Name of the user, or the localized name of the group or integration. */
  readonly name: unknown;
  /** E-mail address of a user; null for groups and integrations. */
  readonly email: string | null;
  /** Whether the group is the Public group, which contains everyone. */
  readonly is_public: boolean;
  readonly right: Right;
  /** Row filters of the share; null if it has none. */
  readonly filters: readonly unknown[] | null;
}

const right = `case when l."flagOwn" then 'own' when l."flagModify" then 'modify' when l."flagUse" then 'use' else 'read' end`;

const statement = `
  select l.securable_id, 'user' as kind, u.id, to_jsonb(coalesce(nullif(u.name, ''), u.email)) as name, u.email,
         false as is_public, ${right} as right, l.filters
    from securable_user l join "user" u on u.id = l.user_id join securable r on r.id = l.securable_id
   where l.securable_id = any(?::uuid[]) and l."flagRead" and l.user_id <> r.owner_id
  union all
  select l.securable_id, 'group', g.id, to_jsonb(g.name), null, g.public, ${right}, l.filters
    from securable_group l join "group" g on g.id = l.group_id
   where l.securable_id = any(?::uuid[]) and l."flagRead"
  union all
  select l.securable_id, 'integration', i.id, to_jsonb(i.name), null, false,
         ${right.replace(`when l."flagOwn" then 'own' `, "")}, l.filters
    from securable_integration l join integration i on i.id = l.integration_id
   where l.securable_id = any(?::uuid[]) and l."flagRead"
  order by kind desc, email, id`;

/** Returns with whom datasets and dashboards are shared, except their owners. Executes one SQL statement. */
export async function holdersOf(ids: readonly string[], knex: Knex): Promise<readonly Holder[]> {
  if (ids.length === 0) return [];
  const { rows }: { rows: Holder[] } = await knex.raw(
    statement,
    Array<string[]>(3).fill(arrayBinding(ids)),
  );
  return rows;
}
