import * as assert from "uvu/assert";
import { ApiError } from "../../core/errors.ts";
import {
  PluginError,
  type Capabilities,
  type Credentials,
  type Plugin,
} from "../../plugins/protocol/index.ts";
import {
  awkwardCell,
  awkwardType,
  randomAwkwardTable,
  type AwkwardLimits,
  type AwkwardTable,
} from "../support/awkward.ts";
import { openEverySource, type EverySource } from "../support/everySource.ts";
import { rounds } from "../support/layer.ts";
import { createPlainHost, type PlainColumn, type PlainHost } from "../support/plainHost.ts";
import { createRandom, withSeed, type Random } from "../support/random.ts";
import { suite, type SuiteOptions, type Test } from "../support/suite.ts";
import { randomAwkwardQuery, smallerQueries, type AwkwardQuery } from "./randomAwkwardQuery.ts";

/** A database with the connector that reads it. */
export interface ConnectorEngine {
  readonly plugin: Plugin;
  readonly credentials: Credentials;
  readonly limits: AwkwardLimits;
  /**
   * Creates the table with its rows, in the place of one of that name, and answers the id of its dataset. `random`
   * chooses among the native types of a column. Names of columns get the prefix `source.`.
   */
  fill(table: AwkwardTable, random: Random): Promise<string>;
  /** Everything in the database, as a value to compare. */
  contents(): Promise<unknown>;
  /** Connections that the connector has open at the server, where the server knows. */
  connectionCount?(): Promise<number>;
  close(): Promise<void>;
}

const tableCount = rounds({ quick: 4, deep: 40 });
const questionCount = rounds({ quick: 20, deep: 110 });

/** A connector is asked for a part of its promises, in a share of the rounds. */
const reductions: Readonly<
  Record<string, { readonly share: number; reduce(promised: Capabilities): Capabilities }>
> = {
  "everything that it promises": { share: 1, reduce: (promised) => promised },
  "projection and filters alone": {
    share: 0.25,
    reduce: ({ projection = false, filters }) => ({ projection, ...(filters && { filters }) }),
  },
  nothing: { share: 0.25, reduce: () => ({}) },
};

/**
 * Declares the tests that every connector passes, over a real engine: seeded random queries give the same cells from
 * the database and from the store, whatever is pushed down, and hostile names and values change nothing.
 */
export function connectorSuite(
  name: string,
  open: () => Promise<ConnectorEngine>,
  options?: SuiteOptions,
): void {
  const declare = (test: Test) => {
    let engine: ConnectorEngine;
    let sources: EverySource;
    test.before(async () => {
      [engine, sources] = await Promise.all([open(), openEverySource()]);
    });
    test.after(async () => {
      await engine.close();
      await sources.close();
    });

    for (const [kind, { share, reduce }] of Object.entries(reductions))
      test(`random queries have the cells of the store, with ${kind} pushed down`, async () => {
        const seeds = createRandom();
        for (let round = 0; round < Math.ceil(tableCount * share); round++) {
          const random = createRandom(seeds.below(2 ** 31));
          await withSeed(seeds, async () => {
            const table = randomAwkwardTable(random, engine.limits);
            const hosts = await hostsOf(table, reduce, { engine, sources, random });
            for (let index = 0; index < questionCount; index++)
              await agree(randomAwkwardQuery(random), hosts, table);
          });
        }
      });

    test("random queries leave the database as it was", async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const table = randomAwkwardTable(random, engine.limits, 20);
        const hosts = await hostsOf(table, (all) => all, { engine, sources, random });
        const before = await engine.contents();
        for (const query of hostileQueries(table)) await cellsOf(hosts.connected, query);
        assert.equal(await engine.contents(), before);
      });
    });
  };
  suite(`${name} answers as the store`, declare, options);
}

interface Hosts {
  readonly stored: PlainHost;
  readonly connected: PlainHost;
}

async function hostsOf(
  table: AwkwardTable,
  reduce: (promised: Capabilities) => Capabilities,
  {
    engine,
    sources,
    random,
  }: { readonly engine: ConnectorEngine; readonly sources: EverySource; readonly random: Random },
): Promise<Hosts> {
  const { plugin, credentials } = engine;
  const datasetId = await engine.fill(table, random);
  const call = { credentials, signal: new AbortController().signal };
  const described = (await plugin.datasets(call)).find(({ id }) => id === datasetId);
  if (!described) throw new Error(`the connector lists no dataset ${datasetId}`);
  const probed = await plugin.capabilitiesOf?.(call);
  const capabilities = reduce(probed?.capabilities ?? plugin.capabilities);
  const columns = table.columns.map((column): PlainColumn => {
    const own = described.columns.find(({ id }) => id === `source.${column.id}`);
    if (!own) throw new Error(`the connector describes no column source.${column.id}`);
    assert.is(own.type, awkwardType(column), `the type of ${column.id}`);
    return {
      id: column.id,
      type: own.type,
      ...(column.kind === "date" && { subtype: "date" as const }),
      ...(own.narrowed && { narrowed: own.narrowed }),
    };
  });
  const rows = table.rows.map((row) =>
    row.map((value, index) => awkwardCell(value, table.columns[index]!)),
  );
  const stored = await sources.stored({ columns, rows });
  const bound: Plugin = {
    capabilities,
    datasets: () => plugin.datasets(call),
    query: async ({ query, signal }) => {
      const asked = capabilities.projection ? query : wholeQuery(described.columns, query);
      return plugin.query({ credentials, signal, query: { ...asked, id: datasetId } });
    },
  };
  const connected = await createPlainHost({
    columns,
    rows: [],
    scratch: stored.scratch,
    wrap: () => bound,
  });
  return { stored, connected };
}

/** The host asks a plugin without projection for everything. */
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

/** Compares the cells; prints the smallest query that still differs. */
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
  if (isClose(cells, expected)) return undefined;
  return `the store answers ${JSON.stringify(expected)}\nthe connector ${JSON.stringify(cells)}`;
}

/** The cells, or the code of the refusal. */
async function cellsOf(host: PlainHost, query: object): Promise<unknown> {
  try {
    return (await host.ask(query)).data;
  } catch (failure) {
    if (failure instanceof ApiError) return failure.code;
    if (failure instanceof PluginError) return failure.message;
    throw failure;
  }
}

const relativeBound = 1e-9;

/** Sums of doubles may differ in their last bits. */
function isClose(one: unknown, other: unknown): boolean {
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= relativeBound * Math.max(Math.abs(one), Math.abs(other));
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isClose(each, other[index]));
  return JSON.stringify(one) === JSON.stringify(other);
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

/** Hostile values in every clause of a query; the names of the table's columns are hostile too. */
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
