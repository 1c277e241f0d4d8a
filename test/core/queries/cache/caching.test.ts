import * as assert from "uvu/assert";
import type { Principal } from "../../../../core/base/contracts/index.ts";
import { createQueries, type QueryAnswer } from "../../../../core/queries/index.ts";
import { PluginError, type Cell, type Plugin } from "../../../../plugins/protocol/index.ts";
import { createMemoryRecords } from "../../../support/memoryRecords.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { createPlainHost, principalOf, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, override, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "tenant", type: "hierarchy" },
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
];
const rows: readonly (readonly Cell[])[] = Array.from({ length: 60 }, (_, index) => [
  ["a", "b", "c", null][index % 4] as Cell,
  ["Ghent", "Lille", "Liège"][index % 3] as Cell,
  index,
]);
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const total = { measures: [ref("km")] };
const cacheBytes = 1e7;
const stays = new AbortController().signal;

/** Wraps a plugin so that the rows it returns depend on the user that it receives. */
function tellingUsers(plugin: Plugin): Plugin {
  return {
    ...plugin,
    async query(call) {
      const batch = await plugin.query(call);
      const { id = "", metadata } = call.user ?? {};
      const factor = 1 + id.length + Number(metadata?.["factor"] ?? 0);
      return {
        ...batch,
        columns: batch.columns.map((vector) =>
          vector.type === "numeric"
            ? { ...vector, values: vector.values.map((value) => value * factor) }
            : vector,
        ),
      };
    },
  };
}

function randomPrincipal(random: Random): Principal {
  if (random.chance(0.2)) return principalOf("ada");
  const tenant = random.pick(["a", "b", "c"]);
  const parameter = { parameter: "metadata.tenants", type: "array[hierarchy]", value: ["a"] };
  const filters = [
    ...(random.chance(0.6) ? [rowFilter("tenant", "? = ?", tenant)] : []),
    ...(random.chance(0.4) ? [rowFilter("tenant", "? in ?", parameter)] : []),
    ...(random.chance(0.2) ? [rowFilter("city", "? not in ?", ["Lille"])] : []),
  ];
  const given = random.chance(0.5) ? [["tenants", override(random.some(["a", "b"], 0.6))]] : [];
  const bounds = {
    filters,
    parameters: new Map(given as [string, ReturnType<typeof override>][]),
    hiddenColumns: new Set(random.some(["tenant"], 0.4)),
    ...(random.chance(0.5) && { metadata: { factor: random.below(2) } }),
  };
  const token = embedOf(bounds);
  // All these principals have the owner's rights to the records. The plugin receives users who differ only in name.
  return random.chance(0.3) ? { ...token, name: "Bob" } : token;
}

function randomQuery(random: Random): object {
  const formula = { formula: "SUM({D:km}) / COUNT({D:km})" };
  const complete = random.chance(0.2) && { include_nonoccurring: true };
  return {
    dimensions: random.some([ref("city", complete || {}), ref("tenant")], 0.4),
    measures: random.chance(0.3)
      ? [formula]
      : [ref("km", { aggregation: random.pick(["sum", "max"]) })],
    ...(random.chance(0.4) && {
      where: [{ expression: "? > ?", parameters: [ref("km"), random.pick([10, 50])] }],
    }),
    ...(random.chance(0.2) && { limit: { by: random.pick([1, 2]) } }),
  };
}

/** Returns the rows that a caller gets, or the message of the error if the query fails. */
async function told(requesting: Promise<QueryAnswer>): Promise<unknown> {
  return requesting.then(
    ({ data }) => data,
    (failure: unknown) => (failure as Error).message,
  );
}

