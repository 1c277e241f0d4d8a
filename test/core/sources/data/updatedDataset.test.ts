import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore } from "../../../support/clickhouseStore.ts";
import { joinSharedHost } from "../../../support/joinSharedHost.ts";
import { rounds } from "../../../support/layer.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

type Cell = string | number | null;
type Json = Readonly<Record<string, unknown>>;
type Rows = readonly (readonly Cell[])[];
interface Dataset {
  readonly id: string;
  readonly rows: number;
  readonly columns: readonly { readonly id: string }[];
}

const header = ["id", "city", "km", "day"];
const options = { header };
const access = {
  key: "5f0c2b5e-3a71-4c1e-9c55-0d3f6b0a4e12",
  token: "a-token-of-the-tests-only-0123456789abcdee",
};
/** Maximum number of rows of a push. */
const mostRows = 10_000;

const randomRow = (random: Random, id: number): readonly Cell[] => [
  `k${id}`,
  random.chance(0.1) ? null : `city ${random.below(40)}`,
  random.chance(0.1) ? null : random.below(20_000) / 8,
  random.chance(0.1)
    ? null
    : new Date(Date.UTC(2020, 0, 1 + random.below(900), random.below(24))).toISOString(),
];

async function create(client: Client, data: Rows): Promise<Dataset> {
  const push = async (members: Json) =>
    (await client.create<{ rows: Dataset[] }>("data", { options, ...members })).rows[0];
  let dataset = await push({ type: "create", data: data.slice(0, mostRows) });
  for (let start = mostRows; start < data.length; start += mostRows)
    dataset = await push({
      securable_id: dataset?.id,
      data: data.slice(start, start + mostRows),
    });
  if (!dataset) throw new Error("the push returned no dataset");
  return dataset;
}

/** Changes, inserts and deletes random rows. The largest values and one of the cities are gone afterwards. */
async function change(client: Client, { id }: Dataset, random: Random, keyCount: number) {
  const update = (data: Rows, isDeleted: boolean) =>
    client.update("data", id, {
      data,
      options: isDeleted ? { header: ["id"], key: ["id"], delete: true } : { header, key: ["id"] },
    });
  for (let round = 0; round < 4; round++) {
    const ids = Array.from({ length: keyCount / 6 }, () => random.below(keyCount + keyCount / 5));
    const isDeleted = round % 2 === 0;
    const rows = [...new Set(ids)].map((each) =>
      isDeleted ? [`k${each}`] : randomRow(random, each),
    );
    await update(rows, isDeleted);
  }
  await update([["extreme", "Atlantis", 1e9, "2100-01-01T00:00:00.000Z"]], false);
  await update([["extreme"]], true);
  await client.create("data", { securable_id: id, data: [randomRow(random, -1)], options });
}

const refOf =
  ({ id, columns }: Dataset) =>
  (name: string, more: object = {}) => ({
    dataset_id: id,
    column_id: name === "*" ? name : columns[header.indexOf(name)]?.id,
    ...more,
  });

async function readRows(client: Client, dataset: Dataset): Promise<Rows> {
  const { data } = await client.get<{ data: Rows }>("data", {
    dimensions: header.map((name) => refOf(dataset)(name)),
    options: { rollup_data: false, cells: "plain" },
    limit: { by: 100_000 },
  });
  return data;
}

/** Returns queries whose answers would show values that only deleted rows have. */
function queriesOf(dataset: Dataset): readonly Json[] {
  const ref = refOf(dataset);
  const count = ref("*", { aggregation: "count" });
  const folds = ["sum", "min", "max", "count", "distinctcount", "average", "median"].map(
    (aggregation) => ref("km", { aggregation }),
  );
  const others = ["id", "city", "day"].flatMap((name) =>
    ["min", "max", "distinctcount"].map((aggregation) => ref(name, { aggregation })),
  );
  const whether = (expression: string, ...parameters: unknown[]) => [{ expression, parameters }];
  const largest = [ref("km", { order: "desc" })];
  const bins = { type: "linear", bins: 7 };
  return [
    { measures: [count, ...folds, ...others] },
    { dimensions: [ref("city")], measures: [count, ...folds] },
    {
      dimensions: [ref("city", { include_nonoccurring: true })],
      measures: [count],
      where: whether("? > ?", ref("km"), 2300),
    },
    { dimensions: [ref("day", { level: 3, include_nonoccurring: true })], measures: [count] },
    { dimensions: [ref("km", { discretization: bins })], measures: [count] },
    { dimensions: [ref("km")], order: largest, limit: { by: 9, offset: 2 } },
    {
      dimensions: [ref("city")],
      measures: [count],
      where: whether("? like ?", ref("city"), "Y 1"),
    },
    {
      dimensions: [ref("day", { level: 5 })],
      measures: [count],
      where: whether("last_available", ref("day"), { unit: 5, quantity: 20 }),
    },
    {
      dimensions: [ref("city"), ref("id")],
      measures: [ref("km")],
      order: largest,
      limit: { by: 2, per: [ref("city")] },
    },
  ].map((query) => ({ options: { cells: "plain" }, ...query }));
}

