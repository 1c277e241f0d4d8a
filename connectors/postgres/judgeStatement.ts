import { allRows, type SqlSession } from "../../plugins/sql/index.ts";
import { readStatementNames, refusal, type CalledName } from "./readStatementNames.ts";

/** A function that a name could refer to, as described by the catalog. */
interface FoundFunction {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly volatility: string;
  readonly isDefiner: boolean;
  readonly language: string;
  readonly extension: string;
  readonly isPublic: boolean;
  /** The function's definition if it is written in SQL or PL/pgSQL; otherwise empty. */
  readonly definition: string;
  /** For an aggregate, the functions that it calls. */
  readonly parts: readonly string[];
}

/** Volatile functions of PostgreSQL that only compute a value or measure the size of a table. */
const harmless = new Set(
  `random random_normal gen_random_uuid uuidv4 uuidv7 clock_timestamp timeofday array_sample array_shuffle bernoulli
  system pg_relation_size pg_table_size pg_indexes_size pg_total_relation_size pg_database_size`.split(
    /\s+/,
  ),
);

/** Functions of PostgreSQL that start with pg_ but only compute. All other functions with this prefix are refused. */
const computing = new Set(
  `pg_typeof pg_column_size pg_size_pretty pg_size_bytes pg_input_is_valid pg_collation_for pg_timezone_names
  pg_timezone_abbrevs pg_lsn`.split(/\s+/),
);

/**
 * Functions that the catalog marks as stable or immutable, although they run SQL from a string, consume transaction
 * ids, or describe the network.
 */
const reaching =
  /^(?:\w+_to_xml(?:schema|_and_xmlschema)?|ts_rewrite|ts_stat|txid_\w+|inet_(?:client|server)_\w+|binary_upgrade_\w+|lo_\w+)$/;

/** Settings that a statement may read, because they reveal nothing sensitive about the server or other applications. */
const shownSettings = new Set(
  `timezone datestyle intervalstyle search_path server_version server_version_num server_encoding client_encoding
  statement_timeout lock_timeout idle_in_transaction_session_timeout transaction_timeout default_transaction_read_only
  transaction_read_only transaction_isolation role work_mem temp_buffers standard_conforming_strings extra_float_digits
  bytea_output xmloption lc_messages lc_monetary lc_numeric lc_time default_text_search_config application_name
  max_connections`.split(/\s+/),
);

/** Relations of the system catalog that describe data. All other relations describe the server and its users. */
const shownRelations = new Set(
  `pg_attribute pg_class pg_collation pg_constraint pg_description pg_enum pg_index pg_indexes pg_inherits pg_matviews
  pg_namespace pg_partitioned_table pg_range pg_sequence pg_sequences pg_stat_user_indexes pg_stat_user_tables
  pg_statio_user_indexes pg_statio_user_tables pg_tables pg_timezone_abbrevs pg_timezone_names pg_type
  pg_views`.split(/\s+/),
);

/** Views of the information schema that contain passwords of foreign servers. */
const hiddenViews = /^(?:_?pg_|user_mapping|foreign_server_options|foreign_data_wrapper_options)/;

/** Extensions whose stable functions in C only compute. */
const computingExtensions = new Set(
  `btree_gin btree_gist citext cube dict_int earthdistance fuzzystrmatch hstore intarray isn ltree pg_trgm postgis seg
  unaccent vector`.split(/\s+/),
);

/** Volatile functions of extensions that only compute. */
const harmlessOfExtensions: Readonly<Record<string, RegExp>> = {
  "uuid-ossp": /^uuid_generate_v/,
  timescaledb: /^time_bucket_gapfill$/,
  pgcrypto: /^(?:gen_random_|gen_salt$|pgp_(?:sym|pub)_encrypt)/,
};

/** Functions of extensions that change the session, although some versions of the extension mark them as immutable. */
const actingOfExtensions: Readonly<Record<string, RegExp>> = { isn: /^isn_weak$/ };

/** Maximum depth to which calls from one SQL function to another are checked. */
const mostRounds = 4;

