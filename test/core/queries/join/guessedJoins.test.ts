import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import {
  PluginError,
  type Cell,
  type Plugin,
  type Query,
} from "../../../../plugins/protocol/index.ts";
import { openStrata } from "../../../../plugins/strata/index.ts";
import {
  createJoinedHost,
  type JoinedDataset,
  type JoinedHost,
} from "../../../support/joinedHost.ts";
import { rounds } from "../../../support/layer.ts";
import {
  createPlainPlugin,
  everyCapability,
  type PlainPlugin,
} from "../../../support/plainPlugin.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { datasets, eur, filterOn, links, numbers, products, ref, sales } from "./joinedSales.ts";

const byLabel = { dimensions: [ref("P", "label")], measures: [eur] };

/** The same query with a filter on P. The joined rows then do not show whether the key of P is unique. */
const filtered = {
  ...byLabel,
  where: [{ expression: "? = ?", parameters: [ref("P", "group"), "g1"] }],
};

const isCount = ({ columns }: Query) =>
  columns.some(({ aggregation }) => aggregation === "distinctcount");

/** Creates a plugin without capabilities whose queries first wait for `before`. */
function createGated(
  before: (query: Query, signal: AbortSignal) => Promise<void> | undefined,
): PlainPlugin {
  const plain = createPlainPlugin();
  return {
    ...plain,
    async query(call) {
      await before(call.query, call.signal);
      return plain.query(call);
    },
  };
}

/** Returns the rows of an answer, or its error. */
async function outcome(host: JoinedHost, query: object, filters: Parameters<typeof embedOf>[0]) {
  try {
    return { data: (await host.sendQuery(query, embedOf(filters))).data };
  } catch (failure) {
    if (failure instanceof ApiError || failure instanceof PluginError)
      return { refused: `${failure.code} ${failure.message}` };
    throw failure;
  }
}

suite("core/queries/join/guessedJoins", (test) => {
  let dir = "";
  let strata: Plugin;
  test.before(async () => {
    dir = await mkdtemp(join(tmpdir(), "manifold-guessed-"));
    strata = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 28, warmUp: false });
  });
  test.after(async () => {
    await strata.close?.();
    await rm(dir, { recursive: true, force: true });
  });

  test("the second query of a join runs with the remembered join tree while the host is still counting the keys", async () => {
    const rowsAsked = Promise.withResolvers<void>();
    let isSecond = false;
    const gated = createGated((query) => {
      if (!isSecond) return undefined;
      // If the host counted the keys before it fetched the rows, this test would wait forever.
      if (isCount(query)) return rowsAsked.promise;
      rowsAsked.resolve();
      return undefined;
    });
    const facts = createPlainPlugin();
    const host = await createJoinedHost({ datasets, links, plugins: { S: facts, P: gated } });
    const first = await host.sendQuery(filtered);
    isSecond = true;
    assert.equal((await host.sendQuery(filtered)).data, first.data);
    assert.is(gated.requested.filter(isCount).length, 2);
    assert.equal(facts.requested.map(isCount), [false, false]);
  });

  test("a join fails if a key has gained duplicates since the last query, whether or not the host remembers the key", async () => {
    for (const capabilities of [everyCapability, { ...everyCapability, joins: false }, {}]) {
      const plugin = createPlainPlugin(capabilities);
      const options = { links, plugins: { S: plugin, P: plugin } };
      const host = await createJoinedHost({ datasets, ...options });
      assert.is((await host.sendQuery(byLabel)).data.length, 2);
      const rows = [...products.rows, ["p1", "Ghent", "g9"]];
      await createJoinedHost({ ...options, datasets: [sales, { ...products, rows }] });
      // With the filter, the joined rows contain no duplicate key.
      for (const query of [byLabel, filtered]) {
        const { code, message } = await refusal(host.sendQuery(query));
        assert.is(code, "QUERY_NOT_JOINABLE");
        assert.match(message, /values are repeated in both the column .*sku/);
      }
    }
  });

  test("a query that started with a wrong join tree is cancelled at its source, and its failure is not shown", async () => {
    const ended: string[] = [];
    let isSecond = false;
    const gated = createGated((query, signal) => {
      if (!isSecond || isCount(query)) return undefined;
      isSecond = false;
      const { promise, reject } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => {
        ended.push(query.id);
        reject(signal.reason);
      });
      return promise;
    });
    // Both keys are unique at first, so the answer has the rows of the measured dataset.
    const stock = numbers(
      "A",
      ["article", "pieces"],
      [
        [1, 10],
        [2, 20],
      ],
    );
    const price = numbers(
      "B",
      ["item", "price"],
      [
        [1, 5],
        [2, 7],
        [3, 9],
      ],
    );
    const query = {
      dimensions: [ref("B", "price")],
      measures: [ref("A", "pieces")],
      where: [{ expression: "? > ?", parameters: [ref("B", "price"), 0] }],
    };
    const options = { links: [["article", "item"]] as const, plugins: { A: gated } };
    const plugins = { ...options.plugins, B: createPlainPlugin() };
    const host = await createJoinedHost({ ...options, plugins, datasets: [stock, price] });
    assert.equal((await host.sendQuery(query)).data, [
      [5, 10],
      [7, 20],
    ]);
    const twice = { ...price, rows: [...price.rows, [1, 11]] };
    await createJoinedHost({ ...options, plugins, datasets: [stock, twice] });
    isSecond = true;
    assert.equal((await host.sendQuery(query)).data, [
      [5, 10],
      [7, 20],
      [9, null],
      [11, 10],
    ]);
    assert.equal(ended, ["sheet.A"]);
  });

  test("a query fails if counting its keys fails, whatever the remembered join tree returns", async () => {
    let isSecond = false;
    const failing = createGated((query) =>
      isSecond && isCount(query)
        ? Promise.reject(new PluginError("PLUGIN_SOURCE_FAILED", ["it is down"]))
        : undefined,
    );
    const host = await createJoinedHost({ datasets, links, plugins: { P: failing } });
    await host.sendQuery(filtered);
    isSecond = true;
    assert.match((await refusal(host.sendQuery(filtered))).message, /it is down/);
  });

  test("the host does not count the keys of a dataset that the join reads completely", async () => {
    const plain = createPlainPlugin({});
    const host = await createJoinedHost({ datasets, links, plugins: { P: plain } });
    const first = await host.sendQuery(byLabel);
    const before = plain.requested.length;
    assert.equal((await host.sendQuery(byLabel)).data, first.data);
    assert.is(plain.requested.length, before + 1);
    await host.sendQuery(filtered);
    assert.is(plain.requested.length, before + 3);
    const rows = [...products.rows, ["p77", "Ghent", "g9"], ["p77", "Ghent", "g9"]];
    const twice = { ...products, rows };
    await createJoinedHost({ datasets: [sales, twice], links: [], plugins: { P: plain } });
    assert.is((await refusal(host.sendQuery(byLabel))).code, "QUERY_NOT_JOINABLE");
  });

  test.deep(
    "a host that remembers keys returns the same answers and errors as a new host",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const outcomes = { answered: 0, refused: 0 };
        for (let world = 0; world < rounds({ quick: 12, deep: 150 }); world++)
          await compareWorld(random, world % 2 === 0 ? strata : createPlainPlugin(), outcomes);
        assert.ok(outcomes.answered > 20 && outcomes.refused > 5, JSON.stringify(outcomes));
      });
    },
  );
});

