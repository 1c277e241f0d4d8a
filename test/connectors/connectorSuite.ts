import * as assert from "uvu/assert";
import { ApiError } from "../../core/base/errors.ts";
import {
  PluginError,
  rowsOfBatch,
  type Capabilities,
  type Column,
  type Credentials,
  type Plugin,
  type Query,
  type Statement,
} from "../../plugins/protocol/index.ts";
import {
  awkwardCell,
  awkwardType,
  awkwardZones,
  randomAwkwardTable,
  type AwkwardColumn,
  type AwkwardKind,
  type AwkwardLimits,
  type AwkwardTable,
} from "../support/awkward.ts";
import { isClose } from "../support/isClose.ts";
import { openEverySource, type EverySource } from "../support/everySource.ts";
import { rounds } from "../support/layer.ts";
import { createPlainHost, type PlainColumn, type PlainHost } from "../support/plainHost.ts";
import { createRandom, withSeed, type Random } from "../support/random.ts";
import { failureOf } from "../support/refused.ts";
import { suite, type SuiteOptions, type Test } from "../support/suite.ts";
import { checkByKit, tenant } from "./checkByKit.ts";
import { deepQuestions } from "./deepQuestions.ts";
import { randomAwkwardQuery, smallerQueries, type AwkwardQuery } from "./randomAwkwardQuery.ts";

/** A database together with the connector that reads it. */
export interface ConnectorEngine {
  readonly plugin: Plugin;
  readonly credentials: Credentials;
  readonly limits: AwkwardLimits;
  /**
   * Creates the table with its rows, replacing a table of that name, and returns the id of its dataset. `random`
   * chooses among the native types that suit a column. Column names get the prefix `source.`.
   */
  fill(table: AwkwardTable, random: Random): Promise<string>;
  /** Returns the whole content of the database as a comparable value. */
  contents(): Promise<unknown>;
  /**
   * Number of columns of the widest table that the suite creates.
   * @default 1600
   */
  readonly mostColumns?: number;
  /**
   * Whether the plugin is verified. The host checks the answers of plugins that are not verified.
   * @default true
   */
  readonly isTrusted?: boolean;
  /**
   * Whether the credentials declare big integers as text, because the source refuses numbers that lose digits.
   * @default false
   */
  readonly keepsDigits?: boolean;
  /**
   * Whether accounts may set `big_integers` and `time_zone`.
   * @default false
   */
  readonly hasColumnSettings?: boolean;
  /** The statements that the tests query in place of datasets. Absent if the plugin does not accept statements. */
  readonly statements?: ConnectorStatements;
  close(): Promise<void>;
}

/** Statements that the tests query in place of datasets. */
export interface ConnectorStatements {
  /** Returns a statement that selects from the table that was filled last. */
  all(): string;
  /** A statement that has the column `n` and would run for minutes. */
  readonly slow: string;
  /** Whether the dialect accepts `x::type` as a cast. */
  readonly hasDoubleColons: boolean;
}

const mostTables = rounds({ quick: 2, deep: 16 });
const questionCount = rounds({ quick: 8, deep: 110 });
/** Number of tables that a test fills at most. */
const mostTablesOfTest = rounds({ quick: 1, deep: Number.POSITIVE_INFINITY });

/** Ways to reduce a connector's capabilities, by name. Each way is tested in a part of the rounds. */
const reductions: Readonly<
  Record<
    string,
    {
      readonly share: number;
      /** Whether the account reads big integers as text and datetimes without zone on a clock, if it can. */
      readonly isSet?: boolean;
      /** Whether the dataset is a statement, if the plugin accepts statements. */
      readonly isStatement?: boolean;
      reduce(promised: Capabilities): Capabilities;
    }
  >
> = {
  "all capabilities": { share: 1, reduce: (promised) => promised },
  "all capabilities over an SQL statement": {
    share: 0.25,
    isStatement: true,
    reduce: (all) => all,
  },
  "all capabilities, with integers as text and datetimes in a time zone,": {
    share: rounds({ quick: 0.5, deep: 0.15 }),
    isSet: true,
    reduce: (all) => all,
  },
  "only projection and filters": {
    share: 0.25,
    reduce: ({ projection = false, filters }) => ({ projection, ...(filters && { filters }) }),
  },
  nothing: { share: 0.25, reduce: () => ({}) },
};