const functionsText = `
with wanted as (
  select * from unnest($1::text[], $2::text[]) wanted(schema, name)
), found as (
  select proc.oid from pg_catalog.pg_proc proc
  join pg_catalog.pg_namespace space on space.oid = proc.pronamespace
  join wanted on wanted.name = proc.proname and (
    wanted.schema = space.nspname or wanted.schema = '*'
    or wanted.schema = '' and space.nspname = any (pg_catalog.current_schemas(true)))
  union
  select proc.oid from pg_catalog.pg_proc proc
  where proc.proname = any ($3::text[]) and proc.pronargs >= 1 and proc.pronargs - proc.pronargdefaults <= 1
    and exists (select from pg_catalog.pg_type type where type.oid = proc.proargtypes[0]
      and (type.typtype = 'c' or type.typtype = 'p'))
  union
  select operator.oprcode::oid from pg_catalog.pg_operator operator
  where operator.oprname = any ($4::text[]) and operator.oprnamespace <> 'pg_catalog'::regnamespace
  union
  select conversion.castfunc from pg_catalog.pg_cast conversion
  join pg_catalog.pg_type type on type.oid in (conversion.castsource, conversion.casttarget)
  where conversion.castfunc >= 16384
    and (type.typname = any ($5::text[]) or pg_catalog.split_part(pg_catalog.format_type(type.oid, null), ' ', 1) = any ($5::text[]))
  union
  select unnest($6::oid[])
)
select proc.oid, space.nspname, proc.proname, proc.prokind, proc.provolatile, proc.prosecdef, language.lanname,
  coalesce(extension.extname, ''), pg_catalog.has_function_privilege('public', proc.oid, 'execute'),
  case when proc.oid >= 16384 and proc.prokind <> 'a' and language.lanname in ('sql', 'plpgsql')
    then pg_catalog.pg_get_functiondef(proc.oid) end,
  (select pg_catalog.concat_ws(',', aggtransfn::oid, aggfinalfn::oid, aggcombinefn::oid, aggserialfn::oid,
    aggdeserialfn::oid, aggmtransfn::oid, aggminvtransfn::oid, aggmfinalfn::oid)
   from pg_catalog.pg_aggregate where aggfnoid = proc.oid)
from pg_catalog.pg_proc proc
join found on found.oid = proc.oid
join pg_catalog.pg_namespace space on space.oid = proc.pronamespace
join pg_catalog.pg_language language on language.oid = proc.prolang
left join pg_catalog.pg_depend depend on depend.classid = 'pg_catalog.pg_proc'::regclass and depend.objid = proc.oid
  and depend.deptype = 'e'
left join pg_catalog.pg_extension extension on extension.oid = depend.refobjid
order by proc.oid`;

const wordsText = `
select word, '' from pg_catalog.pg_get_keywords() where catcode in ('R', 'C') and word = any ($1::text[])
union all
select class.relname, space.nspname from pg_catalog.pg_class class
join pg_catalog.pg_namespace space on space.oid = class.relnamespace
where space.nspname in ('pg_catalog', 'information_schema', 'pg_toast') and class.relname = any ($1::text[])
  and (space.nspname = any ($1::text[]) or space.nspname = any (pg_catalog.current_schemas(true)))
union all
select class.relname, 'the extension ' || extension.extname from pg_catalog.pg_class class
join pg_catalog.pg_depend depend on depend.classid = 'pg_catalog.pg_class'::regclass and depend.objid = class.oid
  and depend.deptype = 'e' and depend.refclassid = 'pg_catalog.pg_extension'::regclass
join pg_catalog.pg_extension extension on extension.oid = depend.refobjid
where class.relkind = 'v' and class.relname = any ($1::text[])
  and class.relname not in ('geometry_columns', 'geography_columns')`;

interface Lookup {
  readonly calls: readonly Pick<CalledName, "schema" | "name">[];
  readonly members?: readonly string[];
  readonly operators?: readonly string[];
  readonly types?: readonly string[];
  readonly oids?: readonly string[];
}

/**
 * Refuses a person's statement if it calls a function that does more than compute, or reads a relation that describes
 * the server. For every name, looks up in the database catalog all functions to which the name could refer. If there is
 * none, the name is allowed here, and the database reports it. Views and domains are not checked, because their owners
 * decided which functions they call.
 * @throws {PluginError} PLUGIN_INVALID naming the function or relation
 */
export async function judgeStatement(
  session: Pick<SqlSession, "rows">,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const { calls, members, names, operators } = readStatementNames(text);
  const keywords = new Set<string>();
  for (const [word = "", schema = ""] of await read(session, wordsText, [[...names]], signal)) {
    if (schema === "") keywords.add(word);
    else refuseRelation(schema, word);
  }
  // These words belong to the grammar and may be followed by brackets. Without quotes, they are not function names.
  const called = calls.filter(({ isBare, name }) => !isBare || !keywords.has(name));
  for (const { name, literal } of called)
    if (name === "current_setting" && !shownSettings.has(literal?.toLowerCase() ?? ""))
      throw refusal(
        "this call to current_setting",
        `datasets may read only harmless settings such as ${[...shownSettings].slice(0, 4).join(", ")}, each named by a string literal`,
      );
  const known = new Set<string>();
  let lookup: Lookup = { calls: called, members, operators: [...operators], types: [...names] };
  for (let round = 0; ; round++) {
    const found = (await findFunctions(session, lookup, signal)).filter(
      ({ oid }) => !known.has(oid),
    );
    if (found.length === 0) return;
    for (const each of found) {
      known.add(each.oid);
      const reason = round < mostRounds ? reasonAgainst(each) : "it calls too many other functions";
      if (reason !== undefined) throw refusedFunction(each, reason);
    }
    const definitions = found.map(({ definition }) => definition).filter((each) => each !== "");
    lookup = {
      calls: definitions.flatMap(callsIn),
      oids: found.filter(({ oid }) => Number(oid) >= firstOwnOid).flatMap(({ parts }) => parts),
    };
  }
}

