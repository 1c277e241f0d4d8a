import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { RowFilter } from "../../../../core/base/contracts/index.ts";
import { openStore } from "../../../../connectors/clickhouse/index.ts";
import { openEgress } from "../../../../core/sources/connections/egress.ts";
import { overHttp } from "../../../../core/sources/connections/overHttp/index.ts";
import {
  aggregations,
  operators,
  type Cell,
  type Plugin,
} from "../../../../plugins/protocol/index.ts";
import { serve } from "../../../../plugins/sdk/index.ts";
import { openStrata } from "../../../../plugins/strata/index.ts";
import { layer, rounds } from "../../../support/layer.ts";
import { openClickhouseClusterStore } from "../../../support/clickhouseClusterStore.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore } from "../../../support/clickhouseStore.ts";
import { legacyPushdown } from "../../../support/everySource.ts";
import { createJoinedHost, type JoinedDataset } from "../../../support/joinedHost.ts";
import { liars } from "../../../support/liars.ts";
import {
  type NarrowCounts,
  narrowPlugin,
  type Narrowings,
  randomNarrowings,
  withSupersets,
} from "../../../support/narrowPlugin.ts";
import { openLegacyPlugin, type LegacyDataset } from "../../../support/legacyPlugin.ts";
import { createPlainHost, isStored, type PlainColumn } from "../../../support/plainHost.ts";
import {
  createPlainPlugin,
  everyCapability,
  type PlainPlugin,
} from "../../../support/plainPlugin.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { randomCapabilities } from "../../../support/randomCapabilities.ts";
import { rounded } from "../../../support/rounded.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261121);
const queryCount = Number(process.env["QUERIES"] ?? rounds({ quick: 4, deep: 30, soak: 120 }));
/** Number of random worlds in the test that stores its datasets in ClickHouse. */
const storedCount = Number(process.env["QUERIES"] ?? rounds({ quick: 1, deep: 6, soak: 24 }));
const nowMs = Date.parse("2024-04-02T01:30:00.000Z");

type KeyType = "hierarchy" | "numeric" | "datetime";
const keys: Readonly<Record<KeyType, readonly Cell[]>> = {
  hierarchy: ["Ghent", "ghent", "Žilina", "日本", "𝒳", "\uffee", "", "' or 1=1", "constructor"],
  numeric: [0, 1, -2.5, 3, 1e15, 4, 0.1, 77, 1000],
  datetime: ["1969-12-31T23:59:59.500Z", "2024-03-31T01:00:00.000Z", "2024-10-27T00:30:00.000Z"],
};
const texts = ["Ghent", "ghent", "Gh", "Žilina", "日本", "𝒳", "", "a%b"];
const instants = [
  "2024-03-31T00:30:00.000Z",
  "2024-02-29T23:59:59.999Z",
  "2018-11-04T03:00:00.000Z",
  "2023-12-31T23:30:00.000Z",
];

/** Datasets in which F joins A and B, and A joins C. */
interface World {
  readonly datasets: readonly JoinedDataset[];
  readonly links: readonly (readonly [string, string])[];
  /** Whether the key of B has the further column `Btwo`, which is `same` in all rows. */
  readonly isComposite: boolean;
  /** The id of a dataset in which keys occur twice. Among the rows with the owner `me`, each key occurs only once. */
  readonly sharedId: string | undefined;
}

