import * as assert from "uvu/assert";
import { readConfig } from "../../../../core/base/config.ts";
import {
  type DoubtOf,
  narrowToReliable,
} from "../../../../core/sources/connections/narrowToReliable.ts";
import {
  checkedClaims,
  declarationOf,
  reliablePlugin,
} from "../../../../core/sources/connections/pluginProof.ts";
import { openConnections } from "../../../../core/sources/connections/index.ts";
import { usedClaims } from "../../../../core/queries/plan/usedClaims.ts";
import { createRandom as createKitRandom } from "../../../../plugins/conformance/createRandom.ts";
import { claimsOf } from "../../../../plugins/conformance/claims.ts";
import { randomQuery } from "../../../../plugins/conformance/randomQuery.ts";
import { subjectOf } from "../../../../plugins/conformance/subject.ts";
import type { Capabilities, Plugin } from "../../../../plugins/protocol/index.ts";
import { serve } from "../../../../plugins/sdk/index.ts";
import { plantedPlugin } from "../../../plugins/conformance/plantedLiars.ts";
import { fillTelling } from "../../../plugins/conformance/tellingRows.ts";
import { createMemoryRecords } from "../../../support/memoryRecords.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { randomCapabilities } from "../../../support/randomCapabilities.ts";
import { suite } from "../../../support/suite.ts";

const pathsOf = (capabilities: Capabilities) => claimsOf(capabilities).map(({ path }) => path);
/** Doubts every claim that is not in the set. */
const unless =
  (claims: ReadonlySet<string>): DoubtOf =>
  (claim) =>
    claims.has(claim) ? undefined : "not proved";
const signal = () => new AbortController().signal;

