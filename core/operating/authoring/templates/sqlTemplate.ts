import { importing } from "./importing.ts";

/** Template of an SQL connector over node:sqlite, which needs neither a package nor a server. */
export const sqlTemplate = `// A SQL connector, which turns queries into statements. It uses node:sqlite; replace the session with your driver's.
import { DatabaseSync } from "node:sqlite";
${importing("type { AccountProperty, Credentials, OpenConnector, Plugin }", "/protocol")}
${importing("* as kit", "/sql")}

const { cell, sql, trusted } = kit;

// The rows of the tests. They include the values that connectors often get wrong.
const sample = \`create table trips (city text, km real, started text);
  insert into trips values ('Ghent', 3.5, '2024-01-05T08:30:00Z'), ('ghent', -2, '2024-03-31T01:30:00Z'),
    ('Mons', 5, '2024-02-01T12:00:00Z'), ('Mons ', 0, null), ('50%', 7.25, null), ('505', 1, null),
    ('Émile', 4, null), ('émile', 2, null), ('CAFÉ', 8, null), ('café', 6, null), (null, null, '1969-07-20T20:17:40Z')\`;

// SQLite's LIKE ignores the case of ASCII letters only. The protocol requires all of Unicode.
const found = (before: string, after: string) => (text: unknown, part: unknown) =>
  typeof text === "string" ? Number(new RegExp(before + RegExp.escape(String(part)) + after, "iu").test(text)) : null;

function openDatabase(path: string): DatabaseSync {
  const isSample = path === ":memory:";
  const database = new DatabaseSync(path, { readOnly: !isSample });
  if (isSample) database.exec(sample);
  database.function("holds", { deterministic: true }, found("", ""));
  database.function("begins", { deterministic: true }, found("^", ""));
  database.function("ends", { deterministic: true }, found("", "$"));
  return database;
}

// Every other member has a default. The plugin claims everything that the dialect can write: all but levels of datetimes
// and percentiles, which the host does. \`npm run check\` tests every claim.
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
interface Session extends kit.SqlSession {
  readonly database: DatabaseSync;
}

const sessionOf = (database: DatabaseSync): Session => ({
  database,
  async *rows({ text, values }, signal) {
    signal.throwIfAborted();
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    yield statement.all(...(values as string[])) as unknown as unknown[][];
  },
});

/** \`pathOf\` returns the database file of an account. */
const createDriver = (pathOf: (credentials: Credentials) => Promise<string>): kit.SqlDriver<Session> => ({
  // Each call opens the file. A driver for a server keeps its sessions in a pool: see createPool.
  async use(credentials, _, run) {
    const database = openDatabase(await pathOf(credentials));
    try {
      return await run(sessionOf(database));
    } finally {
      database.close();
    }
  },
  async tables({ database }) {
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
    thrown instanceof kit.PluginError
      ? thrown
      : new kit.PluginError("PLUGIN_SOURCE_FAILED", [thrown instanceof Error ? thrown.message : "SQLite failed"]),
  close: async () => {},
});

/** The settings of an account. The console shows a field for each of them. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Database file", type: "text", required: true },
];

/** Opens the connector in the host's process. Accounts may name only files in the folders that the operator lists. */
export const open: OpenConnector = async ({ reach, sizeBytes }) => {
  async function pathOf(credentials: Credentials): Promise<string> {
    const { path, isFolder } = await kit.findFile(credentials, reach);
    if (!isFolder) return path;
    throw new kit.PluginError("PLUGIN_INVALID", ["host must name a database file, not a folder"]);
  }
  return kit.createSqlPlugin({ dialect, driver: createDriver(pathOf), sizeBytes });
};

// In a process of its own, the plugin serves the file that DATABASE names. Without it, it serves the sample.
const { DATABASE = ":memory:" } = process.env;
const plugin: Plugin = kit.createSqlPlugin({
  dialect,
  driver: createDriver(async () => DATABASE),
  sizeBytes: 2 ** 28,
});

export default plugin;
`;
