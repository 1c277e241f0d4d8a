import { importing } from "./importing.ts";

/** Template of an SQL connector over node:sqlite, which needs neither a package nor a server. */
export const sqlTemplate = `// A SQL connector, which turns queries into statements. It uses node:sqlite; replace the session with your driver's.
import { DatabaseSync } from "node:sqlite";
${importing("{ serve }")}
${importing("* as kit", "/sql")}

const { cell, sql, trusted } = kit;

// A database in memory. Set DATABASE to use a file instead.
const database = new DatabaseSync(process.env.DATABASE ?? ":memory:");
if (process.env.DATABASE === undefined)
  database.exec(\`create table trips (city text, km real, started text);
    insert into trips values ('Ghent', 3.5, '2024-01-05T08:30:00Z'), ('ghent', -2, '2024-03-31T01:30:00Z'),
      ('Mons', 5, '2024-02-01T12:00:00Z'), ('Mons ', 0, null), ('50%', 7.25, null), ('505', 1, null),
      ('Émile', 4, null), ('émile', 2, null), ('CAFÉ', 8, null), ('café', 6, null), (null, null, '1969-07-20T20:17:40Z')\`);
// SQLite's LIKE ignores the case of ASCII letters only. The protocol requires all of Unicode.
const found = (before: string, after: string) => (text: unknown, part: unknown) =>
  typeof text === "string" ? Number(new RegExp(before + RegExp.escape(String(part)) + after, "iu").test(text)) : null;
database.function("holds", { deterministic: true }, found("", ""));
database.function("begins", { deterministic: true }, found("^", ""));
database.function("ends", { deterministic: true }, found("", "$"));

// Every other member has a default. The plugin claims everything that the dialect can write: all but levels of datetimes
// and percentiles, which the host does. \`manifold plugin check\` tests every claim.
const dialect = kit.createDialect({
  name: "sqlite",
  holdsNul: true,
  driverValue: (bound) => (bound.kind === "list" ? JSON.stringify(bound.values) : bound.value),
  // A CASE has no collation, so strings are compared by their bytes. Datetimes are milliseconds since 1970.
  read({ type }, column) {
    if (type === "numeric") return sql\`case when typeof(\${column}) in ('integer', 'real') then cast(\${column} as real) end\`;
    if (type === "hierarchy") return sql\`case when \${column} is not null then cast(\${column} as text) end\`;
    return sql\`cast(round(unixepoch(\${column}, 'subsec') * 1000) as real)\`;
  },
  among: (list) => sql\`in (select value from json_each(\${list}))\`,
  matches: (text, pattern, place) =>
    sql\`\${trusted({ anywhere: "holds", start: "begins", end: "ends" }[place])}(\${text}, \${cell("hierarchy", pattern)})\`,
  aggregates: { percentile: undefined, stddev: undefined },
});

// Detects numbers by SQLite's type affinity: numeric(10,2) and double are numbers too.
const isNumber = /int|real|floa|doub|num|dec/;
const session: kit.SqlSession = {
  async *rows({ text, values }, signal) {
    signal.throwIfAborted();
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    yield statement.all(...(values as string[])) as unknown as unknown[][];
  },
};
const driver: kit.SqlDriver = {
  use: (_, __, run) => run(session),
  async tables() {
    const names = database.prepare("select name from sqlite_schema where type = 'table'").all();
    return names.map(({ name }) => ({
      schema: "main",
      name: String(name),
      kind: "table" as const,
      columns: database
        .prepare("select name, lower(type) as native from pragma_table_info(?)")
        .all(String(name))
        .map((column) => ({
          name: String(column.name),
          nativeType: String(column.native),
          // SQLite has no type for instants, so list the columns that contain ISO 8601 strings.
          type: column.name === "started" ? ("datetime" as const) : isNumber.test(String(column.native)) ? ("numeric" as const) : ("hierarchy" as const),
        })),
    }));
  },
  failure: (thrown) =>
    new kit.PluginError("PLUGIN_SOURCE_FAILED", [thrown instanceof Error ? thrown.message : "SQLite failed"]),
  close: async () => database.close(),
};

const plugin = kit.createSqlPlugin({ dialect, driver, sizeBytes: 2 ** 28 });

export default plugin;
`;
