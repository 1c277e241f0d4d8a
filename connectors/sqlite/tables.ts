import {
  allRows,
  join,
  sql,
  trusted,
  type Fragment,
  type SqlColumn,
  type SqlTable,
} from "../../plugins/sql/index.ts";
import { instantFunction } from "./functions.ts";
import type { SqliteSession } from "./openSession.ts";
import { dialect } from "./dialect.ts";
import { ReaderFailure } from "../../plugins/rows/index.ts";
import { needsSample, typeOf, type NumberMeaning, type Sample } from "./types.ts";

/** Number of rows to sample to detect the type of a column without a declared type. */
const sampleRows = 1000;
/** Maximum columns per sampling statement. A result of SQLite can have at most 2,000 columns. */
const sampledColumns = 300;

interface Found {
  readonly name: string;
  readonly kind: SqlTable["kind"];
  /** Encoding of the database. */
  readonly encoding: string;
}

/**
 * Lists the tables and views of a database, without internal and virtual shadow tables. A view that SQLite cannot read,
 * because a table or module is missing, is listed without columns and with a note.
 */
export async function listTables(
  session: SqliteSession,
  signal: AbortSignal,
  only?: { readonly schema: string; readonly name: string },
): Promise<readonly SqlTable[]> {
  if (only && only.schema !== "main") return [];
  const text =
    "select name, type from pragma_table_list where schema = 'main' and type <> 'shadow' " +
    "and name not like 'sqlite\\_%' escape '\\' order by name";
  const found = await allRows(session, { text }, signal);
  const encoding = await encodingOf(session, signal);
  const tables: SqlTable[] = [];
  for (const [name, type] of found) {
    if (only && name !== only.name) continue;
    const kind = type === "view" ? "view" : "table";
    const described = await readable(() =>
      describeTable(session, { name: String(name), kind, encoding }, signal),
    );
    if (!(described instanceof ReaderFailure)) tables.push(described);
    else if (!only) tables.push(unreadable({ name: String(name), kind }, described));
  }
  return tables;
}

/** Returns a table without columns, whose note says why SQLite cannot read it. */
function unreadable(
  { name, kind }: Pick<Found, "name" | "kind">,
  { message }: ReaderFailure,
): SqlTable {
  const notes = [`SQLite cannot read the ${kind}: ${message}; correct its definition`];
  return { schema: "main", name, kind, notes, columns: [] };
}

async function encodingOf(session: SqliteSession, signal: AbortSignal): Promise<string> {
  const text = "select encoding from pragma_encoding";
  return String((await allRows(session, { text }, signal))[0]?.[0]);
}

/** Runs a statement. Returns the failure if SQLite refuses the statement because of the definition of a table. */
async function readable<Result>(run: () => Promise<Result>): Promise<Result | ReaderFailure> {
  try {
    return await run();
  } catch (failure) {
    // Code 1 is SQLITE_ERROR: a table, column, function or module does not exist.
    if (failure instanceof ReaderFailure && failure.code === 1) return failure;
    throw failure;
  }
}

async function describeTable(
  session: SqliteSession,
  { name, kind, encoding }: Found,
  signal: AbortSignal,
): Promise<SqlTable> {
  const text = "select name, type, pk from pragma_table_xinfo(?) where hidden <> 1 order by cid";
  const rows = await allRows(session, { text, values: [name] }, signal);
  const declared = rows.map(([column, type]) => ({ name: String(column), declared: String(type) }));
  const from = `main.${dialect.quote(name)}`;
  const samples = await sampleColumns(session, { from, columns: declared }, signal);
  const columns = typedColumns(declared, {
    numbers: session.numbers,
    samples,
    encoding,
    isView: kind === "view",
  });
  const keys = rows.filter(([, , place]) => Number(place) > 0);
  const isNumbered = keys.length === 1 && /^integer$/i.test(String(keys[0]?.[1]));
  if (!isNumbered) return { schema: "main", name, kind, columns };
  const key = String(keys[0]?.[0]);
  const largest = await largestKey(session, { from, key: dialect.quote(key) }, signal);
  return {
    schema: "main",
    name,
    kind,
    columns: columns.map((column) => (column.name === key ? { ...column, largest } : column)),
  };
}