export interface ConnectorSuiteOptions extends SuiteOptions {
  /** Number of tables that the largest test fills. Other tests fill a share of this number. */
  readonly tableCount?: number;
}

/**
 * Declares the tests that every connector passes on a real engine. Seeded random queries must return the same cells
 * from the database and from the store, whichever parts are pushed down. Hostile names and values must change nothing.
 */
export function connectorSuite(
  name: string,
  open: () => Promise<ConnectorEngine>,
  { tableCount = mostTables, ...options }: ConnectorSuiteOptions = {},
): void {
  const declare = (test: Test) => {
    let engine: ConnectorEngine;
    let sources: EverySource;
    let queriesRun = 0;
    let kindCount = 0;
    test.before(async () => {
      [engine, sources] = await Promise.all([open(), openEverySource()]);
    });
    test.after(async () => {
      await engine.close();
      await sources.close();
    });

    for (const [kind, { share, isStatement = false, isSet = false, reduce }] of Object.entries(
      reductions,
    )) {
      const declareTest = tableCount * share < 1 ? test.deep : test;
      declareTest(`random queries return the store's cells with ${kind} pushed down`, async () => {
        if (isStatement && !engine.statements) {
          kindCount++;
          return takesNoStatement(engine);
        }
        if (isSet && engine.hasColumnSettings !== true) {
          kindCount++;
          return;
        }
        const seeds = createRandom();
        const roundCount = Math.min(mostTablesOfTest, Math.ceil(tableCount * share));
        for (let round = 0; round < roundCount; round++) {
          const random = createRandom(seeds.below(2 ** 31));
          await withSeed(seeds, async () => {
            const table = randomAwkwardTable(random, engine.limits);
            const zone = isSet ? random.pick(awkwardZones) : undefined;
            const given = { engine, sources, random, isStatement, ...(zone && { zone }) };
            const hosts = await hostsOf(table, reduce, given);
            const columns = zone || engine.keepsDigits ? withDigits(table.columns) : table.columns;
            for (let index = 0; index < questionCount; index++) {
              await agree(randomAwkwardQuery(random, columns), hosts, table);
              queriesRun++;
            }
          });
        }
        kindCount++;
      });
    }

    const wanted = deepQuestions[name];
    if (wanted !== undefined)
      test.deep(`at least ${wanted} random queries ran`, () => {
        // If TITLE is set, some of the tests above do not run.
        const isWhole = kindCount === Object.keys(reductions).length;
        assert.ok(!isWhole || queriesRun >= wanted, `${queriesRun} questions`);
      });

    const declareMore = tableCount > 1 ? test : test.deep;
    declareMore(
      "hostile names and values in every clause leave the database unchanged",
      async () => {
        const random = createRandom();
        await withSeed(random, async () => {
          const table = randomAwkwardTable(random, engine.limits, 20);
          const hosts = await hostsOf(table, (all) => all, { engine, sources, random });
          const before = await engine.contents();
          const share = rounds({ quick: 0.06, deep: 1 });
          for (const query of random.some(hostileQueries(table), share))
            await cellsOf(hosts.connected, query);
          const id = hosts.datasetId;
          for (const query of random.some(
            hostilePluginQueries(table, id),
            rounds({ quick: 0.3, deep: 1 }),
          )) {
            const call = {
              credentials: engine.credentials,
              signal: new AbortController().signal,
              tenant,
            };
            // No host sends this query. The plugin may answer or refuse it, but must change nothing.
            const failure = await engine.plugin.query({ ...call, query }).then(
              () => undefined,
              (thrown: unknown) => thrown,
            );
            if (failure !== undefined) assert.instance(failure, PluginError);
          }
          assert.equal(await engine.contents(), before);
        });
      },
    );

    declareMore("the conformance kit finds no deviation in the connector's plugin", async () => {
      const seeds = createRandom();
      await withSeed(seeds, async () => {
        const count = await checkByKit(engine, seeds);
        assert.ok(count > 0, "no query ran");
      });
    });

    test.deep("a table with 1,600 columns can be described and read", async () => {
      const table = wideTable(engine.mostColumns ?? 1600);
      const { columns, rows } = table;
      const id = await engine.fill(table, createRandom(1));
      const call = {
        credentials: engine.credentials,
        signal: new AbortController().signal,
        tenant,
      };
      const selected = columns.map((column) => ({ column_id: `source.${column.id}` }));
      const query = { id, columns: selected, filters: [], options: { pushdown: false } };
      const known = columns.map((column) => ({
        id: `source.${column.id}`,
        name: {},
        type: "numeric" as const,
      }));
      const dataset = { id, columns: known };
      assert.equal(rowsOfBatch(await engine.plugin.query({ ...call, query, dataset })), rows);
    });

    declareMore(
      "a person's SQL statement can only read, cannot contain a second statement and has bound parameters",
      async () => {
        if (!engine.statements) return takesNoStatement(engine);
        const random = createRandom();
        await withSeed(random, async () => {
          const table = randomAwkwardTable(random, engine.limits, 7);
          await engine.fill(table, random);
          await checkStatements(engine, engine.statements!, table);
        });
      },
    );
  };
  suite(`the connector and the store return the same answers: ${name}`, declare, options);
}