function randomWorld(random: Random): World {
  const [ta, tb, tc] = [0, 1, 2].map(() => random.pick(Object.keys(keys) as KeyType[])) as [
    KeyType,
    KeyType,
    KeyType,
  ];
  const cellOf = ({ type }: PlainColumn): Cell => {
    if (random.chance(0.15)) return null;
    if (type === "hierarchy") return random.pick(texts);
    return type === "numeric" ? random.below(7) - 3 : random.pick(instants);
  };
  const foreign = (type: KeyType) => (random.chance(0.15) ? null : random.pick(keys[type]));
  const dimension = (id: string, type: KeyType, columns: readonly PlainColumn[]) => {
    const own = [...random.some(keys[type], 0.6), ...random.some([null, null], 0.3)];
    return {
      id,
      columns: [{ id: `${id}key`, type }, ...columns],
      rows: own.map((key) => [
        key,
        ...columns.filter(isStored).map((column) => {
          if (column.id === "Btwo") return "same";
          return column.id === "AtoC" ? foreign(tc) : cellOf(column);
        }),
      ]),
    };
  };
  const plain: readonly PlainColumn[] = [
    { id: "word", type: "hierarchy" },
    { id: "km", type: "numeric" },
    { id: "at", type: "datetime" },
  ];
  const facts = {
    id: "F",
    columns: [
      { id: "FtoA", type: ta },
      { id: "FtoB", type: tb },
      { id: "FtoB2", type: "hierarchy" },
      ...plain,
      { id: "cost", type: "numeric", expression: "{F:km} * 2 + 1" },
    ] as PlainColumn[],
    rows: Array.from({ length: random.pick([2, 6, 40]) }, () => [
      foreign(ta),
      foreign(tb),
      random.pick(["same", "same", "same", "other", null]),
      ...plain.map(cellOf),
    ]),
  };
  const a = dimension("A", ta, [
    { id: "AtoC", type: tc },
    { id: "aname", type: "hierarchy" },
    { id: "anum", type: "numeric" },
    { id: "aknown", type: "hierarchy", expression: "coalesce({A:aname}, 'none')" },
  ]);
  const b = dimension("B", tb, [
    { id: "Btwo", type: "hierarchy" },
    { id: "bname", type: "hierarchy" },
    { id: "bat", type: "datetime" },
  ]);
  const c = dimension("C", tc, [
    { id: "cname", type: "hierarchy" },
    { id: "cnum", type: "numeric" },
    { id: "cplus", type: "numeric", expression: "coalesce({C:cnum}, 100) + 1" },
  ]);
  // If all keys were unique, rows would match one to one, and any dataset could be the finest.
  for (const [column, type] of [ta, tb].entries())
    for (const row of facts.rows.slice(0, 2)) row[column] = keys[type][0] ?? null;
  for (const row of facts.rows.slice(0, 2)) row[2] = "same";
  const either = (one: string, other: string): readonly [string, string] =>
    random.chance(0.5) ? [one, other] : [other, one];
  const isComposite = random.chance(0.4);
  const sharedId = random.chance(0.3) ? random.pick(["A", "B"]) : undefined;
  const shared = (dataset: JoinedDataset): JoinedDataset =>
    dataset.id === sharedId ? withHiddenTwins(dataset, random) : dataset;
  return {
    isComposite,
    sharedId,
    datasets: [facts, shared(a), shared(b), c],
    links: [
      either("FtoA", "Akey"),
      either("FtoB", "Bkey"),
      either("AtoC", "Ckey"),
      ...(isComposite ? [either("FtoB2", "Btwo")] : []),
    ],
  };
}

/** Adds rows of another owner, whose keys already exist. */
function withHiddenTwins({ id, columns, rows }: JoinedDataset, random: Random): JoinedDataset {
  const stored = columns.filter(isStored);
  const owner: PlainColumn = { id: `${id}owner`, type: "hierarchy" };
  const own = rows.map((row) => [...row, "me"]);
  const [key = null] = rows.find(([first]) => first !== null) ?? [];
  const hidden = [...rows.filter(() => random.chance(0.5)), [key]].map((row) => [
    ...stored.map((_, index) => row[index] ?? null),
    "you",
  ]);
  return {
    id,
    columns: [...stored, owner, ...columns.filter((column) => !isStored(column))],
    rows: random.chance(0.5) ? [...own, ...hidden] : [...hidden, ...own],
  };
}

/**
 * Returns the datasets with only the rows that pass their row filters. The filters of each dataset are tested on that
 * dataset alone.
 */
