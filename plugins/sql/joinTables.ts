import { PluginError } from "../protocol/index.ts";
import { createColumnScope, notOffered } from "./columnScope.ts";
import { compileFilters } from "./compileFilters.ts";
import type { CompileOptions } from "./compileOptions.ts";
import type { SqlTable } from "./driver.ts";
import { tableOf } from "./tableOf.ts";
import { join, sql, trusted, type Fragment } from "./fragment.ts";

/** The rows that a statement reads: the rows of a table, with the columns of the tables joined to it. */
export interface JoinedTables {
  /** The columns of all tables, with their ids in the query. */
  readonly table: SqlTable;
  /** The text of the statement after `from`. */
  readonly from: Fragment;
}

/**
 * Writes the joins of a query. Each joined table is first grouped by its key, and the dialect refuses a repeated key,
 * so that each row is joined to at most one row. A query without joins reads the table itself.
 * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN, PLUGIN_INVALID; PLUGIN_NOT_OFFERED for a dialect without joins and for
 * derived columns
 */
export function joinTables(options: CompileOptions): JoinedTables {
  const { query, table, dialect, source, joined = [] } = options;
  let whole = table;
  let from = source ?? tableOf(table, dialect);
  for (const [index, each] of (query.joins ?? []).entries()) {
    const other = joined[index];
    const { joins } = dialect;
    if (!joins || !other || source) notOffered(dialect, "joins");
    if (each.derived?.length) notOffered(dialect, "derived columns of a joined dataset");
    const own = createColumnScope({ ...options, query: { ...query, id: each.id }, table: other });
    const left = createColumnScope({ ...options, table: whole }).valueOf({ column_id: each.left });
    const right = own.valueOf({ column_id: each.right });
    if (left.type !== right.type)
      throw new PluginError("PLUGIN_INVALID", [
        `a join needs columns of the same type: ${each.left} is ${left.type}, but ${each.right} is ${right.type}`,
      ]);
    const key = trusted(dialect.quote(keyName(index, whole, each.columns)));
    const columns = each.columns.map(({ id, column_id }) => {
      const column = other.columns.find(({ name }) => name === column_id);
      if (!column) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [each.id, column_id]);
      return { column: { ...column, name: id }, quoted: trusted(dialect.quote(column_id)) };
    });
    const selected = columns.map(
      ({ column, quoted }) => sql`${joins.only(quoted)} as ${trusted(dialect.quote(column.name))}`,
    );
    const tests = compileFilters(each.filters ?? [], own, dialect);
    const known = sql`(${right.expression} is not null)`;
    const where = each.filters?.length ? sql`${tests} and ${known}` : sql` where ${known}`;
    const one = joins.refuseRepeated(trusted("count(*)"));
    const rows = sql`select ${join([sql`${right.expression} as ${key}`, ...selected], ", ")} from ${tableOf(other, dialect)}${where} group by 1 having ${one}`;
    const alias = trusted(dialect.quote(`j${index}`));
    from = sql`${from} ${trusted(joins.left)} (${rows}) ${alias} on ${left.expression} = ${key}`;
    whole = { ...whole, columns: [...whole.columns, ...columns.map(({ column }) => column)] };
  }
  return { table: whole, from };
}

/** Returns a name that no column has, so that the name can be used without its table. */
function keyName(
  index: number,
  table: SqlTable,
  columns: readonly { readonly id: string }[],
): string {
  const taken = new Set([...table.columns.map(({ name }) => name), ...columns.map(({ id }) => id)]);
  let name = `key ${index}`;
  while (taken.has(name)) name += " ";
  return name;
}