/**
 * Creates a table of one row. Only its first and its last cell are not null, because some databases limit the size of a
 * row.
 */
function wideTable(columnCount: number): AwkwardTable {
  const columns = Array.from({ length: columnCount }, (_, index) => ({
    id: `c ${index}`,
    kind: "whole" as const,
  }));
  const row = columns.map((_, index) =>
    index === 0 || index === columnCount - 1 ? index % 3 : null,
  );
  return { name: "wide", columns, rows: [row] };
}

function takesNoStatement({ plugin }: ConnectorEngine): void {
  assert.is(
    plugin.describe,
    undefined,
    "the plugin describes statements, so its engine must have some",
  );
}

interface Hosts {
  readonly stored: PlainHost;
  readonly connected: PlainHost;
  /** Id of the dataset in the connector's plugin. */
  readonly datasetId: string;
}

async function hostsOf(
  table: AwkwardTable,
  reduce: (promised: Capabilities) => Capabilities,
  {
    engine,
    sources,
    random,
    isStatement = false,
    zone,
  }: {
    readonly engine: ConnectorEngine;
    readonly sources: EverySource;
    readonly random: Random;
    readonly isStatement?: boolean;
    /** The time zone of the account, which then also reads big integers as text. */
    readonly zone?: string;
  },
): Promise<Hosts> {
  const { plugin } = engine;
  const properties = { big_integers: "text", time_zone: zone ?? "" };
  const credentials = zone
    ? { ...engine.credentials, properties: { ...engine.credentials.properties, ...properties } }
    : engine.credentials;
  const filled = zone ? withReadings(table, engine.limits) : table;
  const datasetId = await engine.fill(filled, zone ? pickingPlainTypes(random) : random);
  // The connector caches the description of an earlier table with this name.
  if (zone) await plugin.release?.(credentials);
  const known = zone || engine.keepsDigits ? withDigits(table.columns) : table.columns;
  const call = { credentials, signal: new AbortController().signal, tenant };
  const statement =
    isStatement && engine.statements
      ? { text: engine.statements.all(), parameters: {} }
      : undefined;
  const listed = statement
    ? { columns: await plugin.describe!({ ...call, statement }) }
    : (await plugin.datasets(call)).find(({ id }) => id === datasetId);
  if (!listed) throw new Error(`the connector does not list the dataset ${datasetId}`);
  const described = { columns: listed.columns };
  const probed = await plugin.capabilitiesOf?.(call);
  const capabilities = reduce(probed?.capabilities ?? plugin.capabilities);
  const columns = known.map((column): PlainColumn => {
    const own = described.columns.find(({ id }) => id === `source.${column.id}`);
    if (!own) throw new Error(`the connector does not describe the column source.${column.id}`);
    assert.is(own.type, awkwardType(column), `the type of ${column.id}`);
    return {
      id: column.id,
      type: own.type,
      ...(column.kind === "date" && { subtype: "date" as const }),
      ...(own.narrowed && { narrowed: own.narrowed }),
    };
  });
  const rows = filled.rows.map((row) =>
    row.map((value, index) => {
      const column = known[index]!;
      const isReading = zone && column.kind === "datetime" && value !== null;
      return isReading ? instantIn(zone, String(value)) : awkwardCell(value, column);
    }),
  );
  const stored = await sources.stored({ columns, rows });
  const bound: Plugin = {
    capabilities,
    datasets: () => plugin.datasets(call),
    query: async ({ query, signal, dataset }) => {
      const sent = capabilities.projection ? query : wholeQuery(described.columns, query);
      return plugin.query({
        credentials,
        signal,
        tenant,
        query: { ...sent, id: datasetId },
        ...(dataset && { dataset: { ...dataset, id: datasetId, ...(statement && { statement }) } }),
      });
    },
  };
  const connected = await createPlainHost({
    columns,
    rows: [],
    scratch: stored.scratch,
    isTrusted: engine.isTrusted ?? true,
    wrap: () => bound,
  });
  return { stored, connected, datasetId };
}