/** Objects with an id below this number belong to PostgreSQL itself. */
const firstOwnOid = 16_384;

function refuseRelation(schema: string, name: string): void {
  const isShown =
    schema === "information_schema"
      ? !hiddenViews.test(name)
      : schema === "pg_catalog" && shownRelations.has(name);
  if (isShown) return;
  throw refusal(
    `the name ${name}, which is a relation of ${schema}`,
    "it describes the server and its users instead of data; ask the operator of the database for a view, or rename the alias",
  );
}

/** Returns the reason why a dataset may not call a function; undefined if the call is allowed. */
function reasonAgainst(found: FoundFunction): string | undefined {
  const { kind, name, schema, volatility, extension, isPublic, isDefiner, language, definition } =
    found;
  if (kind === "p") return "it is a procedure";
  if (schema === "pg_catalog" && extension === "") {
    if (harmless.has(name) || computing.has(name)) return undefined;
    if (volatility === "v")
      return "PostgreSQL marks it as volatile: it may change something, or wait";
    if (name.startsWith("pg_") || !isPublic) return "it describes the server or acts on it";
    return reaching.test(name) ? "it can access data outside the rows of the statement" : undefined;
  }
  if (isDefiner) return "it runs with the rights of its owner (security definer)";
  if (actingOfExtensions[extension]?.test(name) === true) return "it changes the session";
  if (volatility === "v")
    return harmlessOfExtensions[extension]?.test(name) === true
      ? undefined
      : "it is volatile; if it only computes, its owner can alter it to stable or immutable";
  if (kind === "a") return undefined;
  if (language === "sql" || language === "plpgsql")
    return /\bexecute\b|u&["']/i.test(definition.replace(/\bon\s+execute\b/gi, ""))
      ? "it runs SQL from a string"
      : undefined;
  if (language !== "c" && language !== "internal")
    return `functions in ${language} cannot be checked`;
  return volatility === "i" || computingExtensions.has(extension)
    ? undefined
    : "it is a stable C function, so it may run SQL from a string";
}

function refusedFunction({ schema, name }: FoundFunction, reason: string): Error {
  const shown = schema === "pg_catalog" ? name : `${schema}.${name}`;
  return refusal(
    `a call to ${shown}`,
    `this function is not available in datasets: ${reason}; ask the operator of the database for a view that calls it`,
  );
}

/**
 * Returns the name of every function that a function's definition could call. To be safe, these include names in
 * comments and strings.
 */
function callsIn(definition: string): readonly Pick<CalledName, "schema" | "name">[] {
  const bare = definition.replace(/\/\*[^]*?\*\/|--[^\r\n]*/g, " ");
  return [definition, bare].flatMap((text) =>
    [...text.matchAll(/(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*))\s*\(/gu)].map(
      ([, quoted, word = ""]) => ({
        schema: "*",
        name: quoted?.replaceAll('""', '"') ?? word.toLowerCase(),
      }),
    ),
  );
}

async function findFunctions(
  session: Pick<SqlSession, "rows">,
  { calls, members = [], operators = [], types = [], oids = [] }: Lookup,
  signal: AbortSignal,
): Promise<readonly FoundFunction[]> {
  if (calls.length + members.length + operators.length + types.length + oids.length === 0)
    return [];
  const unique = [...new Map(calls.map((call) => [`${call.schema} ${call.name}`, call])).values()];
  const values = [
    unique.map(({ schema }) => schema),
    unique.map(({ name }) => name),
    members,
    operators,
    types,
    oids.filter((oid) => oid !== "0"),
  ];
  const rows = await read(session, functionsText, values, signal);
  return rows.map(
    ([
      oid = "",
      schema = "",
      name = "",
      kind = "",
      volatility = "v",
      isDefiner = "t",
      language = "",
      extension = "",
      isPublic = "f",
      definition = "",
      parts = "",
    ]) => ({
      oid,
      schema,
      name,
      kind,
      volatility,
      isDefiner: isDefiner !== "f",
      language,
      extension,
      isPublic: isPublic === "t",
      definition,
      parts: parts.split(",").filter((each) => each !== ""),
    }),
  );
}

async function read(
  session: Pick<SqlSession, "rows">,
  text: string,
  values: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  const rows = await allRows(session, { text, values }, signal);
  return rows.map((row) => row.map((cell) => (cell === null ? "" : String(cell))));
}
