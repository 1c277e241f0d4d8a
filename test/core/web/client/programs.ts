// Right and wrong programs of embedders. `programs.test.ts` compiles this file; it never runs.
import type { Client, DashboardItem, MembersOf, Query } from "../../../../core/web/client/index.ts";

type Issued = MembersOf<"authorization", "create">["properties"];

/** Programs that must compile, and statements that must not compile. */
export async function programs(client: Client, id: string): Promise<void> {
  const issued = await client.create("authorization", {
    type: "embed",
    username: "u-417",
    access: { dashboards: [{ id, rights: "read" }], collections: [{ id, inheritRights: "use" }] },
    filters: [
      { origin: "global", securable_id: id, column_id: id, expression: "? = ?", value: "north" },
      {
        securable_id: id,
        column_id: id,
        expression: "? in ?",
        value: { parameter: "metadata.tenant", type: "array[hierarchy]", value: ["none"] },
      },
      { origin: "chart", column_id: id, ours: true },
    ],
    parameter_overrides: { tenant: ["t1"], region: { value: "north", sticky: true } },
    account_overrides: { [id]: { base_url: "https://plugin.example.org" } },
    hidden_columns: [id, { column_id: id }],
    theme: { type: "dark", mainColor: "#1A2B3C", ours: 1 },
  });
  const token: string = issued.token;
  const made = await client.create("plugin", { slug: "a", name: { en: "A" }, base_url: token });
  const secret: string = made.secret;
  await client.create("securable", {
    type: "dashboard",
    name: { en: secret },
    contents: {
      version: "0.1.99",
      views: [
        {
          screenModus: "desktop",
          items: [
            {
              id: "a",
              type: "bar-chart",
              position: { col: 0, row: 0, sizeX: 24, sizeY: 16 },
              options: { title: { en: "Km" }, mode: "stacked", limit: { number: 10 } },
              slots: [
                { name: "y-axis", content: [{ datasetId: id, columnId: id, type: "hierarchy" }] },
                {
                  name: "measure",
                  content: [{ datasetId: id, columnId: id, aggregationFunc: "sum" }],
                },
              ],
            },
            { id: "b", type: "text", options: { html: "<p>Hello</p>" } },
            { id: "c", type: "custom-chart", options: { customChartId: id, ours: 1 } },
            { id: "d", type: "hexbin-map", slots: [{ name: "geo", content: [] }] },
          ],
          filterGroups: [
            {
              origin: "global",
              condition: "and",
              filters: [{ expression: "? > ?", parameters: [{ datasetId: id, columnId: id }, 1] }],
            },
          ],
        },
      ],
    },
  });
  await client.create("channel", { type: "webhook", config: { url: "https://example.org" } });
  await client.create("alert", {
    name: "Busy",
    frequency: { unit: "day", quantity: 1 },
    query: { measures: [{ dataset_id: id, column_id: "*", aggregation: { type: "count" } }] },
    channels: [{ type: "email", config: { recipients: [{ email: "ada@example.org" }] } }],
  });
  await client.associate(
    "securable",
    id,
    { role: "Users", id },
    {
      flagRead: true,
      filters: [{ securable_id: id, column_id: id, expression: "? = ?", value: 1 }],
    },
  );

  const issue = (properties: Omit<Issued, "type">) =>
    client.create("authorization", { type: "embed", ...properties });
  const board = (...items: readonly DashboardItem[]) =>
    client.create("securable", { type: "dashboard", contents: { views: [{ items }] } });
  const watch = (query: Query) => client.create("alert", { name: "a", frequency: "day", query });

  // @ts-expect-error a filter without its members
  await client.create("authorization", { type: "embed", filters: [{ nonsense: true }] });
  // @ts-expect-error a misspelt kind of records
  await client.create("authorization", { type: "embed", access: { dashbords: 1 } });
  // @ts-expect-error views that are not a list
  await client.create("securable", { type: "dashboard", contents: { views: 3 } });
  // @ts-expect-error views that are not a list, in an update
  await client.update("securable", id, { contents: { views: 3 } });
  // @ts-expect-error a misspelt role
  await client.associate("securable", id, { role: "Userz", id });
  // @ts-expect-error a misspelt role of a new link
  await client.create("tag", { tag: "a" }, [{ role: "Securible", id }]);
  // @ts-expect-error a misspelt flag of a link
  await client.associate("securable", id, { role: "Users", id }, { flagRaed: true });
  // @ts-expect-error a misspelt property in a validation
  await client.validate("securable", { type: "dashboard", contens: {} });
  // @ts-expect-error a webhook without its address
  await client.create("channel", { type: "webhook", config: {} });
  // @ts-expect-error recipients that are not objects
  await client.create("channel", { type: "email", config: { recipients: ["ada@example.org"] } });
  // @ts-expect-error colors that are not a list
  await client.create("theme", { name: "Ours", theme: { colors: "red" } });
  // @ts-expect-error a unit that does not exist
  await client.update("alert", id, { frequency: { unit: "fortnight", quantity: 1 } });
  // @ts-expect-error an aggregation that does not exist
  await watch({ measures: [{ aggregation: "avg" }] });
  // @ts-expect-error a right that does not exist
  await issue({ access: { datasets: [{ id, rights: "write" }] } });
  // @ts-expect-error a misspelt flag of a parameter
  await issue({ parameter_overrides: { tenant: { valu: 1 } } });
  // @ts-expect-error a misspelt member of an account
  await issue({ account_overrides: { [id]: { hots: "x" } } });
  // @ts-expect-error an item type that does not exist
  await board({ type: "bar" });
  // @ts-expect-error a slot that the type does not have
  await board({ type: "donut-chart", slots: [{ name: "x-axis", content: [] }] });
  // @ts-expect-error a slot that a type without a picture does not have
  await board({ type: "hexbin-map", slots: [{ name: "x-axis", content: [] }] });
  // @ts-expect-error an option that the type does not have
  await board({ type: "bar-chart", options: { tittle: "x" } });
  // @ts-expect-error an option of another form
  await board({ type: "bar-chart", options: { limit: { number: "3" } } });
  // @ts-expect-error an option of another type
  await board({ type: "line-chart", options: { totals: true } });
}
