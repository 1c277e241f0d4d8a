import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import type { Principal, Records, ResourceRow } from "../../base/index.ts";
import { ExpressionError, listReferences } from "../../queries/index.ts";

/** A record that uses a column, in wire form. */
export interface ColumnUse {
  readonly resource: string;
  readonly id: string;
  readonly name: unknown;
  /** Where the record uses the column: `expression`, `link`, `contents`, `filter`, `query`, `level`, `acceleration`. */
  readonly by: string;
}

/** The records that use columns and that the caller may see. */
export interface ColumnUses {
  readonly used_by: readonly ColumnUse[];
  /** Number of other records that use the columns but that the caller may not see. */
  readonly hidden_count: number;
}

/**
 * Selects the records that refer to one of the columns, each with its kind. Ids are UUIDs, so any string that contains
 * the id of a column refers to that column.
 */
const statement = `
  with asked as (select ?::uuid as dataset_id, ?::uuid[] as ids, ?::text[] as texts, ?::text[] as patterns)
  select 'formula' as resource, f.id::text, 'expression' as by
    from formula f, asked where lower(f.expression) like any(patterns)
  union all
  select 'column', c.id::text, 'expression'
    from "column" c, asked where c.expression is not null and lower(c.expression) like any(patterns)
  union all
  select 'column', case when l.column_id = any(ids) then l.joins_id else l.column_id end::text, 'link'
    from column_joins l, asked where l.column_id = any(ids) or l.joins_id = any(ids)
  union all
  select 'hierarchylevel', h.id::text, 'level'
    from hierarchylevel h, asked where h.column_id = any(ids)
  union all
  select 'securable', s.id::text, 'contents'
    from securable_dataset l join asked on l.dataset_id = asked.dataset_id
    join securable s on s.id = l.dashboard_id
   where lower(s.contents::text) like any(patterns)
  union all
  select 'alert', a.id::text, 'query'
    from alert a, asked where lower(a.query::text) like any(patterns)
  union all
  select 'acceleration', a.id::text, 'acceleration'
    from acceleration a, asked
   where a.created_at_column_id = any(ids) or a.updated_at_column_id = any(ids)
      or a.deleted_at_column_id = any(ids) or lower(a.primary_key_column_ids::text) like any(patterns)
  union all
  select 'securable', l.securable_id::text, 'filter'
    from (select securable_id, filters from securable_user union all
          select securable_id, filters from securable_group union all
          select securable_id, filters from securable_integration) l
    join asked on l.securable_id = asked.dataset_id
   where lower(l.filters::text) like any(patterns)
  union all
  select 'embedfiltergroup', l.embedfiltergroup_id::text, 'filter'
    from embedfiltergroup_securable l join asked on l.securable_id = asked.dataset_id
   where lower(l.filters::text) like any(patterns)
  union all
  select 'authorization', a.id::text, 'filter'
    from "authorization" a, asked
   where a.deleted_at is null and a.expiry > now()
     and a.filters @> jsonb_build_array(jsonb_build_object('securable_id', dataset_id))
     and lower(a.filters::text) like any(patterns)`;

const mostNamed = 1000;

export interface FindUsesOptions {
  readonly datasetId: string;
  /** Ids of the columns that are missing or have another type. */
  readonly changed: readonly string[];
  /** All columns of the dataset. */
  readonly columns: readonly ResourceRow<"column">[];
  readonly records: Records;
  readonly knex: Knex;
  readonly principal: Principal;
}

/**
 * Finds the records that use columns of a dataset: formulas, derived columns, links, levels, dashboards, alerts,
 * accelerations, and row filters of shares, groups and tokens. Lists the first thousand that the caller may read.
 */
export async function findUses(options: FindUsesOptions): Promise<ColumnUses> {
  const { datasetId, changed, columns, records, knex, principal } = options;
  if (changed.length === 0) return { used_by: [], hidden_count: 0 };
  const affected = withDerived(changed, columns);
  const patterns = affected.map((id) => `%${id.toLowerCase()}%`);
  const bindings = [
    datasetId,
    arrayBinding(affected),
    arrayBinding(affected),
    arrayBinding(patterns),
  ];
  const { rows }: { rows: readonly { resource: string; id: string; by: string }[] } =
    await knex.raw(statement, bindings);
  const found = [
    ...new Map(rows.map((row) => [`${row.resource} ${row.id} ${row.by}`, row])).values(),
  ];
  const used: ColumnUse[] = [];
  let hiddenCount = 0;
  for (const [resource, group] of Map.groupBy(found, (row) => row.resource)) {
    const ids = [...new Set(group.map(({ id }) => id))];
    const seen =
      resource === "authorization"
        ? await madeTokens(ids, records, principal)
        : await records.visible(resource, ids, "read", principal);
    hiddenCount += ids.filter((id) => !seen.has(id)).length;
    for (const { id, by } of group) {
      const record = seen.get(id);
      if (record) used.push({ resource, id, name: record["name"] ?? null, by });
    }
  }
  const sorted = used.toSorted((one, other) =>
    `${one.resource} ${one.id}` < `${other.resource} ${other.id}` ? -1 : 1,
  );
  return { used_by: sorted.slice(0, mostNamed), hidden_count: hiddenCount };
}

/**
 * Finds the tokens that the caller has issued. Nobody else can read these tokens, and not even the caller can search
 * them.
 */
async function madeTokens(
  ids: readonly string[],
  records: Records,
  { userId, restriction }: Principal,
): Promise<ReadonlyMap<string, ResourceRow<"authorization">>> {
  if (restriction) return new Map();
  const made = await records.find("authorization", { id: ids, maker_id: userId });
  return new Map(made.map((row) => [row.id, row]));
}

/** Returns the columns and all columns that are derived from them, directly or through other columns. */
function withDerived(
  changed: readonly string[],
  columns: readonly ResourceRow<"column">[],
): readonly string[] {
  const affected = new Set(changed);
  const derived = columns.flatMap(({ id, expression }) =>
    expression ? [{ id, of: columnsIn(expression) }] : [],
  );
  for (let before = -1; before < affected.size;) {
    before = affected.size;
    for (const { id, of } of derived) if (of.some((each) => affected.has(each))) affected.add(id);
  }
  return [...affected];
}

/** Returns the columns that an expression references. Returns no columns if the expression cannot be parsed. */
function columnsIn(expression: string): readonly string[] {
  try {
    return listReferences(expression).map(({ columnId }) => columnId.toLowerCase());
  } catch (failure) {
    if (failure instanceof ExpressionError) return [];
    throw failure;
  }
}