async function visible(world: World, filters: readonly RowFilter[]): Promise<World> {
  const datasets = world.datasets.map(async (dataset) => {
    const own = filters.filter(({ securable_id }) => securable_id === dataset.id);
    if (own.length === 0) return dataset;
    const host = await createPlainHost({
      columns: [
        ...dataset.columns.map((column) =>
          isStored(column) ? column : { ...column, expression: inOne(column.expression ?? "") },
        ),
        { id: "place", type: "numeric" },
      ],
      rows: dataset.rows.map((row, place) => [...row, place]),
      now: () => nowMs,
    });
    const limits = embedOf({ filters: own.map((filter) => ({ ...filter, securable_id: "D" })) });
    const { data } = await host.askAs(limits, {
      dimensions: [{ column_id: "place", dataset_id: "D" }],
    });
    const passing = new Set(data.map(([place]) => Number(place)));
    return { ...dataset, rows: dataset.rows.filter((_, place) => passing.has(place)) };
  });
  return { ...world, datasets: await Promise.all(datasets) };
}

/** Returns the expected result of the join: one dataset `D` with a row for each row of F. */
function widened({ datasets, isComposite }: World): JoinedDataset {
  const [f, a, b, c] = datasets as [JoinedDataset, JoinedDataset, JoinedDataset, JoinedDataset];
  const met = (dataset: JoinedDataset, key: Cell | undefined): readonly Cell[] => {
    const row = key == null ? undefined : dataset.rows.find(([own]) => own === key);
    return row ?? dataset.columns.filter(isStored).map(() => null);
  };
  const stored = datasets.flatMap(({ columns }) => columns.filter(isStored));
  const derived = datasets.flatMap(({ id, columns }) =>
    columns
      .filter((column) => !isStored(column))
      .map((column) => {
        const text = inOne(column.expression ?? "");
        const expression =
          id === "F" ? text : `case when {D:${id}key} is not null then ${text} end`;
        return { ...column, expression };
      }),
  );
  return {
    id: "D",
    columns: [...stored, ...derived],
    rows: f.rows.map((row) => {
      const ofA = met(a, row[0]);
      const ofB = met(b, isComposite && row[2] !== "same" ? null : row[1]);
      return [...row, ...ofA, ...ofB, ...met(c, ofA[1])];
    }),
  };
}

