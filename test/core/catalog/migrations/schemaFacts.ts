import type { Knex } from "knex";

/**
 * Facts about the schema of a catalog, sorted and keyed by name, such as `column tag.tag` or `index tag_by_user_id`.
 */
export type SchemaFacts = Readonly<Record<string, string>>;

/**
 * Statement that returns one fact per row. The facts about constraints include their indexes, and the facts about
 * columns include `not null`.
 */
const statement = `
  with relation as (
    select oid, relname, relkind, relpersistence, reloptions, relrowsecurity
      from pg_class where relnamespace = 'public'::regnamespace
  )
  select 'column ' || relname || '.' || attname as name,
         concat_ws(' ', format_type(atttypid, atttypmod), case when not attnotnull then 'null' end,
           'default ' || pg_get_expr(adbin, adrelid), 'identity ' || nullif(attidentity::text, ''),
           'generated ' || nullif(attgenerated::text, ''), 'collate ' || nullif(collname::text, 'default')) as fact
    from relation join pg_attribute a on attrelid = relation.oid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    left join pg_collation c on c.oid = attcollation
   where relkind = 'r' and attnum > 0 and not attisdropped
  union all
  select 'constraint ' || relname || '.' || conname, pg_get_constraintdef(c.oid)
    from relation join pg_constraint c on conrelid = relation.oid where contype not in ('n', 't')
  union all
  select 'index ' || i.relname, pg_get_indexdef(i.oid)
    from relation join pg_index on indrelid = relation.oid join pg_class i on i.oid = indexrelid
   where indisvalid and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
  union all
  select 'trigger ' || relname || '.' || tgname, concat_ws(' ', pg_get_triggerdef(t.oid), nullif(tgenabled::text, 'O'))
    from relation join pg_trigger t on tgrelid = relation.oid where not tgisinternal
  union all
  select 'view ' || relname, pg_get_viewdef(oid) from relation where relkind not in ('r', 'i', 'S')
  union all
  select 'sequence ' || relname,
         concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle)
    from relation join pg_sequence on seqrelid = relation.oid
  union all
  select 'function ' || p.oid::regprocedure::text, pg_get_functiondef(p.oid)
    from pg_proc p where pronamespace = 'public'::regnamespace
  union all
  select 'type ' || t.oid::regtype, concat_ws(' ', typtype, pg_get_constraintdef(c.oid))
    from pg_type t left join pg_constraint c on contypid = t.oid
   where typnamespace = 'public'::regnamespace and typtype not in ('c', 'b')
  union all
  select 'rule ' || relname || '.' || rulename, pg_get_ruledef(r.oid)
    from relation join pg_rewrite r on ev_class = relation.oid where rulename <> '_RETURN'
  union all
  select 'comment ' || pg_describe_object(classoid, objoid, objsubid), description
    from pg_description where objoid in (
      select oid from pg_class where relnamespace = 'public'::regnamespace union all
      select oid from pg_proc where pronamespace = 'public'::regnamespace)
  union all
  select 'storage ' || relname, concat_ws(' ', relpersistence, reloptions, relrowsecurity)
    from relation where relkind = 'r' and (relpersistence <> 'p' or reloptions is not null or relrowsecurity)`;

/**
 * Reads facts about the schema of a catalog, and the rows of every table except the list of migration steps. Ignores
 * the order of columns, and also line breaks and comments in functions.
 */
export async function schemaFacts(knex: Knex): Promise<SchemaFacts> {
  const { rows }: { rows: readonly { name: string; fact: string }[] } = await knex.raw(statement);
  const facts = new Map(rows.map(({ name, fact }) => [name, onOneLine(fact)]));
  const filled: string[] = await knex("pg_class")
    .whereRaw(
      "relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0",
    )
    .whereNot("relname", "migration")
    .pluck("relname");
  for (const table of filled) {
    const found: readonly object[] = await knex(table).select("*");
    facts.set(`rows ${table}`, JSON.stringify(found));
  }
  return Object.fromEntries([...facts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const onOneLine = (fact: string): string =>
  fact.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ").trim();

/**
 * Returns the facts that statements of the earlier version rely on but that the later schema changes; empty if there
 * are none.
 */
export function brokenBy(before: SchemaFacts, after: SchemaFacts): readonly string[] {
  const tables = { before: tablesOf(before), after: tablesOf(after) };
  const problems: string[] = [];
  for (const [table, columns] of tables.before) {
    const now = tables.after.get(table);
    if (!now) {
      problems.push(`the table ${table} is gone`);
      continue;
    }
    for (const [name, column] of columns) {
      const found = now.get(name);
      if (found === undefined) problems.push(`${table}.${name} is gone`);
      else if (found.type !== column.type)
        problems.push(`${table}.${name} was ${column.type} and is ${found.type}`);
      else if (column.isNullable && !found.isNullable)
        problems.push(`${table}.${name} could be null`);
      else if (column.hasDefault && !found.hasDefault)
        problems.push(`${table}.${name} had a default`);
    }
    for (const [name, column] of now)
      if (!columns.has(name) && !column.isNullable && !column.hasDefault)
        problems.push(
          `${table}.${name} is new, and needs a value that earlier versions do not write`,
        );
  }
  return problems;
}

interface ColumnFact {
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}

function tablesOf(facts: SchemaFacts): ReadonlyMap<string, ReadonlyMap<string, ColumnFact>> {
  const tables = new Map<string, Map<string, ColumnFact>>();
  for (const [name, fact] of Object.entries(facts)) {
    const [, table, column] = name.match(/^column (\w+)\.(\w+)$/) ?? [];
    if (table === undefined || column === undefined) continue;
    const [, type = "", isNull, given] =
      fact.match(/^(.*?)( null)?( (?:default|identity) .*)?$/) ?? [];
    const columns = tables.get(table) ?? new Map();
    tables.set(table, columns);
    columns.set(column, {
      type,
      isNullable: isNull !== undefined,
      hasDefault: given !== undefined,
    });
  }
  return tables;
}
