// A connector for PGlite, which is PostgreSQL in WebAssembly. The connector promises the operations that this dialect
// writes; the host computes all others. PGlite cannot interrupt a running statement, but a driver for a server can.
import type { PGlite } from "@electric-sql/pglite";
import * as kit from "@manifold-analytics/plugin/sql";

const { cell, sql } = kit;
const types = { numeric: "float8", datetime: "float8", hierarchy: "text" };
const escaped = (point: number) => `\\U${point.toString(16).padStart(8, "0")}`;

// All other members have defaults. This dialect writes every operation except levels of datetimes, so the connector
// promises every operation except these levels.
const dialect = kit.createDialect({
  name: "PGlite",
  holdsNul: false,
  placeholder: (at, { kind, type }) => `$${at}::${types[type]}${kind === "list" ? "[]" : ""}`,
  // Strings compare by their bytes, datetimes become milliseconds since 1970, and NaN and infinities become null.
  read({ type }, column) {
    if (type === "hierarchy") return sql`(${column}::text collate "C")`;
    const instant = sql`floor(extract(epoch from ${column}) * 1000)`;
    const number = sql`(${type === "numeric" ? column : instant})::float8`;
    return sql`(case when ${number} - ${number} = 0 then ${number} + 0 end)`;
  },
  among: (list) => sql`= any(${list})`,
  matches(text, pattern, place) {
    const classes = kit.foldingClasses(pattern).map((each) => `[${each.map(escaped).join("")}]`);
    const ends = [place === "start" ? "^" : "", place === "end" ? "$" : ""];
    return sql`${text} ~ ${cell("hierarchy", ends.join(classes.join("")))}`;
  },
});

const tables = `select table_schema as schema, table_name as name, 'table' as kind, json_agg(json_build_object(
    'name', column_name, 'nativeType', data_type, 'type', case when data_type ~ '^(timestamp|date)' then 'datetime'
      when data_type ~ '^(smallint|integer|bigint|numeric|real|double)' then 'numeric' else 'hierarchy' end
  ) order by ordinal_position) as columns
  from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema') group by 1, 2`;

/** Creates a plugin for a PGlite database that the caller has opened. */
export function createPglitePlugin(database: PGlite): ReturnType<typeof kit.createSqlPlugin> {
  const session: kit.SqlSession = {
    async *rows({ text, values }, signal) {
      signal.throwIfAborted();
      yield (await database.query<unknown[]>(text, [...values], { rowMode: "array" })).rows;
    },
  };
  const driver: kit.SqlDriver = {
    async use(_, __, run) {
      await database.exec("set default_transaction_read_only = on; set timezone = 'UTC'");
      return run(session);
    },
    tables: async (_, __, only) =>
      (await database.query<kit.SqlTable>(tables)).rows.filter(
        ({ schema, name }) => !only || (schema === only.schema && name === only.name),
      ),
    failure: (thrown) => new kit.PluginError("PLUGIN_SOURCE_FAILED", [`PGlite: ${String(thrown)}`]),
    close: async () => {},
  };
  return kit.createSqlPlugin({ dialect, driver, sizeBytes: 2 ** 28 });
}