suite("core/sources/connections/pluginProof", (test) => {
  test("a plugin's proved capabilities are the declared capabilities with proved claims", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const declared = randomCapabilities(random);
        const all = pathsOf(declared);
        const proved = new Set(all.filter(() => random.below(4) > 0));
        const { capabilities, unreliableKeys, left } = narrowToReliable(declared, unless(proved));
        const keys = new Set(unreliableKeys.map((type) => `grouping.keys.${type}`));
        const kept = pathsOf(capabilities).filter((path) => path !== "rows" && !keys.has(path));
        for (const path of kept) assert.ok(proved.has(path), path);
        const isWhole = proved.has("projection") && proved.has("filters");
        if (isWhole)
          for (const path of all)
            // If a claim is not proved, claims that depend on it are removed too.
            if (proved.has(path) && path !== "rows" && !kept.includes(path))
              assert.match(path, /^(filters\.|decimalBins|joinFilters|compositeJoins|filters$)/);
        for (const { capability } of left) assert.not.ok(proved.has(capability), capability);
      }
    });
  });

  test("a plugin keeps all capabilities if every claim was proved, and no capabilities if no claim was proved", () => {
    const declared: Capabilities = {
      projection: true,
      probed: true,
      filters: {
        operators: { "=": ["hierarchy"], in: ["numeric", "hierarchy"] },
        superset: { like: ["hierarchy"] },
        nested: true,
        levels: true,
        listLength: 100,
      },
      grouping: { aggregations: ["sum", "count"], levels: ["year", "week"], timezones: true },
      expressions: { functions: ["abs", "concat"] },
      levelsAnywhere: true,
      bins: true,
      decimalBins: true,
      joins: true,
      joinFilters: true,
      having: true,
      order: true,
      limit: true,
    };
    const functions = ["expressions.functions.abs", "expressions.functions.concat"];
    const every = new Set([...pathsOf(declared), ...functions, "joins", "joinFilters"]);
    const { capabilities, left, unreliableKeys } = narrowToReliable(declared, unless(every));
    assert.equal(capabilities, declared);
    assert.equal([left, unreliableKeys], [[], []]);
    const none = narrowToReliable(declared, unless(new Set()));
    assert.equal(none.capabilities, { probed: true });
    assert.equal(
      none.left.map(({ capability }) => capability),
      ["projection"],
    );
  });

  test("a claim that the kit found wrong is removed, whatever MANIFOLD_PLUGINS is, and an untested claim stays under `any`", () => {
    const declared: Capabilities = {
      projection: true,
      filters: { operators: { "=": ["hierarchy"] }, superset: { like: ["hierarchy"] } },
      grouping: { aggregations: ["count", "sum"], levels: ["day"] },
      order: true,
      limit: true,
    };
    const plugin = { ...plantedPlugin(), capabilities: declared };
    const row = (wrong: Record<string, readonly string[]>) =>
      ({ checked_declaration: "d", check_report: { proved: ["projection"], wrong } }) as never;
    const under = (wrong: Record<string, readonly string[]>, trust: "any" | "verified" = "any") =>
      reliablePlugin(plugin, checkedClaims(row(wrong), "d"), trust);
    assert.is(under({}).plugin, plugin, "the same plugin if nothing was wrong");
    for (const path of pathsOf(declared)) {
      const found = { [path]: ["omits rows", 'ignores case, in the column "salary"'] };
      const { plugin: narrow, unreliableKeys } = under(found);
      const keys = new Set(unreliableKeys.map((type) => `grouping.keys.${type}`));
      const isKept = pathsOf(narrow.capabilities).includes(path) && !keys.has(path);
      // The host cannot compute plain rows itself.
      assert.is(isKept, path === "rows", path);
      if (path !== "rows")
        for (const trust of ["any", "verified"] as const)
          if (trust === "any" || path === "projection")
            assert.equal(under(found, trust).plugin.unused?.[0], {
              capability: path,
              reason: "the conformance kit found this claim wrong: omits rows; ignores case",
            });
    }
    assert.is(under({ filters: ["omits rows"] }).plugin.capabilities.filters, undefined);
    const { order, ...others } = declared;
    assert.equal(under({ order: ["omits rows"] }).plugin.capabilities, others);
    assert.is(order, true);
    assert.is(under({ order: ["omits rows"] }).plugin, under({ order: ["omits rows"] }).plugin);
    assert.is(checkedClaims(row({ order: ["omits rows"] }), "another").wrong.size, 0);
    for (const [told, shown] of [
      ["truncates its answer: 60 of 120 rows", "truncates its answer"],
      ["returns wrong cells in salary", "returns wrong cells"],
      ['lists the dataset "pay" twice', "lists a dataset twice"],
      [
        "truncates at the offset +02:00, whatever the zone",
        "truncates at the offset +02:00, whatever the zone",
      ],
    ] as const)
      assert.is(checkedClaims(row({ rows: [told] }), "d").wrong.get("rows"), shown);
  });

  test("a declaration stays the same if its members are reordered, and differs after any other change", () => {
    const remote = {
      slug: "a",
      baseUrl: "http://a.example",
      protocolVersion: "manifold-1",
      pushdown: true,
      supportsDistinctcount: false,
    } as const;
    const one = declarationOf(remote, { projection: true, limit: true });
    assert.is(declarationOf({ ...remote, slug: "b" }, { limit: true, projection: true }), one);
    const others = [
      declarationOf(remote, { projection: true }),
      declarationOf({ ...remote, baseUrl: "http://b.example" }, { projection: true, limit: true }),
      declarationOf({ ...remote, protocolVersion: "3.0.0" }, { projection: true, limit: true }),
      declarationOf({ ...remote, pushdown: false }, { projection: true, limit: true }),
    ];
    assert.is(new Set([one, ...others]).size, 5);
  });

  test("the query that checks a claim uses that claim and no claims that the plugin lacks", async () => {
    const plugin = createPlainPlugin();
    fillTelling(plugin);
    const [dataset] = await plugin.datasets({ credentials: { properties: {} }, signal: signal() });
    const { capabilities } = plugin;
    const table = { columns: dataset!.columns, rows: plugin.rowsOf("telling") ?? [] };
    const subject = subjectOf(dataset!, table, capabilities);
    const every = new Set(pathsOf(capabilities));
    const random = createKitRandom(5);
    // A query with several filters need not have groups, and a query with a group key need not have a key of that type.
    for (const claim of claimsOf(capabilities))
      for (let round = 0; round < 10; round++) {
        const query = randomQuery(claim, subject, random);
        if (!query) continue;
        const used = usedClaims(query, dataset!, capabilities);
        const isPart = claim.kind === "filter" && claim.isSuperset;
        if (!isPart)
          assert.ok(used.includes(claim.path), `${claim.path}: ${JSON.stringify(query)}`);
        for (const path of used) assert.ok(every.has(path), path);
      }
  });

  test("with MANIFOLD_PLUGINS=verified, the host uses only capabilities that were proved for a plugin's current declaration", async () => {
    let capabilities: Capabilities = {
      projection: true,
      filters: { operators: { "=": ["hierarchy"], "!=": ["hierarchy"] } },
      grouping: { aggregations: ["count", "sum"], levels: [] },
    };
    const planted: Plugin = plantedPlugin();
    const served = await serve(
      {
        ...planted,
        get capabilities() {
          return capabilities;
        },
      },
      { secret: "s", onError: () => {} },
    );
    const records = createMemoryRecords();
    const strata: Plugin = {
      capabilities: { write: true, temporary: true },
      datasets: async () => [],
      query: async () => ({ rowCount: 0, columns: [] }),
    };
    const open = (plugins: "any" | "verified") =>
      openConnections({
        config: readConfig({ egressAllow: ["127.0.0.1"], plugins }, {}),
        records,
        plugins: { plugins: new Map([["strata", strata]]), close: async () => {} },
      });
    const opened: Awaited<ReturnType<typeof open>>[] = [];
    try {
      const remote = {
        slug: "p",
        baseUrl: served.url,
        protocolVersion: "manifold-1",
        pushdown: false,
        supportsDistinctcount: false,
      } as const;
      await records.insert("plugin", {
        id: "p1",
        slug: "p",
        base_url: served.url,
        organization_id: "o1",
        protocol_version: "manifold-1",
        secret: "s",
        verification: "verified",
        checked_at: new Date(),
        check_report: {
          proved: ["rows", "projection", "filters", "filters.operators.=.hierarchy"],
        } as never,
        checked_declaration: declarationOf(remote, capabilities),
      });
      await records.insert("account", {
        id: "c1",
        provider: "p",
        plugin_id: "p1",
        user_id: "u1",
        active: true,
      });
      const connectionOf = async (plugins: "any" | "verified", override?: { base_url: string }) => {
        const connections = await open(plugins);
        opened.push(connections);
        return connections.ofAccount("c1", override);
      };
      const any = await connectionOf("any");
      assert.equal(any.capabilities, capabilities);
      assert.is(any.proved?.has("projection"), true);
      assert.is(any.unreliableKeys, undefined);
      assert.is(any.disproved, undefined);
      const checkReport = (await records.find("plugin", { id: "p1" }))[0]?.check_report;
      const wrong = { "grouping.keys.hierarchy": ["omits the group of null"] };
      await records.change("plugin", "p1", { check_report: { ...checkReport, wrong } as never });
      const failed = await connectionOf("any");
      assert.equal(failed.capabilities, capabilities, "group keys are narrowed by type");
      assert.equal(failed.unreliableKeys, ["hierarchy"]);
      assert.equal(
        [...(failed.disproved ?? [])],
        [["grouping.keys.hierarchy", "omits the group of null"]],
      );
      assert.is.not(failed.fingerprint, any.fingerprint, "cached answers are not used");
      await records.change("plugin", "p1", { check_report: checkReport ?? null });
      const narrow = await connectionOf("verified");
      assert.equal(narrow.capabilities, {
        projection: true,
        filters: { operators: { "=": ["hierarchy"] } },
        grouping: { aggregations: [], levels: [] },
      });
      assert.equal(narrow.unreliableKeys, ["numeric", "datetime", "hierarchy"]);
      assert.ok(
        narrow.unused?.some(({ capability }) => capability === "filters.operators.!=.hierarchy"),
      );
      const elsewhere = await serve(planted, { secret: "s", onError: () => {} });
      const other = await connectionOf("verified", { base_url: elsewhere.url });
      assert.equal(other.capabilities, {}, "a proof says nothing about another address");
      await elsewhere.close();
      const stored = async () => (await records.find("plugin", { id: "p1" }))[0]?.verification;
      assert.is(await stored(), "verified");
      capabilities = { ...capabilities, limit: true };
      assert.equal((await connectionOf("verified")).capabilities, {});
      assert.is(await stored(), "unchecked");
      assert.is((await connectionOf("any")).proved?.size, 0);
    } finally {
      await Promise.all(opened.map((each) => each.close()));
      await served.close();
    }
  });
});
