import * as assert from "uvu/assert";
import type { PluginCheckReport } from "../../../../core/base/contracts/index.ts";
import { createClient } from "../../../../core/web/client/index.ts";
import type { PlanStep } from "../../../../core/queries/queryPlan.ts";
import type { Capabilities, Query } from "../../../../plugins/protocol/index.ts";
import { definePlugin, serve, type Served } from "../../../../plugins/sdk/index.ts";
import { openTenantHost, type TenantHost } from "../../operating/transfer/openTenantHost.ts";
import { plantedPlugin } from "../../../plugins/conformance/plantedLiars.ts";
import { eventually } from "../../../support/eventually.ts";
import { suite } from "../../../support/suite.ts";

const capabilities: Capabilities = {
  projection: true,
  filters: { operators: { "=": ["hierarchy"] } },
  grouping: { aggregations: ["count", "sum"], levels: [] },
  order: true,
  limit: true,
};

interface Shown {
  readonly verification: string;
  readonly check_report: PluginCheckReport | null;
}

suite("core/sources/connections: a plugin at a trusted address", (test) => {
  const requested: Query[] = [];
  let served: Served;
  let host: TenantHost;
  test.before(async () => {
    const planted = plantedPlugin();
    const plugin = definePlugin({ ...planted, capabilities });
    served = await serve(
      {
        ...plugin,
        query(call) {
          requested.push(call.query);
          return plugin.query(call);
        },
      },
      { secret: "s", onError: () => {} },
    );
    host = await openTenantHost({ pluginTrust: [new URL(served.url).host] });
  });
  test.after(async () => {
    await host?.close();
    await served?.close();
  });

  test.deep(
    "a verified plugin receives the order and limit of a query only if the caller has no row filters",
    async () => {
      const { client } = host;
      const plugin = await client.create<{ id: string }>("plugin", {
        slug: "planted",
        name: { en: "Planted" },
        base_url: served.url,
        protocol_version: "manifold-1",
        authorize: "none",
      });
      await client.update("plugin", plugin.id, { new_secret: "s" });
      const account = await client.create<{ id: string }>("account", {
        provider: "planted",
        name: "planted",
      });
      const {
        data: [dataset],
      } = await client.create<{
        data: readonly {
          id: string;
          columns: readonly { id: string; source_name: string }[];
        }[];
      }>("dataprovider", {
        provider: "planted",
        account_id: account.id,
        datasets: ["rows"],
      });
      const column = (name: string) => ({
        dataset_id: dataset!.id,
        column_id: dataset!.columns.find((each) => each.source_name === name)!.id,
      });
      const count = { ...column("text"), aggregation: { type: "count" } };
      const ask = async (by: TenantHost["client"] = client) => {
        const answer = (await by.get("data", {
          dimensions: [column("text")],
          measures: [count],
          order: [{ ...count, order: "desc" }],
          limit: { by: 3 },
          explain: true,
        } as never)) as unknown as {
          readonly data: readonly unknown[];
          readonly explain: { readonly steps: readonly PlanStep[] };
        };
        const step = answer.explain.steps.find(({ clause }) => clause === "limit");
        return { data: answer.data, step, pushed: requested.at(-1)?.limit };
      };
      const before = await ask();
      assert.match(before.step?.reason ?? "", "the host has not verified the plugin");
      await client.test("plugin", { id: plugin.id, options: {} } as never);
      const { verification, check_report: report } = await eventually(async () => {
        const { rows } = await client.get("plugin", { where: { id: plugin.id } } as never);
        const [shown] = rows as unknown as readonly Shown[];
        return shown?.check_report ? shown : undefined;
      }, "the check ends");
      assert.is(verification, "verified", JSON.stringify(report?.wrong));
      const after = await ask();
      assert.equal(after.step, { clause: "limit", pushed: true, checked: true });
      assert.equal(after.pushed, { by: 3, offset: 0 });
      assert.equal(after.data, before.data);

      const filter = { clause: "where", origin: "global", expression: "? != ?", value: "none" };
      const token = await client.create<{ id: string; token: string }>("authorization", {
        type: "embed",
        expiry: "1 hour",
        username: "reader",
        access: { datasets: [{ id: dataset!.id, rights: "use" }] },
        filters: [{ ...filter, securable_id: dataset!.id, column_id: column("text").column_id }],
      });
      const reader = createClient({ url: host.url, key: token.id, token: token.token });
      const filtered = await ask(reader);
      assert.is(filtered.step?.reason, "a row filter applies");
      assert.is(filtered.pushed, undefined);
    },
  );
});