suite("core/queries/cache/caching", (test) => {
  test("random callers get the same answers with and without a cache, both concurrently and one after another", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const options = { columns, rows, wrap: tellingUsers, cacheS: 60 };
      const [warm, plain] = await Promise.all([
        createPlainHost({ ...options, cacheBytes }),
        createPlainHost(options),
      ]);
      const principals = Array.from({ length: 12 }, () => randomPrincipal(random));
      const queries = Array.from({ length: 10 }, () => randomQuery(random));
      let hitCount = 0;
      for (let round = 0; round < 60; round++) {
        const requested = Array.from({ length: 1 + random.below(8) }, () => ({
          principal: random.pick(principals),
          query: random.pick(queries),
        }));
        const answers = requested.map(({ principal, query }) => warm.askAs(principal, query));
        const wanted = requested.map(({ principal, query }) => told(plain.askAs(principal, query)));
        assert.equal(await Promise.all(answers.map(told)), await Promise.all(wanted));
        for (const each of await Promise.allSettled(answers))
          if (each.status === "fulfilled" && each.value.cached) hitCount++;
      }
      assert.ok(hitCount > 20, `${hitCount} answers came from the cache`);
      assert.ok(warm.source.requested.length < plain.source.requested.length);
    });
  });

  test("answers of a live source are cached for the number of seconds that its connection sets", async () => {
    for (const [cacheS, requested, cached] of [
      [60, 1, true],
      [0, 2, false],
    ] as const) {
      const host = await createPlainHost({ columns, rows, cacheS, cacheBytes });
      assert.is((await host.sendQuery(total)).cached, false);
      assert.is((await host.sendQuery(total)).cached, cached);
      assert.is(host.source.requested.length, requested);
    }
  });

  test("a query uses the cache seconds that are set when the query runs", async () => {
    const host = await createPlainHost({ columns, rows, cacheS: 60, cacheBytes });
    await host.sendQuery(total);
    await host.records.change("account", "A", { cache: 0 });
    assert.is((await host.sendQuery(total)).cached, false);
    await host.records.change("account", "A", { cache: 60 });
    await host.records.change("securable", "D", { cache: 0.001 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.is(
      (await host.sendQuery(total)).cached,
      false,
      "a dataset's cache seconds override those of its connection",
    );
  });

  test("removing a right, deleting a dataset or hiding a column makes the affected cached answers inaccessible", async () => {
    const host = await createPlainHost({ columns, rows, cacheS: 60, cacheBytes });
    host.records.grant("D", "bob", "read");
    await host.sendQuery(total, "bob");
    assert.is((await host.sendQuery(total, "bob")).cached, true);
    host.records.grant("D", "bob", "none" as never);
    assert.is((await refusal(host.sendQuery(total, "bob"))).code, "RECORD_NOT_FOUND");
    const token = embedOf();
    await host.askAs(token, total);
    assert.is((await host.askAs(token, total)).cached, true);
    const hidden = embedOf({ hiddenColumns: new Set(["km"]) });
    assert.is((await refusal(host.askAs(hidden, total))).code, "QUERY_UNKNOWN_COLUMN");
    await host.sendQuery(total);
    await host.records.remove("securable", ["D"]);
    assert.is((await refusal(host.sendQuery(total))).code, "RECORD_NOT_FOUND");
  });

  test("the next query after a change of a column's source or type goes to the source again", async () => {
    const host = await createPlainHost({ columns, rows, cacheS: 60, cacheBytes });
    const count = { measures: [ref("km", { aggregation: "count" })] };
    for (const [resource, id, change] of [
      ["column", "km", { source_name: "source.city" }],
      ["column", "city", { type: "datetime" }],
      ["securable", "D", { source_sheet: "other" }],
    ] as const) {
      await host.sendQuery(count).catch(() => undefined);
      await host.records.change<string>(resource, id, change);
      const answer = await host.sendQuery(count).catch((failure: unknown) => failure);
      assert.not((answer as QueryAnswer).cached, JSON.stringify(change));
    }
  });

  test("answers over stored rows stay cached until a push, whatever the cache seconds are", async () => {
    const records = createMemoryRecords();
    const store = createPlainPlugin();
    const fill = (...values: number[]) =>
      store.fill(
        "S",
        [{ id: "n", type: "numeric" }],
        values.map((value) => [value]),
      );
    fill(1, 2);
    const version = { shared_storage_version: "1", rows: 2 };
    await records.insert("securable", { id: "S", type: "dataset", owner_id: "ada", ...version });
    await records.insert("column", { id: "n", type: "numeric", securable_id: "S", order: 0 });
    const connections = createPlainConnections({ store, scratch: createPlainPlugin() });
    const queries = createQueries({ records, connections, rowFilters: async () => [], cacheBytes });
    const measures = [{ column_id: "n", dataset_id: "S" }];
    const sendQuery = async (userId = "ada") => {
      const answer = await queries.answer({ measures }, principalOf(userId), stays);
      const { cached, data } = answer as QueryAnswer;
      return [cached, data[0]?.[0]];
    };
    assert.equal(
      [await sendQuery(), await sendQuery()],
      [
        [false, 3],
        [true, 3],
      ],
    );
    records.grant("S", "bob", "read");
    assert.equal(await sendQuery("bob"), [true, 3]);
    fill(4);
    await records.change("securable", "S", { shared_storage_version: "2" });
    assert.equal(
      [await sendQuery(), await sendQuery("bob")],
      [
        [false, 4],
        [true, 4],
      ],
    );
  });

  test("an answer over several datasets expires when one of the datasets changes, or after the shortest cache time", async () => {
    const records = createMemoryRecords();
    const store = createPlainPlugin();
    const live = createPlainPlugin();
    const dimension = [
      { id: "id", type: "hierarchy" },
      { id: "name", type: "hierarchy" },
    ] as const;
    const fact = [
      { id: "of", type: "hierarchy" },
      { id: "n", type: "numeric" },
    ] as const;
    store.fill("fact", fact, [
      ["a", 1],
      ["b", 2],
    ]);
    const named = (a: string) => [
      ["a", a],
      ["b", "B"],
    ];
    store.fill("dimension", dimension, named("A"));
    live.fill("sheet", dimension, named("live"));
    const own = { type: "dataset" as const, owner_id: "ada" };
    await records.insert("account", { id: "A", user_id: "ada", cache: 60 });
    for (const [id, columns] of [
      ["fact", fact],
      ["dimension", dimension],
      ["live", dimension],
    ] as const) {
      const isLive = id === "live";
      const source = isLive && { storage: "client", source_sheet: "sheet", account_id: "A" };
      await records.insert("securable", { id, ...own, shared_storage_version: "1", ...source });
      await records.insertMany(
        "column",
        columns.map((column, order) => ({
          securable_id: id,
          order,
          type: column.type,
          source_name: column.id,
          id: isLive ? `live.${column.id}` : column.id,
        })),
      );
    }
    for (const other_id of ["id", "live.id"])
      await records.insert("column.Joins", { own_id: "of", other_id });
    const connections = createPlainConnections({
      store,
      scratch: createPlainPlugin(),
      accounts: { A: live },
    });
    const queries = createQueries({ records, connections, rowFilters: async () => [], cacheBytes });
    const sendQuery = async (dataset_id: string, column_id: string) => {
      const dimensions = [{ column_id, dataset_id }];
      const measures = [{ column_id: "n", dataset_id: "fact" }];
      const query = { dimensions, measures, options: { cells: "plain" } };
      const { cached, data } = (await queries.answer(
        query,
        principalOf("ada"),
        stays,
      )) as QueryAnswer;
      return [cached, data];
    };
    const both = (a: string, count: number) => [
      [a, count],
      ["B", 2],
    ];
    for (const [dataset, column, a] of [
      ["dimension", "name", "A"],
      ["live", "live.name", "live"],
    ] as const) {
      const wanted = both(a, 1).toSorted(([one], [other]) =>
        String(one) < String(other) ? -1 : 1,
      );
      assert.equal(await sendQuery(dataset, column), [false, wanted]);
      assert.equal(await sendQuery(dataset, column), [true, wanted]);
    }
    store.fill("dimension", dimension, named("changed"));
    await records.change("securable", "dimension", { shared_storage_version: "2" });
    assert.equal(await sendQuery("dimension", "name"), [false, both("changed", 1).toReversed()]);
    await records.change("account", "A", { cache: 0 });
    assert.is((await sendQuery("live", "live.name"))[0], false);
    assert.is((await sendQuery("live", "live.name"))[0], false);
  });

  test("a failure reaches every waiting caller, and the next caller queries again", async () => {
    let isBroken = true;
    const wrap = (plugin: Plugin): Plugin => ({
      ...plugin,
      async query(call) {
        if (isBroken) throw new PluginError("PLUGIN_SOURCE_FAILED", ["it is down"]);
        return plugin.query(call);
      },
    });
    const host = await createPlainHost({ columns, rows, cacheS: 60, cacheBytes, wrap });
    const failures = await Promise.all([1, 2].map(() => refusal(host.sendQuery(total))));
    assert.equal(
      failures.map(({ code }) => code),
      ["PLUGIN_SOURCE_FAILED", "PLUGIN_SOURCE_FAILED"],
    );
    isBroken = false;
    assert.equal((await host.sendQuery(total)).data, [[1770]]);
  });

  test("an answer with too many rows is not cached, and fails every time", async () => {
    const limits = { answerRowCount: 3 };
    const host = await createPlainHost({ columns, rows, cacheS: 60, cacheBytes, limits });
    for (const _ of [1, 2])
      assert.is(
        (await refusal(host.sendQuery({ dimensions: [ref("km")] }))).code,
        "QUERY_TOO_MANY_ROWS",
      );
    assert.is(host.source.requested.length, 2);
  });

  test("a hundred concurrent callers cause one query of the source, even if a caller leaves", async () => {
    const host = await createPlainHost({ columns, rows, cacheS: 60, cacheBytes });
    const leaver = new AbortController();
    const left = host.sendQuery(total, "ada", leaver.signal).catch(() => "left");
    const others = Array.from({ length: 100 }, () => host.sendQuery(total));
    setImmediate(() => leaver.abort());
    for (const { data } of await Promise.all(others)) assert.equal(data, [[1770]]);
    await left;
    assert.is(host.source.requested.length, 1);
  });

  test("the timings of a cached answer contain only that caller's own waiting time", async () => {
    const host = await createPlainHost({ columns, rows, cacheS: 60, cacheBytes });
    await host.sendQuery(total);
    const { cached, performance: taken } = await host.sendQuery(total);
    assert.ok(cached);
    assert.equal([taken.preparing, taken.rows], [0, 1]);
    assert.ok(taken.querying >= 0 && taken.querying < 1000);
  });
});