const triangle = [
  ["fa", "ak"],
  ["ab", "bk"],
] as const;

/** Three datasets in a chain, F — A — B. Whether their keys are unique or contain duplicates is random. */
function randomDatasets(random: Random, isText: boolean): readonly JoinedDataset[] {
  const rowsOf = (width: number): readonly (readonly Cell[])[] => {
    const key = random.pick([2, 12]);
    return Array.from({ length: random.below(5) }, () =>
      Array.from({ length: width }, (_, index) =>
        random.below(9) === 0 ? null : random.below(index === width - 1 ? 3 : key),
      ),
    );
  };
  const made = [
    numbers("F", ["fa", "fx"], rowsOf(2)),
    numbers("A", ["ak", "ab", "ax"], rowsOf(3)),
    numbers("B", ["bk", "bx"], rowsOf(2)),
  ];
  return isText ? made.map(withTextKeys) : made;
}

/** Converts all columns of a dataset to strings, except the last, which is the measure. */
function withTextKeys({ id, columns, rows }: JoinedDataset): JoinedDataset {
  const isKey = (index: number) => index < columns.length - 1;
  return {
    id,
    columns: columns.map((column, index) =>
      isKey(index) ? { ...column, type: "hierarchy" } : column,
    ),
    rows: rows.map((row) =>
      row.map((cell, index) => (isKey(index) && cell !== null ? `k${String(cell)}` : cell)),
    ),
  };
}

function randomQuestion(random: Random) {
  const all = [ref("F", "fx"), ref("A", "ax"), ref("B", "bx")];
  const some = all.filter(() => random.below(3) > 0);
  const named = some.length > 1 ? some : all;
  const measured = random.below(named.length);
  const tested = random.pick(all);
  const query = {
    dimensions: named.filter((_, index) => index !== measured),
    measures: [{ ...named[measured], aggregation: { type: "sum" } }],
    where: random.below(2) === 0 ? [] : [{ expression: "? = ?", parameters: [tested, 1] }],
  };
  const bound = random.pick(["F.fx", "A.ax", "B.bx"]).split(".") as [string, string];
  const filters = random.below(3) === 0 ? [filterOn(...bound, "? = ?", 1)] : [];
  return { query, filters };
}

/** Runs queries on one host while the rows change. Runs each query also on a new host, and compares the results. */
async function compareWorld(
  random: Random,
  scratch: Plugin,
  outcomes: { answered: number; refused: number },
): Promise<void> {
  const capabilities = random.pick([everyCapability, { ...everyCapability, joins: false }, {}]);
  const shared = createPlainPlugin(capabilities);
  const plugins =
    random.below(2) === 0
      ? { F: shared, A: shared, B: shared }
      : { F: shared, A: createPlainPlugin(), B: createPlainPlugin() };
  const options = { links: triangle, plugins, scratch };
  const isText = random.below(2) === 0;
  let datasetsNow = randomDatasets(random, isText);
  const remembering = await createJoinedHost({ ...options, datasets: datasetsNow });
  for (let round = 0; round < 6; round++) {
    if (random.below(3) === 0) datasetsNow = randomDatasets(random, isText);
    const { query, filters } = randomQuestion(random);
    const fresh = await createJoinedHost({ ...options, datasets: datasetsNow });
    const got = await outcome(remembering, query, { filters });
    assert.equal(got, await outcome(fresh, query, { filters }), JSON.stringify({ query, filters }));
    outcomes["data" in got ? "answered" : "refused"]++;
  }
}
