import type { Client } from "../../../../core/web/client/index.ts";
import type { Random } from "../../../support/random.ts";

type Made = { readonly id: string };
type Column = Made & { readonly source_name: string };
type Dataset = Made & { readonly columns: readonly Column[] };

/** Secrets that must not appear in any file. */
export const canaries = {
  token: "canary-account-token",
  identifier: "canary-account-key",
  password: "canary-account-property",
  webhook: "https://hooks.example.org/canary-webhook",
} as const;

/** The records of a filled tenant by the purpose that they have in the tests. */
export interface FilledTenant {
  readonly trips: Dataset;
  readonly live: Dataset;
  readonly boardId: string;
  readonly analystsId: string;
  readonly pluginSecret: string;
}

/** The environment variables that applying a filled tenant needs. */
export const environment = {
  MANIFOLD_ACCOUNT_SALES_DATABASE_TOKEN: "applied-token",
  MANIFOLD_ACCOUNT_SALES_DATABASE_IDENTIFIER: "applied-key",
  MANIFOLD_ACCOUNT_SALES_DATABASE_PASSWORD: "applied-password",
  MANIFOLD_CHANNEL_OPS_URL: "https://hooks.example.org/applied",
};

async function push(client: Client, name: string, header: string[], data: unknown[][]) {
  const { rows } = await client.create<{ rows: Dataset[] }>("data", {
    type: "create",
    data,
    options: { header, name: { en: name } },
  });
  return rows[0]!;
}

export const columnOf = ({ columns }: Dataset, name: string): string =>
  columns.find((column) => column.source_name === name)!.id;

/**
 * Creates an organization with a record of every transferred kind. `pluginUrl` is the URL of a plugin with the dataset
 * `public.trips`.
 */
export async function fillTenant(client: Client, pluginUrl: string): Promise<FilledTenant> {
  const organization = (await client.get("organization")).rows[0] as Made;
  const plugin = await client.create<Made & { secret: string }>("plugin", {
    slug: "sales",
    name: { en: "Sales" },
    base_url: pluginUrl,
    protocol_version: "2.0.0",
    authorize: "host/key/token",
  });
  await client.associate("plugin", plugin.id, { role: "Organizations", id: organization.id });
  const account = await client.create<Made>("account", {
    provider: "sales",
    name: "Sales database",
    host: "db.example.org",
    port: 5432,
    identifier: canaries.identifier,
    token: canaries.token,
    properties: { password: canaries.password },
    description: { en: "${LOOKS_LIKE_ONE} is text here, as is the next" },
    scope: "${LOOKS_LIKE_ONE}",
  });
  const analysts = await client.create<Made>("group", {
    name: { en: "Analysts", fr: "Analystes" },
  });
  const member = await client.create<Made>("user", { email: "ann@example.org" });
  await client.associate("group", analysts.id, { role: "Users", id: member.id }, { flagUse: true });
  const { rows: groups } = await client.get("group", { where: { public: true } });
  const publicId = String(groups[0]!["id"]);
  const share = (role: string, id: string) => ({ role, id });
  await client.associate("account", account.id, share("Groups", analysts.id), { flagUse: true });

  const trips = await push(
    client,
    "Trips",
    ["city", "km", "day", "at"],
    [
      ["Ghent", 3, "2024-01-05", "2024-01-05T10:00:00Z"],
      ["Lille", 5.5, "2024-01-20", "2024-01-20T10:00:00Z"],
    ],
  );
  const numbers = await push(client, "Numbers", ["city_id", "price"], [[1, 2]]);
  const { data } = await client.create<{ data: Dataset[] }>("dataprovider", {
    account_id: account.id,
    datasets: ["public.trips"],
  });
  const live = data[0]!;
  const city = columnOf(trips, "city");
  await client.update("column", city, {
    name: { en: "City", nl: "Stad" },
    description: { en: "Where it went" },
    hierarchy_enabled: true,
    order: 7,
    custom_metadata: { dataset: trips.id, nested: { deep: [city] } },
  });
  await client.update("column", columnOf(trips, "km"), { hidden: true, format: ",.0f", width: 99 });
  await client.associate("column", city, share("Joins", columnOf(live, "city")), {
    type: "lookup",
  });
  await client.update("hierarchy", city, {
    updates: [{ id: "Ghent", name: { en: "Gent" }, color: "#1A2B3C", level: 1, trace: ["BE"] }],
  });
  for (const [level, name] of [
    [0, "Country"],
    [1, "City"],
  ] as const) {
    const made = await client.create<Made>("hierarchylevel", { name: { en: name }, level });
    await client.associate("column", city, share("HierarchyLevels", made.id));
  }
  const km = `{${trips.id}:${columnOf(trips, "km")}}`;
  const derived = await client.create<Made>("column", {
    name: { en: "Metres" },
    order: 9,
    expression: `${km} * 1000`,
  });
  await client.associate("column", derived.id, share("Securable", trips.id));
  const formula = await client.create<Made>("formula", {
    name: { en: "Total" },
    expression: `sum(${km})`,
  });
  await client.associate("formula", formula.id, share("Securables", trips.id));
  const theme = await client.create<Made>("theme", { name: "Ours", theme: { colors: ["#fff"] } });
  const reference = { dataset_id: trips.id, column_id: city };
  const contents = (boardId: string | undefined) => ({
    version: "0.1.99",
    datasetLinks: { [trips.id]: { [live.id]: [city] } },
    views: [
      {
        screenModus: "desktop",
        options: { theme: { id: theme.id } },
        filterGroups: [],
        items: [
          {
            type: "bar-chart",
            channels: [{ content: [{ ...reference, formula: formula.id }] }],
            link: boardId,
          },
        ],
      },
    ],
    parameters: [{ id: "region", type: "hierarchy[]", value: ["${region}"] }],
  });
  const detail = await client.create<Made>("securable", {
    type: "dashboard",
    name: { en: "Detail" },
    contents: contents(undefined),
  });
  const board = await client.create<Made>("securable", {
    type: "dashboard",
    name: { en: "Board: état / übersicht" },
    contents: contents(detail.id),
    css: ".title { color: red }",
  });
  // The two dashboards link to each other.
  await client.update<Made>("securable", detail.id, { contents: contents(board.id) });
  await client.associate("securable", detail.id, share("Original", board.id));
  await client.associate("securable", board.id, share("Groups", analysts.id), { flagModify: true });
  await client.associate("securable", trips.id, share("Groups", publicId), {
    flagUse: true,
    published: true,
  });
  const tag = await client.create<Made>("tag", { tag: "finance" });
  await client.associate("tag", tag.id, share("Securables", trips.id));
  await client.associate("tag", tag.id, share("Securables", board.id));
  const collection = await client.create<Made>("collection", { name: "Starters" });
  await client.associate("collection", collection.id, share("Securables", board.id));
  await client.associate("collection", collection.id, share("Groups", analysts.id), {
    flagRead: true,
  });
  const integration = await client.create<Made>("integration", { name: "Shop" });
  await client.associate("integration", integration.id, share("Securables", board.id), {
    flagUse: true,
    slug: "board",
  });
  const filters = await client.create<Made>("embedfiltergroup", {});
  const filter = { column_id: city, securable_id: trips.id, expression: "? in ?" };
  await client.associate("embedfiltergroup", filters.id, share("Securables", trips.id), {
    filters: [{ ...filter, value: ["Ghent"] }],
  });
  const schedule = await client.create<Made>("schedule", {
    frequency_unit: "day",
    frequency_quantity: 1,
    timezone: "Europe/Brussels",
  });
  await client.associate("schedule", schedule.id, share("Securable", live.id));
  const channel = await client.create<Made>("channel", {
    name: "Ops",
    type: "webhook",
    config: { url: canaries.webhook, message: "look at this" },
  });
  const alert = await client.create<Made>("alert", {
    name: { en: "Far" },
    frequency: { unit: "day", quantity: 1 },
    securable_id: board.id,
    query: { measures: [{ ...reference, aggregation: { type: "count" } }] },
  });
  await client.associate("alert", alert.id, share("Channels", channel.id));
  return {
    trips,
    live,
    boardId: board.id,
    analystsId: analysts.id,
    pluginSecret: plugin.secret + numbers.id.slice(0, 0),
  };
}