/** Returns the number of rows and the statistics of the columns, as the records have them. */
async function measuresOf(client: Client, { id }: Dataset): Promise<unknown> {
  const { rows } = await client.get<{ rows: (Json & { columns: Json[] })[] }>("securable", {
    where: { id },
    include: [{ model: "Column" }],
  });
  const columns = rows[0]?.columns.map(
    ({ name, minimum, maximum, cardinality, minBound, maxBound }) =>
      JSON.stringify({ name, minimum, maximum, cardinality, minBound, maxBound }),
  );
  return [rows[0]?.["rows"], columns?.toSorted()];
}

/** Compares an updated dataset with a new dataset that has the same rows. */
async function compareWithNew(client: Client, random: Random, keyCount: number) {
  const before = Array.from({ length: keyCount }, (_, id) => randomRow(random, id));
  const updated = await create(client, before);
  const query = (find: Json) => client.get<{ data: unknown }>("data", find);
  // Cached answers of the rows before the update must not be returned after it.
  for (const each of queriesOf(updated)) await query(each);
  await change(client, updated, random, keyCount);
  const fresh = await create(client, await readRows(client, updated));
  const expected = await measuresOf(client, fresh);
  const found = await measuresOf(client, updated);
  assert.equal(found, expected, JSON.stringify([found, expected]));
  const newQueries = queriesOf(fresh);
  for (const [index, each] of queriesOf(updated).entries()) {
    const [one, other] = [await query(each), await query(newQueries[index] ?? {})];
    assert.equal(one.data, other.data, JSON.stringify([each, one.data, other.data]));
  }
  const [most, all] = [refOf(updated)("km", { aggregation: "max" }), queriesOf(updated)[0]];
  const having = [{ expression: "? < ?", parameters: [most, 1e9] }];
  const alert = { name: { en: "Far" }, query: { ...all, having }, frequency: "hour" };
  const tested = await client.test<Json>("alert", { properties: alert });
  assert.is(tested["rows"], 1, "an alert reads the rows after the update");
}

suite("core/sources/data/updatedDataset", (test) => {
  let host: Host;
  let client: Client;
  test.before(async () => {
    host = await joinSharedHost();
    client = createClient({ url: host.url, ...host.madeCredentials! });
  });
  test.after(() => host.close());

  // Above 20,000 rows, the host does not count all distinct values at every push.
  for (const keyCount of rounds({ quick: [120], deep: [120, 21_000], soak: [120, 3000, 60_000] }))
    test(`the records, answers and alerts of ${keyCount} updated rows are those of a new dataset with the same rows`, () => {
      const random = createRandom();
      return withSeed(random, () => compareWithNew(client, random, keyCount));
    });
});

suite(
  "core/sources/data/updatedDataset in ClickHouse",
  (test) => {
    test.deep(
      "updated rows in ClickHouse have the records and answers of a new dataset",
      async () => {
        const store = await openClickhouseStore();
        const dataDir = mkdtempSync(join(tmpdir(), "manifold-updated-"));
        const host = await openTestHost({ ...access, dataDir, warmUp: false, ...store.settings });
        try {
          const client = createClient({ url: host.url, ...access });
          const random = createRandom();
          await withSeed(random, () => compareWithNew(client, random, 3000));
        } finally {
          await host.close();
          await store.close();
          rmSync(dataDir, { recursive: true, force: true });
        }
      },
    );
  },
  needsClickhouse,
);