function inOne(text: string): string {
  return text
    .replaceAll(/\{[FABC]:/g, "{D:")
    .replaceAll(/"dataset_id":"[FABC]"/g, '"dataset_id":"D"');
}

function randomTest(column: PlainColumn, reference: object, random: Random): object {
  const isText = column.type === "hierarchy";
  const operator = random.pick(
    operators.filter((word) =>
      /^(<|>)/.test(word) ? !isText : /like|with/.test(word) ? isText : true,
    ),
  );
  if (operator.endsWith("null")) return { expression: `? ${operator}`, parameters: [reference] };
  // A test for equality with periods needs a value at which periods start. 1 January 2024 was a Monday.
  const isOfPeriods =
    "level" in reference && reference.level !== undefined && /=$|in$/.test(operator);
  const value = (): Cell => {
    if (isOfPeriods && !/[<>]/.test(operator)) return "2024-01-01";
    if (column.type === "numeric") return random.below(7) - 3;
    return column.type === "datetime" ? random.pick(instants) : random.pick([...texts, "none"]);
  };
  const list = Array.from({ length: random.below(4) }, () => (random.chance(0.2) ? null : value()));
  return {
    expression: `? ${operator} ?`,
    parameters: [reference, operator.endsWith("in") ? list : value()],
  };
}

/**
 * Returns a query whose finest rows are the rows of F, because F has a measure or because all keys of the other
 * datasets are unique.
 */
function randomQuery({ datasets, sharedId }: World, random: Random) {
  const isWhole = sharedId === undefined;
  const columns = datasets.flatMap(({ id, columns: own }) =>
    own.map((column) => ({ column, dataset_id: id })),
  );
  type Mention = (typeof columns)[number];
  const levelOf = ({ column }: Mention) =>
    column.type === "datetime" && random.chance(0.6) ? 1 + random.below(9) : undefined;
  const referenceOf = ({ column, dataset_id }: Mention) => ({ column_id: column.id, dataset_id });
  const rollup = random.chance(0.8);
  const dimensions: object[] = random.some(columns, 0.2).map((mention) => ({
    ...referenceOf(mention),
    level: levelOf(mention),
    ...(mention.column.type === "numeric" &&
      random.chance(0.4) && {
        discretization: random.pick([
          { type: "linear", size: 2 },
          { type: "linear", bins: 3 },
        ]),
      }),
  }));
  if (random.chance(0.3))
    dimensions.push({
      expression: random.pick([
        "coalesce({C:cname}, {A:aname}, {F:word}, '?')",
        "{F:km} + {A:anum}",
        "if({B:bat} > {F:at}, 'after', 'before')",
      ]),
    });
  /** Returns a measure of F. Columns of other datasets are read by an expression that also reads F. */
  const measureOf = (): { reference: Record<string, unknown>; type: PlainColumn } => {
    const mention = random.pick(
      columns.filter(({ column, dataset_id }) => dataset_id === "F" || isStored(column)),
    );
    const { column, dataset_id } = mention;
    const value = `{${dataset_id}:${column.id}}`;
    const type = random.pick(
      aggregations.filter(
        (name) =>
          name !== "cumulativesum" && (column.type === "numeric" || /count|min|max/.test(name)),
      ),
    );
    const aggregation = {
      type,
      ...(type === "percentile" && { fraction: 0.3 }),
      ...((type === "weightedaverage" || type === "corr") &&
        random.pick([
          { dataset_id: "A", column_id: "anum" },
          { dataset_id: "F", column_id: "km" },
        ])),
    };
    return {
      reference:
        dataset_id === "F"
          ? { ...referenceOf(mention), aggregation }
          : { expression: `if({F:km} is null, ${value}, ${value})`, aggregation },
      type: type === "min" || type === "max" ? column : { id: "n", type: "numeric" },
    };
  };
  const measures = Array.from({ length: random.below(3) }, measureOf);
  const first = { column_id: "km", dataset_id: "F", aggregation: { type: "sum" } };
  const formula = {
    formula: "SUM({F:km} * {A:anum}) / COUNTR() + MAX(if({F:km} is null, {C:cnum}, {C:cnum}))",
  };
  const made: object[] = [
    ...measures.map(({ reference }) => reference),
    ...(rollup && random.chance(0.2) ? [formula] : []),
    ...(rollup && random.chance(0.2)
      ? [{ column_id: "*", dataset_id: random.pick(["F", "A"]), aggregation: { type: "count" } }]
      : []),
  ];
  const isOfF = (mentions: readonly object[]) => {
    const isNamed = (id: string) => names(mentions, id);
    return isNamed("F") || (isNamed("B") && (isNamed("A") || isNamed("C")));
  };
  const canDo = isWhole && isOfF([...dimensions, ...made]);
  const shown = canDo && random.chance(0.5) ? made : [first, ...made];
  const condition = (depth: number): unknown => {
    if (depth < 2 && random.chance(0.35)) {
      const members = [0, 1].map(() => condition(depth + 1));
      return random.pick([{ and: members }, { or: members }]);
    }
    const mention = random.pick(columns);
    return randomTest(
      mention.column,
      { ...referenceOf(mention), level: random.chance(0.3) ? levelOf(mention) : undefined },
      random,
    );
  };
  return {
    dimensions,
    measures: shown,
    where: random.chance(0.7)
      ? Array.from({ length: 1 + random.below(3) }, () => condition(0))
      : [],
    having:
      rollup && random.chance(0.2)
        ? measures.map(({ reference, type }) => randomTest(type, reference, random))
        : [],
    order: random
      .some([...dimensions, ...shown], 0.3)
      .map((item) => Object.assign({ order: random.pick(["asc", "desc"]) }, item)),
    limit: random.chance(0.3) ? { by: random.below(12), offset: random.below(3) } : undefined,
    options: {
      rollup_data: rollup,
      timezone_id: random.pick(["", "Europe/Brussels"]),
      ...(random.chance(0.2) && { locale_id: "sv" }),
    },
  };
}

function names(mentions: object, id: string): boolean {
  const text = JSON.stringify(mentions);
  return text.includes(`"dataset_id":"${id}"`) || text.includes(`{${id}:`);
}

function randomFilters({ datasets, sharedId }: World, random: Random): readonly RowFilter[] {
  const mine = sharedId === undefined ? [] : [mineOf(sharedId, random)];
  if (random.chance(0.5)) return mine;
  const all = datasets.flatMap(({ id, columns }) => columns.map((column) => ({ id, column })));
  const others = random.some(all, 0.1).map(({ id, column }) => {
    const made = randomTest(column, {}, random) as { expression: string; parameters: unknown[] };
    const [, value] = made.parameters;
    return {
      clause: "where" as const,
      origin: "global" as const,
      securable_id: id,
      column_id: column.id,
      expression: made.expression,
      ...(value !== undefined && { value }),
    };
  });
  return [...mine, ...others];
}

function mineOf(id: string, random: Random): RowFilter {
  const [expression, value] = random.pick([
    ["? = ?", "me"],
    ["? != ?", "you"],
    ["? in ?", ["me", "nobody"]],
    ["? not in ?", ["you"]],
  ] as const);
  return {
    clause: "where",
    origin: "global",
    securable_id: id,
    column_id: `${id}owner`,
    expression,
    value,
  };
}

function withNarrowed(dataset: JoinedDataset, narrowed: Narrowings): JoinedDataset {
  const columns = dataset.columns.map((column) => {
    const own = narrowed[column.id];
    return own && isStored(column) ? { ...column, narrowed: own } : column;
  });
  return { ...dataset, columns };
}

/**
 * A layout: where the datasets of a world are stored, and which plugin computes the residuals. Titles contain its name.
 */
interface Layout {
  readonly plugins: Readonly<Record<string, Plugin>>;
  readonly scratch: Plugin;
  readonly isTrusted?: (plugin: Plugin) => boolean;
  /** The narrowings of the columns, if the plugins return supersets. */
  readonly narrowed?: Narrowings;
}
type Layouts = Readonly<Record<string, Layout>>;

interface OpenedStore {
  readonly settings: {
    readonly clickhouseUrl: string;
    readonly clickhouseDatabase: string;
    readonly clickhouseCluster?: string;
  };
  close(): Promise<void>;
}

/**
 * Runs random queries over random worlds in each layout, and compares the answers with those of one table of the joined
 * rows. The quick layer runs each query in only half of the layouts; consecutive queries alternate between the halves.
 */
async function agree(
  count: number,
  layoutsOf: (random: Random, world: World) => Layouts | Promise<Layouts>,
  { isHalved = layer === "quick" } = {},
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const random = createRandom(seed + index);
    const world = randomWorld(random);
    const filters = randomFilters(world, random);
    const query = randomQuery(world, random);
    const { columns, rows } = widened(await visible(world, filters));
    const oracle = await createPlainHost({ columns, rows, now: () => nowMs });
    const expected = await oracle.sendQuery(JSON.parse(inOne(JSON.stringify(query))));
    const layouts = Object.entries(await layoutsOf(random, world));
    const inTurn = layouts.filter((_, place) => (seed + index + place) % 2 === 0);
    for (const [name, layout] of isHalved ? inTurn : layouts) {
      const { narrowed = {}, ...hosts } = layout;
      const datasets = world.datasets.map((dataset) => withNarrowed(dataset, narrowed));
      const host = await createJoinedHost({ ...world, datasets, ...hosts, now: () => nowMs });
      const about = `SEED=${seed + index} QUERIES=1 ${name}\n${JSON.stringify(query)}\n${JSON.stringify(filters)}`;
      const answer = await host.sendQuery(query, embedOf({ filters })).catch((failure: unknown) => {
        throw new Error(`${String(failure)}\n${about}`, { cause: failure });
      });
      assert.equal(rounded(answer.data), rounded(expected.data), about);
    }
  }
}

