import type { Administration } from "./administration.ts";
import type { KeptSessions } from "./keepSessions.ts";

/** The contents of a database before a test uses it. */
export interface Pristine {
  readonly structure: string;
  /** The rows of each table that is not empty, as JSON. */
  readonly rows: ReadonlyMap<string, string>;
}

const namespaces = `(select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')`;

/**
 * Returns SQL that selects the number of rows of a table, and the last transaction that wrote one of these rows. Every
 * change to the table alters this pair. The transaction is expressed by its distance from the first transaction,
 * because SQL cannot sort transaction numbers. Rows that the server itself wrote have the highest age, and are left
 * out.
 */
const changed = (table: string) =>
  `(select concat(count(*), ' ', age('3'::xid) - nullif(min(age(xmin)), 2147483647)) from ${table})`;

/**
 * SQL for a value that changes with every change to a table, column, function, trigger or constraint, and after
 * `analyze`.
 */
const structure = `select concat_ws(', ', ${[
  "pg_class",
  "pg_attribute",
  "pg_proc",
  "pg_trigger",
  "pg_constraint",
  "pg_statistic",
  "pg_namespace",
]
  .map(changed)
  .join()}) as structure`;

const tables = `select oid::regclass::text as name from pg_class
  where relkind = 'r' and relnamespace in ${namespaces} and pg_relation_size(oid) > 0`;

const sequences = `select setval(seqrelid, seqstart, false) from pg_sequence
  where seqrelid in (select oid from pg_class where relnamespace in ${namespaces})`;

type Row = Readonly<Record<string, string>>;

/** Reads the contents of a database before a test uses it. */
export async function readPristine({ run }: Administration): Promise<Pristine> {
  const [read] = await run<Row>(structure);
  const rows = new Map<string, string>();
  for (const { name } of await run<{ readonly name: string }>(tables)) {
    const [found] = await run<Row>(`select json_agg(t)::text as rows from ${name} t`);
    if (found?.["rows"]) rows.set(name, found["rows"]);
  }
  return { structure: read?.["structure"] ?? "", rows };
}

/** Returns a value that identifies the current rows of the tables that contain rows in the template. */
async function stateOf({ run }: Administration, { rows }: Pristine): Promise<Row> {
  const members = [...rows.keys()].map((name) => `${changed(name)} as "${name}"`);
  const [state = {}] = await run<Row>(`select ${members.join()}`);
  return state;
}

/** A database that is emptied after each test. */
export interface EmptiedDatabase {
  /**
   * Ends all sessions except for the kept ones, and restores the template's rows. Costs the server much less than
   * creating a database. Resolves to false if the structure has changed; the database must then not be reused.
   * @throws {Error} if a session does not end in time
   */
  empty(): Promise<boolean>;
}

/** Prepares an unused database for emptying. `administration` is a connection to this database. */
export async function createEmptiedDatabase(
  administration: Administration,
  { pristine, sessions }: { readonly pristine: Pristine; readonly sessions: KeptSessions },
): Promise<EmptiedDatabase> {
  const { run } = administration;
  await run("set lock_timeout = '5s'; set session_replication_role = replica");
  let state = await stateOf(administration, pristine);
  return {
    async empty() {
      await run(
        `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database()
             and pid <> all('{${sessions.processIds.join()}}'::int[] || pg_backend_pid())`,
      );
      const [now] = await run<Row>(structure);
      if (now?.["structure"] !== pristine.structure) return false;
      const used = await run<{ readonly name: string }>(tables);
      const resets = used
        .filter(({ name }) => !pristine.rows.has(name))
        .map(({ name }) => `delete from ${name}`);
      const found = await stateOf(administration, pristine);
      const changedNames = Object.keys(found).filter((name) => found[name] !== state[name]);
      for (const name of changedNames)
        resets.push(
          `delete from ${name}`,
          `insert into ${name} select * from json_populate_recordset(null::${name}, '${(pristine.rows.get(name) ?? "").replaceAll("'", "''")}')`,
        );
      await run([...resets, sequences].join(";"));
      if (changedNames.length > 0) state = await stateOf(administration, pristine);
      return true;
    },
  };
}
