import { createCipher } from "../../../core/catalog/index.ts";
import { createClient } from "../../../core/web/client/index.ts";
import { openRecords } from "../../../core/resources/index.ts";
import { openTestCatalog } from "../../support/catalog.ts";
import { eventually } from "../../support/eventually.ts";
import { openHttpSink } from "../../support/httpSink.ts";
import { openLegacyPlugin } from "../../support/legacyPlugin.ts";
import { openModelStandIn } from "../../support/modelStandIn.ts";
import { openProvider } from "../../support/openProvider.ts";
import { openTestHost, testSecret } from "../../support/openTestHost.ts";
import { replacing, type ExampleWorld } from "./exampleWorld.ts";
import { exampleModel } from "./exampleModel.ts";
import { contents } from "./examples/content.ts";
import { exampleId, hostUrl, ids, issuer, pluginUrl, usedShare } from "./exampleIds.ts";
import { exportToken, password, pluginSecret } from "./pathExamples.ts";

type Made = { readonly id: string };
type Pushed = {
  readonly rows: readonly { readonly id: string; readonly columns: readonly Made[] }[];
};

const hookUrl = "https://app.example.com/events";
const table = (name: string) => ({
  id: `public.${name}`,
  name: { en: name },
  columns: [{ id: "km", name: { en: "Km" }, type: "numeric" }],
  rows: [[3], [5]],
});

