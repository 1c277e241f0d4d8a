import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import { type Principal, type Records, type Right, rights } from "../../base/index.ts";

interface Reason {
  readonly user_id: string;
  readonly securable_id: string;
  readonly kind: "owner" | "user" | "group" | "integration";
  /** The group or integration through which the user has access; null for others. */
  readonly id: string | null;
  readonly name: unknown;
  readonly is_public: boolean;
  readonly right: Right;
  readonly filters: readonly unknown[] | null;
}

const right = `case when l."flagOwn" then 'own' when l."flagModify" then 'modify' when l."flagUse" then 'use' else 'read' end`;
const statement = `
  with person as (select unnest(?::uuid[]) as id)
  select p.id as user_id, s.id as securable_id, 'owner' as kind, null::uuid as id, null::jsonb as name,
         false as is_public, 'own' as right, null::jsonb as filters
    from person p join securable s on s.owner_id = p.id
  union all
  select p.id, l.securable_id, 'user', null, null, false, ${right}, l.filters
    from person p join securable_user l on l.user_id = p.id and l."flagRead"
    join securable s on s.id = l.securable_id and s.owner_id <> p.id
  union all
  select p.id, l.securable_id, 'group', g.id, to_jsonb(g.name), g.public, ${right}, l.filters
    from person p join membership m on m.user_id = p.id
    join securable_group l on l.group_id = m.group_id and l."flagRead"
    join "group" g on g.id = m.group_id join securable s on s.id = l.securable_id and s.owner_id <> p.id
  union all
  select p.id, l.securable_id, 'integration', i.id, to_jsonb(i.name), false,
         ${right.replace(`when l."flagOwn" then 'own' `, "")}, l.filters
    from person p join integration_membership m on m.user_id = p.id
    join securable_integration l on l.integration_id = m.integration_id and l."flagRead"
    join integration i on i.id = m.integration_id join securable s on s.id = l.securable_id and s.owner_id <> p.id`;

/** Maximum number of records per user. Further records are only counted. */
const mostRecords = 200;

/**
 * Returns what users can see and why: for each dataset and dashboard the right, and each share that gives it. The
 * caller sees only records that the caller can read, and row filters only of datasets that the caller owns; other
 * records are counted. Executes one SQL statement, and one per right to look up the records.
 */
export async function accessOf(
  userIds: readonly string[],
  principal: Principal,
  { records, knex }: { readonly records: Pick<Records, "visible">; readonly knex: Knex },
): Promise<ReadonlyMap<string, unknown>> {
  const { rows }: { rows: Reason[] } = await knex.raw(statement, [arrayBinding(userIds)]);
  const ids = [...new Set(rows.map((row) => row.securable_id))];
  const seen = await records.visible("securable", ids, "read", principal);
  const owned = await records.visible("securable", [...seen.keys()], "own", principal);
  return new Map(
    userIds.map((userId) => {
      const reasons = Map.groupBy(
        rows.filter((row) => row.user_id === userId),
        (row) => row.securable_id,
      );
      const visible = [...reasons].flatMap(([id, given]) => {
        const record = seen.get(id);
        if (!record) return [];
        const { type, name } = record;
        const highest = rights.findLast((each) => given.some((reason) => reason.right === each));
        const isOwn = owned.has(id);
        return [
          { id, type, name, right: highest, is_own: isOwn, reasons: given.map(present(isOwn)) },
        ];
      });
      const listed = visible
        .toSorted(
          (one, other) => one.type.localeCompare(other.type) || one.id.localeCompare(other.id),
        )
        .slice(0, mostRecords);
      return [userId, { records: listed, unseen_count: reasons.size - listed.length }];
    }),
  );
}

/** Presents a share. Only owners of the record see its filters. */
const present =
  (isOwn: boolean) =>
  ({ kind, id, name, is_public, right: given, filters }: Reason) => ({
    kind,
    id,
    name,
    is_public,
    right: given,
    is_filtered: filters !== null,
    filters: isOwn ? filters : null,
  });
