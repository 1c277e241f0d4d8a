// src/createModel.ts
import { createRows, header } from "./rows.ts";
import { openClient, setting } from "./setting.ts";

const client = openClient();

// 1. One dataset with the rows of all customers.
const pushed = await client.create("data", {
  type: "create",
  data: createRows(),
  options: { header, name: { en: "Deliveries" } },
});
const [dataset] = pushed.rows;
const datasetId = dataset!.id;
const columnIds = new Map(dataset!.columns!.map(({ source_name: name, id }) => [name, id]));
const idOf = (name: (typeof header)[number]) => columnIds.get(name)!;

// 2. The row filter of every embed token. A token without the parameter `tenant` reads nothing.
const groups = await client.get("embedfiltergroup");
const group = groups.rows[0] ?? (await client.create("embedfiltergroup", {}));
await client.associate(
  "embedfiltergroup",
  group.id,
  { role: "Securables", id: datasetId },
  {
    filters: [
      {
        securable_id: datasetId,
        column_id: idOf("tenant"),
        expression: "? = ?",
        value: { parameter: "metadata.tenant", type: "hierarchy" },
      },
    ],
  },
);

// 3. A dashboard with titles in the customers' languages.
const city = {
  datasetId,
  columnId: idOf("city"),
  type: "hierarchy",
  label: { en: "City", nl: "Stad", fr: "Ville" },
} as const;
const week = {
  datasetId,
  columnId: idOf("day"),
  type: "datetime",
  level: 4,
  label: { en: "Week", nl: "Week", fr: "Semaine" },
} as const;
const parcels = {
  datasetId,
  columnId: idOf("parcels"),
  type: "numeric",
  format: ",.0f",
  label: { en: "Parcels", nl: "Pakketten", fr: "Colis" },
} as const;
const late = {
  datasetId,
  columnId: idOf("late"),
  type: "numeric",
  format: ",.0f",
  label: { en: "Late", nl: "Te laat", fr: "En retard" },
} as const;
const dashboard = await client.create("securable", {
  type: "dashboard",
  name: { en: "Deliveries" },
  contents: {
    version: "0.1.99",
    views: [
      {
        screenModus: "desktop",
        options: { columns: 48, rowHeight: 16 },
        items: [
          {
            id: "parcels-per-city",
            type: "bar-chart",
            position: { col: 0, row: 0, sizeX: 20, sizeY: 16 },
            options: {
              title: { en: "Parcels per city", nl: "Pakketten per stad", fr: "Colis par ville" },
            },
            slots: [
              { name: "y-axis", content: [city] },
              { name: "measure", content: [parcels] },
            ],
          },
          {
            id: "late-per-week",
            type: "line-chart",
            position: { col: 20, row: 0, sizeX: 28, sizeY: 16 },
            options: {
              title: {
                en: "Late parcels per week",
                nl: "Te late pakketten per week",
                fr: "Colis en retard par semaine",
              },
            },
            slots: [
              { name: "x-axis", content: [week] },
              { name: "measure", content: [late] },
            ],
          },
        ],
      },
    ],
  },
});

// 4. An alert that tells this app which customers had more than 100 late parcels in seven days.
const column = (name: (typeof header)[number]) => ({
  dataset_id: datasetId,
  column_id: idOf(name),
});
const lateSum = { ...column("late"), aggregation: { type: "sum" } } as const;
const alert = await client.create("alert", {
  name: { en: "Late parcels" },
  frequency: "1 minute",
  notify: "change",
  instance_by: [idOf("tenant")],
  query: {
    dimensions: [column("tenant")],
    measures: [lateSum],
    where: [{ expression: "last_now", parameters: [column("day"), { unit: 5, quantity: 7 }] }],
    having: [{ expression: "? > ?", parameters: [lateSum, 100] }],
  },
  channels: [
    { type: "webhook", name: { en: "App" }, config: { url: `${setting("APP_URL")}/events` } },
  ],
});

console.log(
  `DASHBOARD=${dashboard.id}\nDATASET=${datasetId}\nEVENTS_SECRET=${alert.channel_secrets?.[0]}`,
);
