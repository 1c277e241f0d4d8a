import { pairsOf, PluginError } from "../protocol/index.ts";
import { createColumnScope, notOffered } from "./columnScope.ts";
import { compileFilters } from "./compileFilters.ts";
import type { CompileOptions } from "./compileOptions.ts";
import type { SqlTable } from "./driver.ts";
import { tableOf } from "./tableOf.ts";
import { join, sql, trusted, type Fragment } from "./fragment.ts";

/**
 * The rows that a statement reads. They are the rows of a table, extended by the columns of the tables that are joined
 * to it.
 */
export interface JoinedTables {
  /** The columns of all tables, with their ids in the query. */
  readonly table: SqlTable;
  /** The SQL that follows `from` in the statement. */
  readonly from: Fragment;
}

/**
 * Writes the joins of a query. Each joined table is first grouped by its key, and the statement fails if a key is
 * repeated. Therefore, each row is joined to at most one row. A query without joins reads the table itself.
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
    const before = createColumnScope({ ...options, table: whole });
    const taken = [...whole.columns.map(({ name }) => name), ...each.columns.map(({ id }) => id)];
    const keys = pairsOf(each).map((pair, place): Key => {
      const left = before.valueOf({ column_id: pair.left });
      const right = own.valueOf({ column_id: pair.right });
      if (left.type !== right.type)
        throw new PluginError("PLUGIN_INVALID", [
          `a join needs columns of the same type: ${pair.left} is ${left.type}, but ${pair.right} is ${right.type}`,
        ]);
      const name = trusted(dialect.quote(keyName(`key ${index} ${place}`, taken)));
      return { left: left.expression, right: right.expression, name };
    });
    const columns = each.columns.map(({ id, column_id }) => {
      const column = other.columns.find(({ name }) => name === column_id);
      if (!column) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [each.id, column_id]);
      return { column: { ...column, name: id }, quoted: trusted(dialect.quote(column_id)) };
    });
    const selected = columns.map(
      ({ column, quoted }) => sql`${joins.only(quoted)} as ${trusted(dialect.quote(column.name))}`,
    );
    const tests = compileFilters(each.filters ?? [], own, dialect);
    const known = join(
      keys.map(({ right }) => sql`(${right} is not null)`),
      " and ",
    );
    const where = each.filters?.length ? sql`${tests} and ${known}` : sql` where ${known}`;
    const one = joins.refuseRepeated(trusted("count(*)"));
    const written = keys.map(({ right, name }) => sql`${right} as ${name}`);
    const places = trusted(keys.map((_, place) => place + 1).join(", "));
    const rows = sql`select ${join([...written, ...selected], ", ")} from ${tableOf(other, dialect)}${where} group by ${places} having ${one}`;
    const alias = trusted(dialect.quote(`j${index}`));
    const equal = join(
      keys.map(({ left, name }) => sql`${left} = ${name}`),
      " and ",
    );
    from = sql`${from} ${trusted(joins.left)} (${rows}) ${alias} on ${equal}`;
    whole = { ...whole, columns: [...whole.columns, ...columns.map(({ column }) => column)] };
  }
  return { table: whole, from };
}

/** A pair of columns of a join, and the name of the joined column in the statement. */
interface Key {
  readonly left: Fragment;
  readonly right: Fragment;
  readonly name: Fragment;
}

/** Returns a name that no column has. Statements can therefore use it without a table name. */
function keyName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  while (taken.includes(name)) name += " ";
  return name;
}