/** Opens the world of the examples. */
export async function openExampleWorld(): Promise<ExampleWorld> {
  const plugin = await openLegacyPlugin({
    version: "3.0.0",
    pushdown: true,
    datasets: [table("trips"), table("visits")],
  });
  const sink = await openHttpSink();
  const model = await openModelStandIn();
  const provider = await openProvider(() => []);
  const catalog = await openTestCatalog();
  const host = await openTestHost({
    databaseUrl: catalog.databaseUrl,
    aiUrl: model.url,
    aiModel: "stand-in",
    egressAllow: ["127.0.0.1"],
  });
  const { key, token } = host.madeCredentials ?? { key: "", token: "" };
  const client = createClient({ url: host.url, key, token });
  const records = openRecords({ catalog, cipher: createCipher(testSecret) });
  const replaced = new Map<string, string>([
    [hostUrl, host.url],
    [pluginUrl, plugin.url],
    [hookUrl, sink.url],
    [issuer, provider.issuer],
  ]);
  const know = (label: keyof typeof ids, id: string) => {
    replaced.set(ids[label], id);
    return id;
  };
  const make = async (label: keyof typeof ids, resource: string, properties: object) =>
    know(label, (await client.create<Made, string>(resource, { ...properties })).id);
  const push = async (name: string, header: readonly string[], data: readonly unknown[][]) => {
    const options = { header, name: { en: name } };
    const { rows } = await client.create<Pushed>("data", { type: "create", data, options });
    const [dataset] = rows;
    if (!dataset) throw new Error("the push returned no dataset");
    return dataset;
  };

  const [me] = (await client.get("user", { where: { id: "me" } })).rows;
  const userId = know("me", String(me?.id));
  const [organization] = (await client.get("organization")).rows;
  know("organization", String(organization?.id));
  await client.update("user", userId, { name: "Mia", email: "mia@example.com" });
  await client.update("organization", String(organization?.id), { name: { en: "Acme" } });
  await make("colleague", "user", { email: "ben@example.com", name: "Ben", password });
  const orders = await push(
    "Orders",
    ["Region", "Amount", "Ordered"],
    [
      ["North", 12.5, "2026-01-05"],
      ["North", 20, "2026-01-06"],
      ["South", 7, "2026-01-06"],
    ],
  );
  know("orders", orders.id);
  for (const [index, label] of (["region", "amount", "ordered"] as const).entries())
    know(label, String(orders.columns[index]?.id));
  const regions = await push("Regions", ["Code", "Country"], [["NL", "Netherlands"]]);
  know("regions", regions.id);
  for (const [index, label] of (["code", "country"] as const).entries())
    know(label, String(regions.columns[index]?.id));
  const { real } = replacing({ url: host.url, key, token, client }, [], replaced);
  const boardId = await make("board", "securable", {
    type: "dashboard",
    name: { en: "Board" },
    contents: real(contents),
  });
  const [version] = (await client.get("securableversion", { where: { securable_id: boardId } }))
    .rows;
  know("version", String(version?.id));
  await make("team", "group", { name: "Team" });
  const shop = await client.create<Made & { readonly secret: string }, string>("plugin", {
    slug: "shop",
    name: { en: "Shop" },
    base_url: plugin.url,
  });
  know("shop", shop.id);
  replaced.set(pluginSecret, shop.secret);
  const accountId = await make("connection", "account", { name: "Shop", provider: "shop" });
  for (const label of ["trips", "visits"] as const) {
    const body = { provider: "shop", account_id: accountId, datasets: [`public.${label}`] };
    const { data } = await client.create<{ readonly data: readonly Made[] }>("dataprovider", body);
    know(label, String(data[0]?.id));
  }
  const hook = await make("hook", "channel", {
    name: "Hook",
    type: "webhook",
    config: { url: sink.url },
  });
  const measure = {
    dataset_id: orders.id,
    column_id: String(orders.columns[1]?.id),
    aggregation: { type: "sum" },
  };
  const dimension = { dataset_id: orders.id, column_id: String(orders.columns[0]?.id) };
  model.play(exampleModel({ dimensions: [dimension], measures: [measure] }));
  const alertId = await make("large orders", "alert", {
    name: "Large orders",
    query: { measures: [measure] },
    frequency: { unit: "day", quantity: 1 },
  });
  const scheduleId = await make("every morning", "schedule", {
    frequency_quantity: 1,
    frequency_unit: "day",
    active: false,
  });
  const conversationId = await make("conversation", "aiconversation", { name: "Regions" });
  await make("message", "aimessage", {
    conversation_id: conversationId,
    content: { role: "user", content: "Which region grows?" },
  });
  const at = new Date("2026-01-31T08:00:00.000Z");
  const times = { slot_at: at, started_at: at, completed_at: at };
  const statuses = { status_before: "ok", status_after: "firing" };
  const alertEvent = await records.insert("alertevent", {
    alert_id: alertId,
    user_id: userId,
    outcome: "answered",
    ...times,
    ...statuses,
  });
  await records.insert("exportevent", {
    schedule_id: scheduleId,
    user_id: userId,
    outcome: "sent",
    ...times,
  });

  const shareId = (await client.create<Made, string>("share", {})).id;
  replaced.set(usedShare, shareId);
  await records.insert("sharestatistic", {
    share_id: shareId,
    day: "2026-01-31",
    view_count: 12,
    query_count: 40,
  });
  await records.insert("datasetcopy", {
    securable_id: replaced.get(ids.visits) ?? "",
    status: "ready",
    load: "full",
    rows: 2,
    bytes: 16,
    started_at: at,
    completed_at: at,
    as_of: at,
    full_at: at,
  });
  await make("sunflower", "customchart", {
    name: "Sunflower",
    type: "sunflower",
    script: "manifold.draw = () => {};",
  });
  const preparations: Readonly<Record<string, () => Promise<void>>> = {
    async "delivery get"() {
      const { id } = await records.insert("delivery", {
        alertevent_id: alertEvent.id,
        channel_id: hook,
        outcome: "failed",
        attempts: 10,
        problem: "the server responded with status 500",
        message: {},
        completed_at: at,
      });
      replaced.set(exampleId("delivery"), id);
    },
    async "job get"() {
      const data = JSON.stringify({ deliveryId: replaced.get(exampleId("delivery")) });
      const { rows } = await catalog.knex.raw<{ readonly rows: readonly Made[] }>(
        `insert into jobs.job (name, data, start_after)
         values ('delivery', ?::jsonb, now() + interval '1 day') returning id`,
        [data],
      );
      replaced.set(exampleId("job"), String(rows[0]?.id));
    },
    async "export get"() {
      const where = { id: replaced.get(exampleId("export")) ?? "" };
      await eventually(
        async () => (await client.get("export", { where })).rows[0]?.status === "done",
        "the end of the export",
      );
    },
    async downloadExport() {
      const { id } = await client.create<Made, string>("export", {
        type: "csv",
        query: { measures: [measure] },
        deliver: "link",
      });
      const url = await eventually(
        async () => (await client.get("export", { where: { id } })).rows[0]?.url,
        "the end of the export",
      );
      replaced.set(exportToken, url.slice(url.lastIndexOf("/") + 1));
    },
  };
  return {
    url: host.url,
    key,
    token,
    client,
    replaced,
    real,
    prepare: async (example) => preparations[example]?.(),
    async close() {
      await host.close();
      await plugin.close();
      await sink.close();
      await model.close();
      await provider.close();
      await catalog.close();
    },
  };
}
