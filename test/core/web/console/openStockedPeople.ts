import { openPeople, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };

/** A host with a record on every page of the console. */
export interface StockedPeople {
  readonly people: People;
  readonly reader: Person;
  readonly board: { readonly id: string };
  /** Addresses of the pages that everyone can open. */
  readonly paths: readonly string[];
  /** Addresses of the pages that only owners can open, or that show more to them. */
  readonly ownerPaths: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens a host with data, a dashboard, an alert, a channel, a group, an integration, a connection, a token, a schedule,
 * a private link and a saved view.
 */
export async function openStockedPeople(): Promise<StockedPeople> {
  const people = await openPeople();
  const { owner } = people;
  const reader = await people.add("Rita");
  const dataset = await people.push();
  const live = await people.connect();
  await owner.update("securable", dataset.id, { name: { en: "Trips" } });
  const board = await createBoard(people, dataset);
  const group = await owner.create<Made>("group", { name: "Analysts" });
  await owner.associate("group", group.id, { role: "Users", id: reader.id }, { flagMember: true });
  const shared: Json = { flagRead: true, flagUse: true };
  const filters = [
    {
      securable_id: dataset.id,
      column_id: dataset.columns["region"],
      expression: "? in ?",
      value: ["north"],
    },
  ];
  await owner.associate("securable", board.id, { role: "Users", id: reader.id }, shared);
  const target = { role: "Groups", id: group.id };
  await owner.associate("securable", dataset.id, target, { ...shared, filters } as Json);
  const integration = await owner.create<Made>("integration", { name: { en: "Portal" } });
  const alert = await owner.create<Made>("alert", {
    name: { en: "Many kilometres" },
    query: {
      measures: [
        { dataset_id: dataset.id, column_id: dataset.columns["km"], aggregation: { type: "sum" } },
      ],
    },
    frequency: "day",
  });
  const channel = await owner.create<Made>("channel", {
    name: { en: "Desk" },
    type: "email",
    config: { recipients: [{ email: "desk@example.org" }] },
  });
  const token = await people.mint({
    username: "reader-1",
    access: { dashboards: [{ id: board.id, rights: "read" }], datasets: [] },
  });
  const link = await owner.create<Made>("share", {});
  await owner.associate("share", link.id, { role: "Dashboard", id: board.id });
  const schedule = await owner.create<Made>("schedule", {
    frequency_unit: "week",
    frequency_quantity: 1,
  });
  await owner.associate("schedule", schedule.id, { role: "Securable", id: board.id });
  await owner.associate("schedule", schedule.id, { role: "Channels", id: channel.id });
  await owner.create("savedview", {
    name: "Mondays",
    state: { version: 1, filters: {} },
    securable_id: board.id,
  });
  const account = (await owner.get("account", { limit: 1 })).rows[0];
  return {
    people,
    reader,
    board,
    paths: [
      "/",
      "/explore",
      `/explore/${dataset.id}`,
      "/dashboards",
      `/dashboards/${board.id}`,
      "/data",
      `/data/${dataset.id}`,
      `/data/${dataset.id}/rows`,
      `/data/${dataset.id}/links`,
      `/data/${dataset.id}/formulas`,
      `/data/${dataset.id}/hierarchies/${dataset.columns["region"]}`,
      "/ask",
      "/alerts",
      "/alerts?tab=channels",
      "/plugins",
      "/account",
      "/access",
      "/access/groups",
      `/access/groups/${group.id}`,
      "/access/tokens",
    ],
    ownerPaths: [
      `/dashboards/${board.id}?edit=1`,
      `/data/${live.id}`,
      `/data/${live.id}/source`,
      "/data/upload",
      `/data/${dataset.id}/upload`,
      "/data/connections",
      "/data/connect",
      "/data/connect/sqlite",
      `/data/connections/${String(account?.["id"])}`,
      `/alerts/${alert.id}`,
      `/alerts/${alert.id}/edit`,
      `/alerts/new?dataset=${dataset.id}`,
      "/access/people",
      "/access/people?kind=all",
      `/access/people/${reader.id}`,
      "/access/suborganizations",
      "/access/integrations",
      `/access/integrations/${integration.id}`,
      "/access/signon",
      "/access/signon/new",
      "/access/charts",
      `/access/tokens/${token.pair.key}`,
      "/access/audit",
      "/access/usage",
    ],
    close: () => people.close(),
  };
}

function createBoard({ owner }: People, dataset: Dataset): Promise<Made> {
  const content = [{ datasetId: dataset.id, columnId: dataset.columns["km"], type: "numeric" }];
  return owner.create<Made>("securable", {
    type: "dashboard",
    name: { en: "Kilometres" },
    contents: {
      views: [
        {
          screenModus: "desktop",
          items: [
            {
              id: crypto.randomUUID(),
              type: "evolution-number",
              position: { col: 0, row: 0, sizeX: 24, sizeY: 16 },
              slots: [{ name: "measure", content }],
            },
          ],
        },
      ],
    },
  });
}