/** Returns the largest absolute value of an integer key; 0 without rows. SQLite reads both ends of its tree. */
async function largestKey(
  session: SqliteSession,
  { from, key }: { readonly from: string; readonly key: string },
  signal: AbortSignal,
): Promise<number> {
  const text = `select cast((select max(${key}) from ${from}) as real), cast((select min(${key}) from ${from}) as real)`;
  const [ends = []] = await allRows(session, { text }, signal);
  return Math.max(0, ...ends.map((end) => Math.abs(Number(end ?? 0))));
}

/** Returns the columns of a statement from their declarations and a sample. */
export async function describeStatement(
  session: SqliteSession,
  text: string,
  signal: AbortSignal,
  values: readonly unknown[],
): Promise<readonly SqlColumn[]> {
  const columns = (await session.columns(text, signal)).map(({ name, declared }) => ({
    name,
    declared: declared ?? "",
  }));
  const samples = await sampleColumns(session, { from: `(${text})`, columns, values }, signal);
  const encoding = await encodingOf(session, signal);
  return typedColumns(columns, { numbers: session.numbers, samples, encoding, isView: true });
}

interface Declared {
  readonly name: string;
  readonly declared: string;
}

/** Facts that, together with the declarations of columns, determine the types of the columns. */
interface TypeSource {
  readonly numbers: NumberMeaning;
  readonly samples: ReadonlyMap<string, Sample>;
  readonly encoding: string;
  readonly isView: boolean;
}

function typedColumns(
  columns: readonly Declared[],
  { numbers, samples, encoding, isView }: TypeSource,
): SqlColumn[] {
  return columns.map(({ name, declared }) => {
    const typed = typeOf(declared, numbers, samples.get(name), isView);
    return encoding === "UTF-8" || typed.type !== "hierarchy"
      ? { name, ...typed }
      : { name, ...typed, narrowed: narrowedByEncoding(encoding) };
  });
}

/**
 * Returns the capabilities that strings in an encoding lack. SQLite compares strings by the bytes of the database's
 * encoding, and only the bytes of UTF-8 are in the order of code points.
 */
function narrowedByEncoding(encoding: string): NonNullable<SqlColumn["narrowed"]> {
  return {
    filters: { "<": "none", "<=": "none", ">": "none", ">=": "none" },
    order: false,
    reason: `the database's encoding ${encoding} does not sort strings by code point`,
  };
}

/** Columns to sample from a table or from a statement in brackets. */
interface Sampled {
  readonly from: string;
  readonly columns: readonly Declared[];
  /** Values of the statement's placeholders. */
  readonly values?: readonly unknown[];
}

async function sampleColumns(
  session: SqliteSession,
  { from, columns, values = [] }: Sampled,
  signal: AbortSignal,
): Promise<Map<string, Sample>> {
  const wanted = columns.filter(({ declared }) => needsSample(declared));
  const samples = new Map<string, Sample>();
  for (let first = 0; first < wanted.length; first += sampledColumns) {
    const chunk = wanted.slice(first, first + sampledColumns);
    const counts = chunk.map(({ name }) => countsOf(trusted(dialect.quote(name))));
    const rows = trusted(`(select * from ${from} limit ${sampleRows})`);
    const { parts } = sql`select ${join(counts, ", ")} from ${rows}`;
    const [row = []] = await allRows(session, { text: parts.join(""), values }, signal);
    chunk.forEach(({ name }, index) => {
      const [numbers, texts, blobs, instants, dates] = row
        .slice(index * 5, index * 5 + 5)
        .map(Number);
      samples.set(name, {
        numbers: numbers ?? 0,
        texts: texts ?? 0,
        blobs: blobs ?? 0,
        instants: instants ?? 0,
        dates: dates ?? 0,
      });
    });
  }
  return samples;
}

function countsOf(column: Fragment): Fragment {
  const instant = sql`typeof(${column}) = 'text' and ${trusted(instantFunction)}(${column}) is not null`;
  return join(
    [
      sql`total(typeof(${column}) in ('integer', 'real'))`,
      sql`total(typeof(${column}) = 'text')`,
      sql`total(typeof(${column}) = 'blob')`,
      sql`total(${instant})`,
      sql`total(${instant} and length(${column}) <= 10)`,
    ],
    ", ",
  );
}
