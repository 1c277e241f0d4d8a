import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import { type Capabilities, type Plugin, PluginError } from "../../../../plugins/protocol/index.ts";
import { rounds } from "../../../support/layer.ts";
import { legacyPushdown } from "../../../support/everySource.ts";
import { liars, repeater } from "../../../support/liars.ts";
import { createPlainHost, type PlainHost } from "../../../support/plainHost.ts";
import {
  createPlainPlugin,
  everyCapability,
  type PlainPlugin,
} from "../../../support/plainPlugin.ts";
import { createRandom } from "../../../support/random.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { rounded } from "../../../support/rounded.ts";
import { suite } from "../../../support/suite.ts";
import type { PlanStep } from "../../../../core/queries/queryPlan.ts";
import { randomQuery } from "../oracle/randomQuery.ts";
import { columns as worldColumns, randomWorld, type World } from "../oracle/world.ts";

const seed = Number(process.env["SEED"] ?? 20261122);
const queryCount = Number(process.env["QUERIES"] ?? rounds({ quick: 40, deep: 150, soak: 5000 }));

const columns = [
  { id: "city", type: "hierarchy" },
  { id: "country", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
] as const;
const rows = Array.from({ length: 40 }, (_, index) => [
  `city ${index % 13}`,
  index % 3 === 0 ? "BE" : "FR",
  index,
  `2024-0${1 + (index % 9)}-01T00:00:00.000Z`,
]);

const ref = (id: string) => ({ column_id: id, dataset_id: "D" });
const sum = { ...ref("km"), aggregation: { type: "sum" } };
const top = {
  dimensions: [ref("city")],
  measures: [sum],
  order: [{ ...sum, order: "desc" }],
  limit: { by: 3, offset: 1 },
};
const is = (id: string, expression: string, value: unknown) => ({
  expression,
  parameters: [ref(id), value],
});

async function stepsOf(
  host: PlainHost,
  query: object,
  principal = embedOf(),
): Promise<readonly PlanStep[]> {
  const { explain } = await host.askAs(principal, { ...query, explain: true });
  if (!explain) throw new Error("nothing was explained");
  return explain.steps;
}

/** Returns the steps, with order and limit as a single step, because they are pushed down together. */
async function sorting(
  host: PlainHost,
  query: object,
  principal = embedOf(),
): Promise<PlanStep | undefined> {
  const steps = await stepsOf(host, query, principal);
  const [order, limit] = ["order", "limit"].map((name) =>
    steps.find(({ clause }) => clause === name),
  );
  if (order && limit) assert.equal({ ...order, clause: "limit" }, limit);
  return limit ?? order;
}

suite("core/queries/plan/pushOrder", (test) => {
  const open = (
    mayOrder = true,
    capabilities: Capabilities = everyCapability,
    wrap: (plugin: Plugin) => Plugin = (plugin) => plugin,
  ): Promise<PlainHost> =>
    createPlainHost({
      columns,
      rows,
      isTrusted: false,
      mayOrder,
      source: createPlainPlugin(capabilities),
      wrap,
    });

  test("a plugin at a trusted address receives the order and limit for groups, and the host orders and checks the groups again", async () => {
    const [host, other] = [await open(), await open(false)];
    for (const query of [
      top,
      { ...top, where: [is("country", "? = ?", "BE")] },
      { ...top, where: [is("km", "? > ?", 5)] },
      { ...top, measures: [...top.measures, { ...ref("km"), aggregation: { type: "average" } }] },
    ]) {
      const { data } = await host.sendQuery(query);
      assert.equal(data, (await other.sendQuery(query)).data);
      const pushed = host.source.requested.at(-1);
      assert.equal(pushed?.limit, { by: 4, offset: 0 });
      const [first] = pushed?.order ?? [];
      assert.equal(pushed?.columns[first?.column ?? -1], {
        column_id: "source.km",
        aggregation: "sum",
      });
      assert.is(other.source.requested.at(-1)?.limit, undefined);
      assert.equal(await sorting(host, query), { clause: "limit", pushed: true, checked: true });
    }
  });

  test("a plugin at a trusted address receives the order and limit of a query for plain rows", async () => {
    const query = {
      dimensions: [ref("city"), ref("km")],
      where: [is("country", "? in ?", ["BE", "FR"])],
      order: [{ ...ref("km"), order: "desc" }],
      limit: { by: 2, offset: 0 },
      options: { rollup_data: false },
    };
    const host = await open();
    const { data } = await host.sendQuery(query);
    assert.equal(data, (await (await open(false)).sendQuery(query)).data);
    assert.is(data.length, 2);
    assert.equal(host.source.requested.at(-1)?.limit, { by: 2, offset: 0 });
  });

  test("if a row filter of any origin applies, the host applies order and limit itself", async () => {
    const host = await open();
    for (const filter of [
      rowFilter("country", "? = ?", "BE"),
      { ...rowFilter("km", "? > ?", 3), clause: "having" as const },
      { ...rowFilter("country", "? = ?", "BE"), setBy: "share" as const },
    ]) {
      const principal = embedOf({ filters: [filter] });
      await host.askAs(principal, top);
      assert.is(host.source.requested.at(-1)?.limit, undefined);
      assert.is(host.source.requested.at(-1)?.order, undefined);
      assert.equal(await sorting(host, top, principal), {
        clause: "limit",
        pushed: false,
        reason: "a row filter applies",
      });
    }
  });

  test("order and limit have their own reasons if the plugin promises only one of them", async () => {
    const { order: _order, ...unordered } = everyCapability;
    const { limit: _limit, ...unlimited } = everyCapability;
    for (const [capabilities, reasons] of [
      [
        unordered,
        [
          "the plugin does not promise order",
          "the host sorts the rows before the limit: the plugin does not promise order",
        ],
      ],
      [
        unlimited,
        [
          "the plugin receives order only together with the limit: the plugin does not promise limit",
          "the plugin does not promise limit",
        ],
      ],
    ] as const) {
      const steps = await stepsOf(await open(true, capabilities), top);
      const told = ["order", "limit"].map(
        (name) => steps.find(({ clause }) => clause === name)?.reason,
      );
      assert.equal(told, reasons);
    }
  });

  const { order: _, ...unordered } = everyCapability;
  const having = [{ expression: "? > ?", parameters: [sum, 10] }];
  for (const [reason, query, mayOrder, capabilities] of [
    ["the operator does not trust the plugin", top, false, everyCapability],
    ["the plugin does not promise order", top, true, unordered],
    ["the query has no limit", { ...top, limit: undefined }, true, everyCapability],
    [
      "the host tests the groups before it applies the limit",
      { ...top, having },
      true,
      everyCapability,
    ],
    [
      "the host computes a measure from its values",
      { ...top, measures: [{ ...ref("km"), aggregation: { type: "median" } }], order: [] },
      true,
      everyCapability,
    ],
    [
      "the host needs smaller groups to test the filters again, or to compute a measure",
      { ...top, where: [is("country", "? in ?", ["BE", "FR"])] },
      true,
      everyCapability,
    ],
    [
      "only the host tests one of the filters",
      { ...top, where: [is("country", "? = ?", "it's")] },
      true,
      everyCapability,
    ],
    [
      "the host computes a dimension",
      { ...top, dimensions: [{ ...ref("at"), level: 3 }, ref("at")] },
      true,
      everyCapability,
    ],
    [
      "the host truncates datetimes in a time zone",
      {
        ...top,
        dimensions: [{ ...ref("at"), level: 3 }],
        options: { timezone_id: "Europe/Brussels" },
      },
      true,
      everyCapability,
    ],
    [
      "the host computes a column by which the rows are sorted",
      {
        ...top,
        measures: [{ ...ref("km"), aggregation: { type: "average" } }],
        order: [{ ...ref("km"), aggregation: { type: "average" }, order: "desc" }],
      },
      true,
      everyCapability,
    ],
  ] as const)
    test(`the host applies order and limit itself, and explain says: ${reason}`, async () => {
      const host = await open(mayOrder, capabilities);
      const steps = await stepsOf(host, query);
      assert.equal(
        steps.find(({ clause }) => clause === "limit" || clause === "order"),
        {
          clause: "order",
          pushed: false,
          reason,
        },
      );
      assert.is(host.source.requested.at(-1)?.limit, undefined);
    });

  test("`explain` does not describe an untrusted plugin as unverified", async () => {
    const host = await open(false);
    const query = {
      ...top,
      measures: [...top.measures, { ...ref("km"), aggregation: { type: "average" } }],
      having,
    };
    const steps = await stepsOf(host, query);
    assert.equal(
      steps.flatMap(({ clause, reason }) => (reason === undefined ? [] : [`${clause}: ${reason}`])),
      [
        "having: the host does not request filters on groups from plugins over HTTP",
        "average: the host does not request averages from plugins over HTTP",
        "order: the operator does not trust the plugin",
        "limit: the operator does not trust the plugin",
      ],
    );
  });

  test("if the plugin does not acknowledge a filter, the host sends the query again without order and limit", async () => {
    const host = await open(true, everyCapability, (plugin) => ({
      ...plugin,
      query: async (call) => {
        const { filters: _, ...query } = call.query;
        return {
          ...(await plugin.query({ ...call, query: { ...query, filters: [] } })),
          applied: [],
        };
      },
    }));
    const query = { ...top, where: [is("country", "? = ?", "BE")] };
    assert.equal(
      (await host.sendQuery(query)).data,
      (await (await open(false)).sendQuery(query)).data,
    );
    assert.equal(await sorting(host, query), {
      clause: "limit",
      pushed: false,
      reason: "the plugin did not acknowledge 1 of 1 filters",
    });
  });

  test("the error for a plugin that sends more rows than the limit names the plugin", async () => {
    const host = await open(true, everyCapability, (plugin) => ({
      ...plugin,
      query: (call) => {
        const { limit: _, ...query } = call.query;
        return plugin.query({ ...call, query });
      },
    }));
    const failure = await host.sendQuery(top).catch((thrown: unknown) => thrown);
    assert.instance(failure, PluginError);
    assert.match(String(failure), /at most 4 were requested \(connection plain\)/);
  });

  const stored = worldColumns.filter(({ expression }) => expression === undefined);
  const ownFilter = rowFilter("s", "? in ?", ["a", "A", null]);
  /** A world whose rows outside of `ownFilter` contain only strings and numbers that can be recognized. */
  const markedWorld = (): World => {
    let world = randomWorld(createRandom(seed));
    for (let other = seed + 1; world.rows.length < 30; other++)
      world = randomWorld(createRandom(other));
    const place = stored.findIndex(({ id }) => id === "s");
    return {
      ...world,
      rows: world.rows.slice(0, 30).map((row, index) => {
        if (index % 2 === 0) return row.with(place, "a");
        return row.map((cell, at) => {
          const type = stored[at]?.type;
          if (at === place || type === "hierarchy") return `foreign ${index}`;
          return cell !== null && type === "numeric" ? 1e9 + index : cell;
        });
      }),
    };
  };
  const outcome = async (asked: Promise<{ readonly data: readonly unknown[] }>) => {
    try {
      return JSON.stringify(rounded((await asked).data));
    } catch (failure) {
      if (failure instanceof ApiError) return failure.code;
      if (failure instanceof PluginError) return failure.code;
      throw failure;
    }
  };

  test("random queries return the same cells from an honest plugin whether or not its address is trusted", async () => {
    const world = randomWorld(createRandom(seed + 7));
    const options = { columns: worldColumns, rows: world.rows, now: () => world.nowMs };
    const openAt = (mayOrder: boolean, capabilities: Capabilities) =>
      createPlainHost({
        ...options,
        isTrusted: false,
        mayOrder,
        source: createPlainPlugin(capabilities),
      });
    const pairs = await Promise.all(
      [everyCapability, { ...legacyPushdown, order: true, limit: true }].map((capabilities) =>
        Promise.all([openAt(true, capabilities), openAt(false, capabilities)]),
      ),
    );
    for (let index = 0; index < queryCount; index++) {
      const { query, parameters } = randomQuery(createRandom(seed * 1000 + index), world);
      const principal = embedOf({ parameters });
      const [pushing, plain] = pairs[index % pairs.length]!;
      const [cells, expected] = await Promise.all([
        outcome(pushing.askAs(principal, query)),
        outcome(plain.askAs(principal, query)),
      ]);
      assert.is(cells, expected, `SEED=${seed} QUERIES=${index + 1} ${JSON.stringify(query)}`);
    }
    const cut = pairs.flatMap(([{ source }]) => source.requested.filter(({ limit }) => limit));
    assert.ok(cut.length > queryCount / 20, `${cut.length} queries were cut by the plugin`);
  });

  for (const [at, { does, lie }] of [
    ...liars,
    { does: "repeats the previous answer", lie: repeater },
  ].entries())
    (at === 0 ? test : test.deep)(
      `a plugin at a trusted address that ${does} reveals no row that a row filter hides`,
      async () => {
        const world = markedWorld();
        const options = { columns: worldColumns, rows: world.rows, now: () => world.nowMs };
        const host = await createPlainHost({
          ...options,
          isTrusted: false,
          mayOrder: true,
          source: createPlainPlugin(everyCapability),
          wrap: (plugin) => ({ ...lie(plugin as PlainPlugin), capabilities: everyCapability }),
        });
        let answeredCount = 0;
        for (let index = 0; index < queryCount; index++) {
          const { query, parameters } = randomQuery(createRandom(seed * 1000 + index), world);
          const principal = embedOf({ parameters, filters: [ownFilter] });
          const cells = await outcome(host.askAs(principal, query));
          if (cells.startsWith("[")) answeredCount++;
          assert.not.match(cells, "foreign", `SEED=${seed} QUERIES=${index + 1}`);
        }
        assert.ok(answeredCount > 0, "nothing was answered");
        assert.ok(host.source.requested.every(({ limit, order }) => !limit && !order));
      },
    );
});
