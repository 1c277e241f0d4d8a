import * as assert from "uvu/assert";
import { connect } from "../../../../core/sources/connections/connect.ts";
import { type Egress, openEgress } from "../../../../core/sources/connections/egress.ts";
import {
  overHttp,
  type RemotePlugin,
} from "../../../../core/sources/connections/overHttp/index.ts";
import { featureFlags } from "../../../../core/base/contracts/index.ts";
import { definePlugin, serve } from "../../../../plugins/sdk/index.ts";
import { createPlainHost } from "../../../support/plainHost.ts";
import { suite } from "../../../support/suite.ts";

suite("core/base/contracts/unusedFlags", (test) => {
  let egress: Egress;
  test.before(() => {
    egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 60_000, sizeBytes: 2 ** 20 });
  });
  test.after(() => egress.close());

  const open = (remote: Partial<RemotePlugin>) =>
    overHttp(
      {
        slug: "trips",
        baseUrl: "http://127.0.0.1:9",
        protocolVersion: "3.0.0",
        pushdown: true,
        supportsDistinctcount: true,
        flags: featureFlags,
        ...remote,
      },
      egress,
    );

  test("the unused pushdown flags of a plugin are listed with the reason", async () => {
    const { unused = [], capabilities } = await open({});
    assert.equal(
      unused.map(({ capability }) => capability),
      [
        "supports_distinctcount",
        "supports_order_limit",
        "supports_join",
        "supports_like",
        "supports_nested_filters",
        "supports_sql",
      ],
    );
    const [distinct, ...others] = unused;
    assert.match(distinct?.reason ?? "", "so it counts distinct values itself");
    for (const { reason } of others)
      assert.match(reason, "the request format of protocol 3.0.0 for");
    assert.ok(capabilities.grouping?.aggregations.includes("distinctcount"));
    const { order, limit, joins, filters } = capabilities;
    assert.equal([order, limit, joins, filters?.nested], Array(4).fill(undefined));
    assert.is(filters?.operators.like, undefined);
  });

  test("the reasons of unused flags name the protocol before 3.0.0, or that pushdown is off", async () => {
    const { unused: old = [] } = await open({ protocolVersion: "2.0.0" });
    assert.equal(old[1], {
      capability: "supports_order_limit",
      reason: "protocol 2.0.0 does not support order and limit",
    });
    assert.is(old.length, featureFlags.length);
    const { unused: basic = [] } = await open({ pushdown: false });
    assert.is(basic.length, featureFlags.length);
    assert.match(basic[0]?.reason ?? "", "pushdown is false");
    assert.is((await open({ flags: [] })).unused, undefined);
  });

  test("`explain` lists the old flags of a manifold-1 plugin as unused", async () => {
    const columns = [{ id: "source.city", type: "hierarchy" as const }];
    const served = await serve(
      definePlugin({ datasets: [{ id: "sheet", columns }], rows: () => [["Ghent"]] }),
    );
    try {
      const remote = await open({
        protocolVersion: "manifold-1",
        baseUrl: served.url,
        flags: ["supports_like"],
      });
      const unused = [
        {
          capability: "supports_like",
          reason:
            "a plugin that speaks manifold-1 declares this in its capabilities, not with flags",
        },
      ];
      const bound = connect({
        name: "trips",
        plugin: remote,
        credentials: { properties: {} },
        fingerprint: "f",
        timeoutMs: 60_000,
        sizeBytes: 2 ** 20,
      });
      assert.equal(bound.unused, unused);
      const host = await createPlainHost({
        columns: [{ id: "city", type: "hierarchy" }],
        rows: [],
        isTrusted: false,
        wrap: () => remote,
      });
      const dimensions = [{ column_id: "city", dataset_id: "D" }];
      const { data, explain } = await host.sendQuery({ dimensions, explain: true });
      assert.is(data.length, 1);
      assert.equal(explain?.datasets[0]?.unused, unused);
    } finally {
      await served.close();
    }
  });
});
