import * as assert from "uvu/assert";
import { PluginError, type Plugin } from "../../../../plugins/protocol/index.ts";
import { createJoinedHost } from "../../../support/joinedHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

import { datasets, links, ref, eur, text, hosts, filterOn, refusedBy } from "./joinedSales.ts";

suite("core/queries/join/joinedRuns", (test) => {
  test("a plugin that can join receives the whole query", async () => {
    const query = {
      dimensions: [ref("P", "label")],
      measures: [eur],
      where: [{ expression: "? = ?", parameters: [ref("P", "label"), "Žilina"] }],
    };
    const one = createPlainPlugin(everyCapability);
    const scratch = createPlainPlugin();
    const options = { datasets, links, scratch };
    await (await createJoinedHost({ ...options, plugins: { S: one, P: one } })).sendQuery(query);
    const requested = one.requested.at(-1);
    assert.is(requested?.id, "sheet.S");
    assert.equal(requested?.joins, [
      {
        id: "sheet.P",
        left: "source.product",
        right: "source.sku",
        columns: [{ id: "joined.0.source.label", column_id: "source.label", type: "hierarchy" }],
      },
    ]);
    assert.is(scratch.requested.length, 0);
    const here = createJoinedHost({ ...options, plugins: { S: scratch, P: scratch } });
    await (await here).sendQuery(query);
    assert.is(scratch.requested.at(-1)?.id, "sheet.S");
    assert.is(scratch.requested.at(-1)?.joins?.[0]?.id, "sheet.P");
  });

  test("plugins send only the needed columns, and receive only filters that do not change the joined answer", async () => {
    const [facts, rest, scratch] = [createPlainPlugin(), createPlainPlugin(), createPlainPlugin()];
    const host = await createJoinedHost({
      datasets,
      links,
      plugins: { S: facts, P: rest },
      scratch,
    });
    const test = (id: string, column: string, expression: string, value?: unknown) => ({
      expression,
      parameters: value === undefined ? [ref(id, column)] : [ref(id, column), value],
    });
    await host.sendQuery({
      dimensions: [ref("P", "label")],
      measures: [eur],
      where: [
        test("S", "shop", "? != ?", 7),
        test("P", "group", "? = ?", "g1"),
        test("P", "label", "? != ?", "x"),
        { or: [test("P", "label", "? is null"), test("P", "sku", "? = ?", "p1")] },
        { or: [test("P", "label", "? = ?", "Žilina"), test("S", "eur", "? > ?", 1)] },
      ],
    });
    assert.equal(facts.requested.at(-1), {
      id: "sheet.S",
      columns: ["product", "shop", "eur"].map((id) => ({ column_id: `source.${id}` })),
      filters: [{ column_id: "source.shop", expression: "!=", value: [7] }],
      options: { pushdown: false, query_timeout: 120_000 },
    });
    assert.equal(rest.requested.at(-1)?.filters, [
      { column_id: "source.group", expression: "=", value: ["g1"] },
    ]);
    const last = scratch.requested.at(-1);
    assert.match(last?.id ?? "", /^residual-/);
    assert.is(last?.filters.length, 5);
    assert.match(last?.joins?.[0]?.id ?? "", /^residual-/);
    assert.equal(await scratch.datasets({} as never), []);
  });

  test("a plugin that cannot join receives the queries for the other datasets of the join as a hint", async () => {
    const plain = createPlainPlugin({ ...everyCapability, joins: false });
    const told: unknown[] = [];
    const plugin: Plugin = {
      ...plain,
      query(call) {
        told.push([call.query.id, call.alongside]);
        return plain.query(call);
      },
    };
    const host = await createJoinedHost({ datasets, links, plugins: { S: plugin, P: plugin } });
    const group = { expression: "? = ?", parameters: [ref("P", "group"), "g1"] };
    assert.equal((await host.sendQuery({ measures: [eur], where: [group] })).data, [[30]]);
    const isRows = (each: unknown) => JSON.stringify(each).includes("source.group");
    assert.equal(
      told.filter(isRows).map((each) => (each as [string])[0]),
      ["sheet.S"],
    );
    const [, alongside] = told.find(isRows) as [string, { id: string; filters: unknown }[]];
    assert.equal(
      alongside.map(({ id, filters }) => [id, filters]),
      [["sheet.P", [{ column_id: "source.group", expression: "=", value: ["g1"] }]]],
    );
  });

  test("a basic plugin also receives the filters on the other datasets of the join, and the host tests them again", async () => {
    const plain = createPlainPlugin({});
    const told: (readonly [string, unknown, unknown])[] = [];
    const plugin: Plugin = {
      ...plain,
      query(call) {
        told.push([
          call.query.id,
          call.hints,
          call.alongside?.map(({ id, filters }) => [id, filters]),
        ]);
        return plain.query(call);
      },
    };
    const host = await createJoinedHost({ datasets, links, plugins: { S: plugin, P: plugin } });
    const group = { expression: "? = ?", parameters: [ref("P", "group"), "g1"] };
    assert.equal((await host.sendQuery({ measures: [eur], where: [group] })).data, [[30]]);
    const hints = [{ column_id: "source.group", expression: "=", value: ["g1"] }];
    const ofRows = told.filter(([, own, others]) => own !== undefined || others !== undefined);
    assert.equal(
      new Map(ofRows.map(([id, ...rest]) => [id, rest])),
      new Map([
        ["sheet.P", [hints, undefined]],
        ["sheet.S", [undefined, [["sheet.P", hints]]]],
      ]),
    );
  });

  test("a basic plugin is told which columns of its rows the host does not read", async () => {
    const plain = createPlainPlugin({});
    const unread = new Map<string, unknown>();
    const plugin: Plugin = {
      ...plain,
      query(call) {
        unread.set(call.query.id, call.unread);
        return plain.query(call);
      },
    };
    const host = await createJoinedHost({ datasets, links, plugins: { S: plugin, P: plugin } });
    await host.sendQuery({ measures: [eur] });
    const others = (id: string, read: readonly string[]) =>
      datasets
        .find((each) => each.id === id)
        ?.columns.filter((column) => !column.expression && !read.includes(column.id))
        .map((column) => `source.${column.id}`);
    assert.equal(unread.get("sheet.S"), others("S", ["eur"]));
    const group = { expression: "? = ?", parameters: [ref("P", "group"), "g1"] };
    await host.sendQuery({ measures: [eur], where: [group] });
    assert.equal(unread.get("sheet.S"), others("S", ["eur", "product"]));
    assert.equal(unread.get("sheet.P"), others("P", ["sku", "group"]));
  });

  test("callers who see different rows share neither cached joined answers nor cached subqueries", async () => {
    const plugins = Object.fromEntries(datasets.map(({ id }) => [id, createPlainPlugin()]));
    const host = await createJoinedHost({ datasets, links, plugins, cacheS: 60 });
    const askedCount = () =>
      Object.values(plugins).reduce((sum, { requested }) => sum + requested.length, 0);
    const query = { dimensions: [ref("P", "label")], measures: [eur] };
    const filters = [filterOn("P", "sku", "? = ?", "p2")];
    const all = [
      [text("Žilina"), 30],
      [null, 600],
    ];
    const some = [[null, 630]];
    assert.equal((await host.sendQuery(query)).data, all);
    const before = askedCount();
    const again = await host.sendQuery(query);
    assert.equal([again.data, again.cached, askedCount()], [all, true, before]);
    const narrowed = await host.sendQuery(query, embedOf({ filters }));
    assert.equal([narrowed.data, narrowed.cached], [some, false]);
    assert.equal((await host.sendQuery(query)).data, all);
    const other = await host.sendQuery({ ...query, limit: { by: 1 } });
    assert.equal([other.data, other.cached], [[[text("Žilina"), 30]], false]);
  });

  test("an explanation says where rows were joined, why the plugin did not join them, and what each dataset received", async () => {
    const explained = async (plugins: Readonly<Record<string, Plugin>>) => {
      const host = await createJoinedHost({ datasets, links, plugins });
      const where = [
        { expression: "? = ?", parameters: [ref("P", "group"), "g1"] },
        { expression: "? != ?", parameters: [ref("P", "label"), "x"] },
      ];
      const answer = (await host.explain({ measures: [eur], where })) as {
        explain: {
          mode: string;
          steps: readonly { clause: string; pushed: boolean; reason?: string }[];
          parts: readonly { dataset_id: string | null; clauses: readonly string[] }[];
          probes: readonly unknown[];
        };
      };
      const { mode, steps, parts, probes } = answer.explain;
      // The key of P is unique, so the result has the rows of S.
      assert.is(probes.length, 1);
      return {
        mode,
        reasons: steps.slice(0, 3).map(({ reason }) => reason),
        parts: parts
          .map(({ dataset_id, clauses }) => [dataset_id, ...clauses].join(" "))
          .toSorted(),
      };
    };
    const one = createPlainPlugin(everyCapability);
    assert.equal(await explained({ S: one, P: one }), {
      mode: "whole",
      reasons: [undefined, undefined, undefined],
      parts: ["S joins filters grouping limit"],
    });
    assert.equal(await explained({}), {
      mode: "joined",
      reasons: [
        "the plugin does not promise joins with datasets of other connections",
        undefined,
        "the host tests 1 of 2 filters after the join",
      ],
      parts: [" joins filters grouping limit", "P filters", "S"],
    });
  });

  test("the reason why a plugin does not join reveals nothing about a filter on a hidden column", async () => {
    const { like: _, ...operators } = everyCapability.filters?.operators ?? {};
    const one = createPlainPlugin({
      ...everyCapability,
      filters: { ...everyCapability.filters, operators },
    });
    const host = await createJoinedHost({ datasets, links, plugins: { S: one, P: one } });
    const filters = [filterOn("P", "label", "? like ?", "l")];
    const reasonFor = async (hidden: readonly string[]) => {
      const requested = { dimensions: [ref("P", "group")], measures: [eur] };
      const principal = embedOf({ filters, hiddenColumns: new Set(hidden) });
      const { explain } = (await host.explain(requested, principal)) as {
        explain: { steps: readonly { clause: string; reason?: string }[] };
      };
      return explain.steps.find(({ clause }) => clause === "joins")?.reason ?? "";
    };
    assert.match(await reasonFor([]), /like on hierarchy columns in the filters of a joined/);
    assert.is(await reasonFor(["label"]), "the plugin does not promise all of this clause");
  });

  test("the timings of an answer count the time of parallel subqueries only once", async () => {
    for (const [name, host] of await hosts()) {
      const { performance: taken } = await host.sendQuery({
        dimensions: [ref("G", "code"), ref("H", "city")],
        measures: [eur],
      });
      for (const [phase, value] of Object.entries(taken)) assert.ok(value >= 0, `${name} ${phase}`);
      assert.ok(taken.querying > 0, name);
    }
  });

  test("temporary datasets are dropped after a failed join, even if scratch fails", async () => {
    const failing = (failsAt: (requested: number) => boolean) => {
      const plugin = createPlainPlugin();
      let requested = 0;
      return {
        ...plugin,
        datasets: plugin.datasets,
        query: (call: Parameters<Plugin["query"]>[0]) => {
          if (call.query.joins && failsAt(++requested))
            throw new PluginError("PLUGIN_SOURCE_FAILED", ["it broke"]);
          return plugin.query(call);
        },
        write: (call: Parameters<NonNullable<Plugin["write"]>>[0]) => {
          const { write } = call;
          if (write.action === "append" && write.rows.columnIds.includes("source.sku"))
            throw new PluginError("PLUGIN_SOURCE_FAILED", ["it is full"]);
          return plugin.write!(call);
        },
      };
    };
    const query = { dimensions: [ref("H", "city")], measures: [eur] };
    const broken = failing(() => true);
    const host = await createJoinedHost({ datasets, links, scratch: broken });
    assert.match(await refusedBy(host, query), /PLUGIN_SOURCE_FAILED .*it broke/);
    assert.equal(await broken.datasets({} as never), []);
    const full = { dimensions: [ref("P", "label")], measures: [eur] };
    assert.match(await refusedBy(host, full), /PLUGIN_SOURCE_FAILED .*it is full/);
    assert.equal(await broken.datasets({} as never), []);
  });

  test("in a join, a plugin that supports less than it declares is queried again for plain rows", async () => {
    for (const promised of [everyCapability, { ...everyCapability, joins: false }]) {
      const plugin = createPlainPlugin(promised);
      const shy: Plugin = {
        ...plugin,
        query: async (call) => {
          if (call.query.joins || call.query.filters.length > 0)
            throw new PluginError("PLUGIN_NOT_OFFERED", ["that"]);
          return plugin.query(call);
        },
      };
      const host = await createJoinedHost({ datasets, links, plugins: { S: shy, P: shy } });
      const answer = await host.sendQuery({
        measures: [eur],
        where: [
          { expression: "? = ?", parameters: [ref("P", "label"), "Žilina"] },
          { expression: "? = ?", parameters: [ref("S", "shop"), 2] },
        ],
      });
      assert.equal(answer.data, [[20]]);
    }
  });

  test("in a join, a plugin that fails or cannot even return plain rows is not queried again", async () => {
    for (const code of ["PLUGIN_SOURCE_FAILED", "PLUGIN_NOT_OFFERED"] as const) {
      const plugin = createPlainPlugin({ ...everyCapability, joins: false });
      const filtered: boolean[] = [];
      const broken: Plugin = {
        ...plugin,
        query: async ({ query }) => {
          filtered.push(query.filters.length > 0);
          throw new PluginError(code, ["it broke"]);
        },
      };
      const host = await createJoinedHost({ datasets, links, plugins: { S: broken } });
      const where = [{ expression: "? = ?", parameters: [ref("S", "shop"), 2] }];
      const query = { dimensions: [ref("P", "label")], measures: [eur], where };
      assert.match(await refusedBy(host, query), code);
      assert.equal(filtered, code === "PLUGIN_NOT_OFFERED" ? [true, false] : [true]);
    }
  });
});