/** Changes and adds a random number of records of an organization, with references among them. */
export async function fillAtRandom(client: Client, random: Random): Promise<void> {
  const text = () => random.pick(["a", "Ä b", "c/d", "x".repeat(60), 'q"uote', "same", "same"]);
  const datasets: Dataset[] = [];
  for (let index = 0; index < 1 + random.below(4); index++) {
    const width = 1 + random.below(4);
    const header = Array.from({ length: width }, (_, column) => `c${column} ${text()}`);
    const cells = header.map(() => random.pick<unknown>([1.5, "text", "2024-01-05", null]));
    datasets.push(
      await push(client, `${text()} ${index}`, header, random.chance(0.8) ? [cells] : []),
    );
  }
  const columns = datasets.flatMap((dataset) => dataset.columns);
  for (const column of random.some(columns, 0.4))
    await client.update("column", column.id, {
      hidden: random.chance(0.5),
      order: random.below(20),
      name: { en: text() },
    });
  for (const column of random.some(columns, 0.3)) {
    const other = random.pick(columns);
    if (other.id !== column.id)
      await client.associate("column", column.id, { role: "Joins", id: other.id });
  }
  for (let index = 0; index < random.below(4); index++) {
    const dataset = random.pick(datasets);
    const column = random.pick(dataset.columns);
    const made = await client.create<Made>("formula", {
      name: { en: `${text()} ${index}` },
      expression: `count({${dataset.id}:${column.id}})`,
    });
    await client.associate("formula", made.id, { role: "Securables", id: dataset.id });
  }
  const groups: string[] = [];
  for (let index = 0; index < random.below(3); index++)
    groups.push((await client.create<Made>("group", { name: `${text()} ${index}` })).id);
  for (let index = 0; index < random.below(4); index++) {
    const dataset = random.pick(datasets);
    const made = await client.create<Made>("securable", {
      type: "dashboard",
      name: { en: text() },
      contents: {
        views: [],
        parameters: [{ [dataset.id]: `{${dataset.id}:x} and ${dataset.id}` }],
      },
    });
    for (const group of random.some(groups, 0.5))
      await client.associate(
        "securable",
        made.id,
        { role: "Groups", id: group },
        { [random.pick(["flagRead", "flagUse", "flagModify", "flagOwn"])]: true },
      );
  }
}