/** Returns columns whose big integers are strings. */
function withDigits(columns: readonly AwkwardColumn[]): readonly AwkwardColumn[] {
  return columns.map((column) => (column.kind === "big" ? { ...column, kind: "text" } : column));
}

/**
 * Returns a table whose datetimes have no zone. A datetime of the first year that the engine supports becomes null,
 * because the server's own clock may not reach it.
 */
function withReadings(table: AwkwardTable, { years: [first] }: AwkwardLimits): AwkwardTable {
  const rows = table.rows.map((row) =>
    row.map((value, index) =>
      table.columns[index]!.kind === "datetime" && typeof value === "string"
        ? Number(value.slice(0, 4)) > first
          ? value.replace("Z", "").replace("T", " ")
          : null
        : value,
    ),
  );
  return { ...table, rows };
}

/** Returns the instant at which a clock shows a datetime, according to Temporal. */
function instantIn(zone: string, reading: string): string {
  const { epochMilliseconds } = Temporal.PlainDateTime.from(reading.slice(0, 23)).toZonedDateTime(
    zone,
    { disambiguation: "compatible" },
  );
  return new Date(epochMilliseconds).toISOString();
}

/** Native types of datetimes without zone, of integers beyond 2^53, and of small integers that are not read as text. */
const plainTypes = [
  /^(?:timestamp|datetime(?:\(6\))?|Nullable\(DateTime64\(6\)\))$/,
  /^(?:u?bigint|bigint unsigned|unsigned big int|integer|hugeint|bignum|Nullable\(U?Int(?:64|128|256)\))$/,
] as const;

/** Chooses only native types to which the settings of an account apply, and for small integers only other types. */
function pickingPlainTypes(random: Random): Random {
  return {
    ...random,
    pick<Item>(items: readonly Item[]): Item {
      const [unzoned, big] = plainTypes;
      const isSmall = items.some((each) => /smallint|Int8/.test(String(each)));
      const fitting = items.filter((each) => {
        const type = String(each);
        return isSmall
          ? !big.test(type) && !/smallint/.test(type)
          : unzoned.test(type) || big.test(type);
      });
      return random.pick(fitting.length > 0 ? fitting : items);
    },
  };
}

/** Returns a query that requests all columns, as the host does for a plugin without projection. */
function wholeQuery(
  columns: readonly { readonly id: string }[],
  query: Parameters<Plugin["query"]>[0]["query"],
) {
  const { limit: _, order: __, having: ___, ...rest } = query;
  return {
    ...rest,
    columns: columns.map(({ id }) => ({ column_id: id })),
    filters: [],
    options: { ...query.options, pushdown: false },
  };
}

/** Compares the cells of both hosts. If they differ, prints the smallest query with a difference. */
async function agree(query: AwkwardQuery, hosts: Hosts, table: AwkwardTable): Promise<void> {
  let failing = await difference(query, hosts);
  if (failing === undefined) return;
  let smallest = query;
  for (let next: AwkwardQuery | undefined = query; next;) {
    next = undefined;
    for (const each of smallerQueries(smallest)) {
      const still = await difference(each, hosts);
      if (still === undefined) continue;
      [next, smallest, failing] = [each, each, still];
      break;
    }
  }
  const explained = await hosts.connected.explain(smallest).catch(String);
  throw new Error(
    [
      failing,
      `smallest query: ${JSON.stringify(smallest)}`,
      `explain: ${JSON.stringify(explained)}`,
      `table: ${JSON.stringify(table)}`.slice(0, 6000),
    ].join("\n"),
  );
}