suite("core/queries/join/joinEquivalence", (test) => {
  let dir = "";
  let strata: Plugin;
  test.before(async () => {
    dir = await mkdtemp(join(tmpdir(), "manifold-joins-"));
    strata = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 28, warmUp: false });
  });
  test.after(async () => {
    await strata.close?.();
    await rm(dir, { recursive: true, force: true });
  });

  const isStrata = (plugin: Plugin) => plugin === strata;
  const lying = (random: Random): Plugin => {
    const capabilities = random.pick([legacyPushdown, everyCapability]);
    return {
      ...random.pick(liars).lie(createPlainPlugin(everyCapability)),
      capabilities,
    };
  };
  const counts: NarrowCounts = { supersets: 0, silent: 0, grouped: 0, limited: 0 };
  const narrowLayouts = (random: Random, { datasets }: World): Layouts => {
    const ids = datasets.flatMap(({ columns }) => columns.filter(isStored).map(({ id }) => id));
    const narrowed = randomNarrowings(ids, random);
    const inPlugin = Object.entries(narrowed).map(([id, each]) => [`source.${id}`, each] as const);
    const narrowings = Object.fromEntries(
      datasets.map(({ id }) => [`sheet.${id}`, Object.fromEntries(inPlugin)]),
    );
    const narrow = (isChecked = false): Plugin =>
      narrowPlugin(createPlainPlugin(everyCapability), {
        capabilities: withSupersets(
          {
            ...everyCapability,
            ...(random.chance(0.3) && randomCapabilities(random, 0.95)),
            joins: true,
            joinFilters: true,
          },
          random,
        ),
        narrowings,
        random,
        isChecked,
        counts,
      });
    const [one, untrusted] = [narrow(), narrow(true)];
    return {
      "one plugin whose columns narrow": {
        plugins: { F: one, A: one, B: one, C: one },
        scratch: strata,
        narrowed,
      },
      "several plugins whose columns narrow": {
        plugins: { F: narrow(), A: untrusted, B: narrow(), C: strata },
        scratch: strata,
        isTrusted: (plugin) => plugin !== untrusted,
        narrowed,
      },
    };
  };
  const layouts = (random: Random): Layouts => {
    const capable = createPlainPlugin(randomCapabilities(random, 0.95));
    const other = createPlainPlugin(
      random.pick([{}, legacyPushdown, randomCapabilities(random, 0.95)]),
    );
    const joining = createPlainPlugin({
      ...everyCapability,
      ...(random.chance(0.6) && randomCapabilities(random, 0.95)),
    });
    return {
      "all in strata": { plugins: { F: strata, A: strata, B: strata, C: strata }, scratch: strata },
      "facts in strata": {
        plugins: { F: strata, A: other, B: capable, C: random.pick([strata, other]) },
        scratch: strata,
      },
      "facts elsewhere": {
        plugins: { F: other, A: strata, B: random.pick([capable, strata]), C: strata },
        scratch: strata,
      },
      "one plugin": {
        plugins: { F: joining, A: joining, B: joining, C: joining },
        scratch: random.chance(0.5) ? strata : createPlainPlugin(),
      },
      "one plugin that is not trusted": {
        plugins: { F: joining, A: joining, B: joining, C: joining },
        scratch: strata,
        isTrusted: isStrata,
      },
      "facts and dimensions from plugins that lie": {
        plugins: { F: lying(random), A: lying(random), B: strata, C: lying(random) },
        scratch: strata,
        isTrusted: isStrata,
      },
    };
  };

  test("joined datasets give the same answers as one table of the joined rows, wherever they are stored", () =>
    agree(queryCount, layouts));

  test("joining plugins that randomly return supersets and acknowledgements gives the same answers as one table", async () => {
    // These plugins draw random numbers while they answer, so removing a layout changes the draws of the next layout.
    await agree(queryCount, narrowLayouts, { isHalved: false });
    if (queryCount < 25) return;
    for (const [what, count] of Object.entries(counts)) assert.ok(count > 0, `${what}: ${count}`);
  });

  test("joining plugins over HTTP, of every protocol version, gives the same answers as one table", async () => {
    const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 30_000, sizeBytes: 2 ** 28 });
    const closes: (() => Promise<void>)[] = [];
    const remote = async (
      url: string,
      protocolVersion: "1.0.0" | "2.0.0" | "manifold-1",
      pushdown: boolean,
      fill: PlainPlugin["fill"],
    ) => {
      const known = { slug: "remote", baseUrl: url, supportsDistinctcount: true };
      return { ...(await overHttp({ ...known, protocolVersion, pushdown }, egress)), fill };
    };
    const legacy = async (version: "1.0.0" | "2.0.0", pushdown: boolean) => {
      const datasets: LegacyDataset[] = [];
      const opened = await openLegacyPlugin({ version, pushdown, datasets });
      closes.push(() => opened.close());
      return remote(opened.url, version, pushdown, (id, columns, rows) => {
        datasets.push({ id, name: { en: id }, columns, rows });
      });
    };
    const served = async (random: Random) => {
      const plain = createPlainPlugin({
        ...everyCapability,
        ...(random.chance(0.6) && randomCapabilities(random, 0.95)),
      });
      const { url, close } = await serve(plain);
      closes.push(close);
      return remote(url, "manifold-1", false, plain.fill);
    };
    try {
      await agree(Math.ceil(queryCount / 6), async (random) => {
        const [basic, pushdown] = [await legacy("1.0.0", false), await legacy("2.0.0", true)];
        const capable = await served(random);
        return {
          "dimensions of numbered versions": {
            plugins: { F: strata, A: basic, B: pushdown, C: pushdown },
            scratch: strata,
            isTrusted: isStrata,
          },
          "facts of a numbered version": {
            plugins: { F: random.pick([basic, pushdown]), A: strata, B: capable, C: strata },
            scratch: strata,
            isTrusted: isStrata,
          },
          "all of manifold-1": {
            plugins: { F: capable, A: capable, B: capable, C: capable },
            scratch: strata,
            isTrusted: isStrata,
          },
        };
      });
    } finally {
      await Promise.all(closes.map((close) => close()));
      egress.close();
    }
  });
});

