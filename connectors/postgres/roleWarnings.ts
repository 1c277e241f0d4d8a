import type { SqlSession } from "../../plugins/sql/index.ts";

/** Role attributes that allow more than reading. */
const attributes = {
  rolcreaterole: "CREATEROLE",
  rolcreatedb: "CREATEDB",
  rolreplication: "REPLICATION",
  rolbypassrls: "BYPASSRLS",
} as const;

/** Predefined roles whose members can write data, access the server's files or programs, or stop other sessions. */
const predefined = [
  "pg_write_all_data",
  "pg_read_server_files",
  "pg_write_server_files",
  "pg_execute_server_program",
  "pg_signal_backend",
  "pg_maintain",
  "pg_create_subscription",
] as const;

const shownNames = 3;

/**
 * A statement that returns one row about the user's roles, including roles to which the user may switch. Each list
 * contains the first few names and the total number of names.
 */
const text = `
with own as (
  select * from pg_catalog.pg_roles where pg_catalog.pg_has_role(current_user, oid, 'member')
), written as (
  select space.nspname || '.' || class.relname as name
  from pg_catalog.pg_class class
  join pg_catalog.pg_namespace space on space.oid = class.relnamespace
  where class.relkind in ('r', 'p', 'v', 'm', 'f')
    and space.nspname not in ('pg_catalog', 'information_schema')
    and space.nspname not like 'pg\\_%'
    and pg_catalog.has_schema_privilege(space.oid, 'usage')
    and (pg_catalog.has_table_privilege(class.oid, 'delete, truncate')
      or pg_catalog.has_any_column_privilege(class.oid, 'insert, update'))
), counters as (
  select 1 from pg_catalog.pg_class class
  join pg_catalog.pg_namespace space on space.oid = class.relnamespace
  where space.nspname not like 'pg\\_%'
    and pg_catalog.has_schema_privilege(space.oid, 'usage')
    and case class.relkind
      when 'S' then pg_catalog.has_sequence_privilege(class.oid, 'usage, update') end
), created as (
  select nspname as name from pg_catalog.pg_namespace
  where nspname not like 'pg\\_%' and nspname <> 'information_schema'
    and pg_catalog.has_schema_privilege(oid, 'create')
)
select
  current_user,
  (select bool_or(rolsuper) from own),
  pg_catalog.has_database_privilege(pg_catalog.current_database(), 'create'),
  array(select rolname from own where rolname = any ($1::text[]) order by 1)::text,
  (select count(*) from written),
  (select string_agg(name, ', ') from (select name from written order by 1 limit ${shownNames}) listed),
  (select count(*) from counters),
  (select count(*) from created),
  (select string_agg(name, ', ') from (select name from created order by 1 limit ${shownNames}) listed),
  ${Object.keys(attributes)
    .map((each) => `(select bool_or(${each}) from own)`)
    .join(", ")}`;

const advice = "use a role that has only SELECT on the tables that people should see";

/** Returns the rights of a session's role that go beyond reading, as one sentence each. */
export async function roleWarnings(
  session: SqlSession,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    for await (const rows of session.rows({ text, values: [predefined.map(String)] }, signal))
      for (const row of rows)
        return warningsOf(row.map((each) => (each === null ? "" : String(each))));
    return [];
  } catch (failure) {
    signal.throwIfAborted();
    const reason = failure instanceof Error ? failure.message.slice(0, 100) : "no reason given";
    return [`the rights of the role could not be read (${reason}): ${advice}`];
  }
}

function warningsOf(row: readonly string[]): readonly string[] {
  const [
    name = "",
    isSuperuser,
    createsSchemas,
    memberships = "",
    tableCount,
    tables = "",
    sequenceCount,
    schemaCount,
    schemas = "",
    ...held
  ] = row;
  const role = `the role ${JSON.stringify(name)}`;
  if (isSuperuser === "t")
    return [
      `${role} is a superuser, or may become one: its statements can access files and programs of the database server; ${advice}`,
    ];
  const members = memberships.slice(1, -1).replaceAll(",", ", ");
  const names = Object.values(attributes).filter((_, index) => held[index] === "t");
  const found = [
    Number(tableCount) > 0 &&
      `may write to ${counted(tableCount, "table")} (${some(tables, tableCount)})`,
    Number(sequenceCount) > 0 && `may advance ${counted(sequenceCount, "sequence")}`,
    Number(schemaCount) > 0 &&
      `may create objects in ${counted(schemaCount, "schema")} (${some(schemas, schemaCount)})`,
    createsSchemas === "t" && "may create schemas in the database",
    members !== "" && `is a member of ${members}`,
    names.length > 0 && `has ${names.join(", ")}`,
  ].filter((each) => each !== false);
  return found.map((each) => `${role} ${each}; ${advice}`);
}

const counted = (count: string | undefined, noun: string): string =>
  `${count} ${noun}${count === "1" ? "" : "s"}`;

const some = (names: string, count: string | undefined): string =>
  Number(count) > shownNames ? `${names}, …` : names;