async function difference(query: AwkwardQuery, hosts: Hosts): Promise<string | undefined> {
  const expected = await cellsOf(hosts.stored, query);
  const cells = await cellsOf(hosts.connected, query);
  const hasCorrelation = JSON.stringify(query.measures).includes('"corr"');
  if (isClose(cells, expected, hasCorrelation ? 1 : 0)) return undefined;
  return `the store returns ${JSON.stringify(expected)}\nthe connector ${JSON.stringify(cells)}`;
}

/** Returns the cells of a query's answer, or the code of its error. */
async function cellsOf(host: PlainHost, query: object): Promise<unknown> {
  try {
    return (await host.sendQuery(query)).data;
  } catch (failure) {
    if (failure instanceof ApiError) return failure.code;
    if (failure instanceof PluginError) return failure.message;
    throw failure;
  }
}

const hostile = [
  "'; drop table x; --",
  '"; drop table x; --',
  "`; drop table x; --",
  "\\'; drop table x; --",
  "x' or '1'='1",
  "') or 1=1 --",
  "\0'; drop table x; --",
  "{p0:String}",
  "$1",
  "?",
];

/** Returns queries with hostile values in every clause, over a table that also has hostile column names. */
function hostileQueries({ columns }: AwkwardTable): object[] {
  const texts = columns.filter(({ kind }) => kind === "text");
  return texts.flatMap(({ id }) =>
    hostile.flatMap((value) =>
      ["=", "!=", "in", "not in", "like", "starts with", "not ends with"].map((operator) => ({
        dimensions: [{ column_id: id, dataset_id: "D" }],
        measures: [{ column_id: id, dataset_id: "D", aggregation: { type: "max" } }],
        where: [
          {
            expression: `? ${operator} ?`,
            parameters: [
              { column_id: id, dataset_id: "D" },
              operator.endsWith("in") ? [value, "a"] : value,
            ],
          },
        ],
        having: [
          {
            expression: "? != ?",
            parameters: [{ column_id: id, dataset_id: "D", aggregation: { type: "max" } }, value],
          },
        ],
        order: [{ column_id: id, dataset_id: "D", order: "desc" }],
        limit: { by: 5, offset: 0 },
        options: { timezone_id: "Europe/Brussels" },
      })),
    ),
  );
}

/** Returns plugin queries with hostile strings in every position, even where a host never sends a string. */
function hostilePluginQueries({ columns }: AwkwardTable, id: string): Query[] {
  const idOf = (kind: AwkwardKind) => `source.${columns.find((each) => each.kind === kind)!.id}`;
  const [text, whole, at] = [idOf("text"), idOf("whole"), idOf("datetime")];
  const plain = { columns: [{ column_id: text }], filters: [], options: { pushdown: false } };
  const isA = (column_id: string, expression: string) =>
    ({ column_id, expression, value: ["a"] }) as never;
  return hostile.flatMap((evil): Query[] => [
    { id: evil, ...plain },
    { id: `${id}${evil}`, ...plain },
    { id, ...plain, columns: [{ column_id: evil }] },
    { id, ...plain, columns: [{ column_id: at, level: evil as never }] },
    {
      id,
      ...plain,
      columns: [{ column_id: whole, aggregation: evil as never }],
      options: { pushdown: true },
    },
    { id, ...plain, filters: [isA(evil, "=")] },
    { id, ...plain, filters: [isA(text, evil)] },
    { id, ...plain, filters: [{ or: [isA(text, "="), isA(evil, "in")] } as never] },
    { id, ...plain, filters: [{ column_id: at, expression: "=", value: [evil] }] },
    { id, ...plain, filters: [{ column_id: whole, expression: "<", value: [evil] }] },
    { id, ...plain, order: [{ index: 0, order: evil as never } as never] },
    { id, ...plain, limit: { by: evil as never, offset: evil as never } },
    {
      id,
      ...plain,
      columns: [{ column_id: at, level: "day" }],
      options: { pushdown: false, timezone_id: evil },
    },
    {
      id,
      ...plain,
      columns: [{ column_id: whole, aggregation: "percentile", fraction: evil as never }],
      options: { pushdown: true },
    },
  ]);
}

