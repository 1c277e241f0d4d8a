import { type Client, escapeIdentifier } from "pg";

/** A table of the catalog with its writable columns. */
export interface CatalogTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly keyColumns: readonly string[];
}

/** The schemas of the catalog: `public` for records, and `jobs` for the job queue. */
export const catalogSchemas: readonly string[] = ["public", "jobs"];

export const quote = escapeIdentifier;

/**
 * Lists the tables of a catalog in the order of their names. A partitioned table counts as one table. Generated columns
 * are omitted. The version of the queue's tables is omitted too, because it belongs to the package that created them.
 */
export async function listTables(client: Client): Promise<CatalogTable[]> {
  const { rows } = await client.query<{
    schema: string;
    name: string;
    columns: string[];
    key_columns: string[] | null;
  }>(
    `select n.nspname as schema, c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select array_agg(a.attname::text order by k.place)
        from pg_index i, unnest(i.indkey) with ordinality as k(attnum, place), pg_attribute a
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as key_columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
      and not (n.nspname = 'jobs' and c.relname = 'version')
    order by 1, 2`,
    [catalogSchemas],
  );
  return rows.map(({ schema, name, columns, key_columns }) => ({
    schema,
    name,
    columns,
    keyColumns: key_columns ?? [],
  }));
}
