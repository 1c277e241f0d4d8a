import type { Knex } from "knex";

/** The columns of a catalog, by table and name: the type, `null` where it may be, `default` where there is one. */
export type KeptSchema = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly defaulted: boolean;
}

const statement = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         not a.attnotnull as nullable, a.atthasdef or a.attidentity <> '' as defaulted
    from pg_class c join pg_attribute a on a.attrelid = c.oid
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
     and c.relname <> 'migration'
   order by 1, 2`;

/** Reads the columns of every table of a catalog. */
export async function schemaOf(knex: Knex): Promise<KeptSchema> {
  const { rows }: { rows: readonly ColumnRow[] } = await knex.raw(statement);
  const tables: Record<string, Record<string, string>> = {};
  for (const { table, name, type, nullable, defaulted } of rows) {
    const columns = (tables[table] ??= {});
    columns[name] = `${type}${nullable ? " null" : ""}${defaulted ? " default" : ""}`;
  }
  return tables;
}

/** Says what statements of the earlier version no longer find, or can no longer write; empty for nothing. */
export function brokenBy(before: KeptSchema, after: KeptSchema): readonly string[] {
  const problems: string[] = [];
  for (const [table, columns] of Object.entries(before)) {
    const now = after[table];
    if (!now) {
      problems.push(`the table ${table} is gone`);
      continue;
    }
    for (const [name, column] of Object.entries(columns)) {
      const found = now[name];
      if (found === undefined) problems.push(`${table}.${name} is gone`);
      else if (typeOf(found) !== typeOf(column))
        problems.push(`${table}.${name} was ${typeOf(column)} and is ${typeOf(found)}`);
      else if (isNullable(column) && !isNullable(found))
        problems.push(`${table}.${name} could be null`);
      else if (hasDefault(column) && !hasDefault(found))
        problems.push(`${table}.${name} had a default`);
    }
    for (const [name, column] of Object.entries(now))
      if (columns[name] === undefined && !isNullable(column) && !hasDefault(column))
        problems.push(
          `${table}.${name} is new, and needs a value that earlier versions do not write`,
        );
  }
  return problems;
}

const isNullable = (column: string): boolean => / null( default)?$/.test(column);
const hasDefault = (column: string): boolean => column.endsWith(" default");
const typeOf = (column: string): string => column.replace(/( null)?( default)?$/, "");