/** Text that can follow a statement without changing its meaning. */
const ends = ["", ";", " -- the end", "; -- the end", ";\n/* the ; */ -- 'end\n", " /* ) */"];
/** Text that no dialect accepts after or around a statement. */
const refusedForms: readonly ((all: string) => string)[] = [
  (all) => `${all}; drop table x`,
  (all) => `${all}) q; drop table x; select (1`,
  (all) => `(${all}`,
  (all) => `${all})`,
  (all) => `select count(*) as n from (${all} q`,
  (all) => `${all};;`,
  (all) => `with q as (delete from x returning 1) ${all}`,
  () => "drop table x",
  () => "",
];

async function checkStatements(
  { plugin, credentials, contents }: ConnectorEngine,
  { all, slow, hasDoubleColons }: ConnectorStatements,
  { rows, columns }: AwkwardTable,
): Promise<void> {
  const call = { credentials, signal: new AbortController().signal, tenant };
  const before = await contents();
  const counted = async (text: string, parameters: Statement["parameters"] = {}) => {
    const options = { pushdown: true };
    const aggregated = [{ column_id: "*", aggregation: "count" as const }];
    const query = { id: "statement", columns: aggregated, filters: [], options };
    const dataset = { id: "statement", columns: [], statement: { text, parameters } };
    return rowsOfBatch(await plugin.query({ ...call, query, dataset }))[0]?.[0];
  };
  const describe = (text: string) =>
    plugin.describe!({ ...call, statement: { text, parameters: {} } });
  const named = columns.map(({ id }) => `source.${id}`);
  for (const end of ends)
    for (const text of [`${all()}${end}`, `with q as (${all()}) select * from q${end}`]) {
      assert.is(await counted(text), rows.length, text);
      assert.equal(
        (await describe(text)).map(({ id }) => id),
        named,
      );
    }
  for (const form of refusedForms) {
    const failure = await failureOf(describe(form(all())));
    assert.is(failure.code, "PLUGIN_INVALID", form(all()));
  }
  for (const wrong of [
    "select from where",
    "select no_such_column from (select 1 as a) q",
    "select * from no_such_table",
    "select no_such_function(1) as a",
    "select 'a",
  ])
    assert.is((await failureOf(describe(wrong))).status, 422, wrong);
  // This statement would run for minutes.
  assert.equal(
    (await describe(slow)).map(({ id }) => id),
    ["n"],
  );
  const all7 = `select * from (${all()}) q`;
  for (const value of hostile.filter((each) => !each.includes("\0"))) {
    const parameters = {
      p: { type: "hierarchy", value },
      many: { type: "hierarchy", value: [value, "b"] },
    } as const;
    assert.is(await counted(`${all7} where {{p}} = {{p}}`, parameters), rows.length);
    assert.is(await counted(`${all7} where {{p}} <> {{p}}`, parameters), 0);
    assert.is(await counted(`${all7} where {{p}} in ({{many}})`, parameters), rows.length);
  }
  const none = {
    p: { type: "hierarchy", value: null },
    many: { type: "numeric", value: [] },
  } as const;
  assert.is(await counted(`${all7} where {{p}} = {{p}}`, none), 0);
  assert.is(await counted(`${all7} where 1 in ({{many}})`, none), 0);
  const numbers = { n: { type: "numeric", value: 2 } } as const;
  assert.is(await counted(`${all7} where {{n}} + 1 = 3`, numbers), rows.length);
  const undeclared = await failureOf(counted(`${all7} where {{other}} = 1`, numbers));
  assert.match(undeclared.message, "other");
  const cast = "select '2024-05-06'::date as d";
  if (hasDoubleColons)
    assert.equal(
      (await describe(cast)).map(({ type, subtype }) => [type, subtype]),
      [["datetime", "date"]],
    );
  else assert.is((await failureOf(describe(cast))).code, "PLUGIN_INVALID");
  // If two columns have the same name, either the host or the server refuses the statement, or the columns get
  // different names.
  const twice = await describe("select 1 as a, 2 as a").catch((failure: unknown) => failure);
  if (twice instanceof PluginError) assert.is(twice.code, "PLUGIN_INVALID", twice.message);
  else assert.is(new Set((twice as readonly Column[]).map(({ id }) => id)).size, 2);
  assert.equal(await contents(), before);
}