const stores: readonly (readonly [name: string, open: () => Promise<OpenedStore>])[] = [
  ["ClickHouse", openClickhouseStore],
  ...(layer === "deep" ? [["two shards of ClickHouse", openClickhouseClusterStore] as const] : []),
];

for (const [name, open] of stores)
  suite(
    `core/queries/join/joinEquivalence, with ${name} as the store`,
    (test) => {
      let dir = "";
      let strata: Plugin;
      let store: OpenedStore;
      test.before(async () => {
        dir = await mkdtemp(join(tmpdir(), "manifold-joins-"));
        strata = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 28, warmUp: false });
        store = await open();
      });
      test.after(async () => {
        await store?.close();
        await strata.close?.();
        await rm(dir, { recursive: true, force: true });
      });

      test("stored datasets are joined in the store with the same answers as one table of the joined rows", async () => {
        let joinedCount = 0;
        const opened: Plugin[] = [];
        try {
          await agree(storedCount, async () => {
            // All worlds use the same ids, so a plugin, which caches tables for a minute, would use the tables of the
            // previous world.
            const plugin = await openStore({
              url: store.settings.clickhouseUrl,
              database: store.settings.clickhouseDatabase,
              ...(store.settings.clickhouseCluster && {
                cluster: store.settings.clickhouseCluster,
              }),
              timeoutMs: 60_000,
              sizeBytes: 2 ** 28,
            });
            opened.push(plugin);
            const counted: Plugin = {
              ...plugin,
              query(call) {
                if (call.query.joins) joinedCount++;
                return plugin.query(call);
              },
            };
            return {
              [`all in ${name}`]: {
                plugins: { F: counted, A: counted, B: counted, C: counted },
                scratch: strata,
              },
              [`facts in ${name}`]: {
                plugins: { F: counted, A: strata, B: counted, C: strata },
                scratch: strata,
              },
            };
          });
        } finally {
          for (const plugin of opened) await plugin.close?.();
        }
        // Most queries contain computed columns, which the host computes.
        if (storedCount >= 24) assert.ok(joinedCount > 0);
      });
    },
    needsClickhouse,
  );
