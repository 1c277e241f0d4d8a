import type { SqlColumn, SqlSession, SqlTable } from "../../plugins/sql/index.ts";
import { formOfType } from "./columnForm.ts";
import type { PostgresSession } from "./createSession.ts";
import { judgeStatement } from "./judgeStatement.ts";
import { isTextMatched, narrowingOf } from "./narrowing.ts";

const kinds: Readonly<Record<string, SqlTable["kind"]>> = {
  r: "table",
  v: "view",
  m: "materialized view",
  f: "foreign table",
  p: "partitioned table",
};

/**
 * A statement that returns one row for each column that the user may select. A domain is returned as its base type.
 * Partitions are listed only if they are requested by name, because they are normally read through their table.
 */
const statement = `
with recursive base (domain, type, modifier) as (
  select oid, typbasetype, typtypmod from pg_catalog.pg_type where typtype = 'd'
  union all
  select base.domain, inside.typbasetype, inside.typtypmod
  from base join pg_catalog.pg_type inside on inside.oid = base.type
  where inside.typtype = 'd'
), listed as materialized (
  select
    class.oid, space.nspname, class.relname, class.relkind, class.reltuples::bigint,
    pg_catalog.obj_description(class.oid, 'pg_class') description
  from pg_catalog.pg_class class
  join pg_catalog.pg_namespace space on space.oid = class.relnamespace
  where class.relkind in ('r', 'v', 'm', 'f', 'p')
    and space.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    and space.nspname not like 'pg\\_temp\\_%'
    and space.nspname not like 'pg\\_toast\\_temp\\_%'
    and pg_catalog.has_schema_privilege(space.oid, 'usage')
    and ($1::text is null or space.nspname = $1::text)
    and ($2::text is null and not class.relispartition or class.relname = $2::text)
)
select
  listed.nspname,
  listed.relname,
  listed.relkind,
  listed.reltuples,
  listed.description,
  attribute.attname,
  coalesce(
    (select pg_catalog.format_type(base.type, base.modifier) from base
     join pg_catalog.pg_type last on last.oid = base.type
     where base.domain = attribute.atttypid and last.typtype <> 'd'),
    pg_catalog.format_type(attribute.atttypid, attribute.atttypmod)
  ),
  sorting.collname,
  (select pg_catalog.pg_encoding_to_char(encoding) from pg_catalog.pg_database
   where datname = pg_catalog.current_database()),
  case when attribute.atttypid = 20 or attribute.atttypid = 1700 and (attribute.atttypmod - 4) & 65535 = 0 then (
    select max(greatest(
      abs(trim('{}' from split_part(bounds, ',', 1))::numeric),
      abs(trim('{}' from reverse(split_part(reverse(bounds), ',', 1)))::numeric),
      case when common is not null then (select max(abs(value)) from unnest(common::numeric[]) value) end
    ))::float8
    from (
      select known.histogram_bounds::text bounds, known.most_common_vals::text common
      from pg_catalog.pg_stats known
      where known.schemaname = listed.nspname and known.tablename = listed.relname
        and known.attname = attribute.attname
    ) known
  ) end
from listed
join pg_catalog.pg_attribute attribute on attribute.attrelid = listed.oid
left join pg_catalog.pg_collation sorting on sorting.oid = attribute.attcollation
where attribute.attnum > 0
  and not attribute.attisdropped
  and pg_catalog.has_column_privilege(listed.oid, attribute.attnum, 'select')
order by listed.nspname, listed.relname, attribute.attnum`;

/**
 * Lists tables with their columns, sorted by name. If `only` is given, lists only that table. If `schema` is given,
 * lists only tables of that schema.
 */
export async function listTables(
  session: SqlSession,
  signal: AbortSignal,
  only: { readonly schema: string; readonly name: string } | undefined,
  schema: string | undefined,
): Promise<readonly SqlTable[]> {
  if (only && schema !== undefined && only.schema !== schema) return [];
  const values = [only?.schema ?? schema ?? null, only?.name ?? null];
  // Names in PostgreSQL never contain this character.
  if (values.some((value) => value?.includes("\0"))) return [];
  const found = new Map<string, SqlTable & { readonly columns: SqlColumn[] }>();
  for await (const rows of session.rows({ text: statement, values }, signal))
    for (const row of rows) {
      const [space, name, kind, rowCount, description, column, ...described] = row as (
        | string
        | null
      )[];
      const [nativeType, collation, encoding, largest] = described;
      const key = JSON.stringify([space, name]);
      let table = found.get(key);
      if (!table) {
        table = {
          schema: space ?? "",
          name: name ?? "",
          kind: kinds[kind ?? ""] ?? "table",
          ...(description && { description }),
          // Before the first ANALYZE, the estimate is -1. Views have no estimate.
          ...(Number(rowCount) >= 0 && kind !== "v" && { rows: Number(rowCount) }),
          columns: [],
        };
        found.set(key, table);
      }
      table.columns.push(
        columnOf({
          name: column ?? "",
          nativeType: nativeType ?? "",
          collation,
          encoding: encoding ?? "",
          largest,
        }),
      );
    }
  return [...found.values()];
}

/**
 * Returns the columns of a person's statement without running the statement. Domains are returned as their base type.
 * @throws {PluginError} PLUGIN_INVALID as in `judgeStatement`
 */
export async function describeStatement(
  session: PostgresSession,
  described: string,
  signal: AbortSignal,
  values: readonly unknown[],
): Promise<readonly SqlColumn[]> {
  await judgeStatement(session, described, signal);
  const columns = await session.describe({ text: described, values }, signal);
  let encoding = "";
  const text = "select pg_catalog.current_setting('server_encoding')";
  for await (const rows of session.rows({ text, values: [] }, signal))
    for (const [name] of rows) encoding = String(name);
  return columns.map(([name, nativeType]) =>
    columnOf({ name, nativeType, collation: undefined, encoding, largest: undefined }),
  );
}

interface DescribedColumn {
  readonly name: string;
  readonly nativeType: string;
  readonly collation: string | null | undefined;
  readonly encoding: string;
  /** As in `SqlColumn`. */
  readonly largest: string | null | undefined;
}

function columnOf({ name, nativeType, collation, encoding, largest }: DescribedColumn): SqlColumn {
  const { type } = formOfType(nativeType);
  const subtype = nativeType === "date" ? "date" : nativeType === "money" ? "currency" : undefined;
  return {
    name,
    nativeType,
    type,
    ...(subtype && { subtype }),
    ...(collation && { collation }),
    ...(largest && { largest: Number(largest) }),
    ...(type === "hierarchy" && !isTextMatched(encoding) && { narrowed: narrowingOf(encoding) }),
  };
}
