import type { FieldHostOptions } from "../../../support/fieldHost.ts";

const id = (digit: number): string =>
  `${String(digit).repeat(8)}-0000-4000-8000-${String(digit).repeat(12)}`;

/** The ids of the organization elsewhere. */
export const fieldIds = {
  organization: id(1),
  trips: id(2),
  orders: id(3),
  city: "20000000-0000-4000-8000-000000000001",
  km: "20000000-0000-4000-8000-000000000002",
  day: "20000000-0000-4000-8000-000000000003",
  place: "20000000-0000-4000-8000-000000000004",
  amount: "30000000-0000-4000-8000-000000000001",
  total: id(4),
  odd: "40000000-0000-4000-8000-000000000001",
  board: id(5),
  snowflake: id(6),
  group: id(7),
  theme: id(8),
} as const;

const column = (columnId: string, datasetId: string, more: object) => ({
  id: columnId,
  securable_id: datasetId,
  description: null,
  subtype: null,
  format: null,
  hidden: false,
  lowestLevel: 0,
  expression: null,
  joins: [],
  ...more,
});

/** Records of an organization in the field's forms: plain names, missing members, and kinds that are not known here. */
export function fieldRecords(): Pick<FieldHostOptions, "records" | "rows" | "includes"> {
  const { trips, orders, city, km, day, place, amount, total, odd, board, snowflake } = fieldIds;
  const tripColumns = [
    column(city, trips, { name: { en: "City" }, source_name: "city", order: 0, type: "hierarchy" }),
    column(km, trips, {
      name: { en: "Km" },
      source_name: "km",
      order: 1,
      type: "numeric",
      format: ",.2af",
    }),
    column(day, trips, { name: { en: "Day" }, source_name: "day", order: 2, type: "datetime" }),
    column(place, trips, {
      name: { en: "Place" },
      source_name: "place",
      order: 3,
      type: "spatial",
    }),
  ];
  const dataset = (datasetId: string, name: unknown, more: object) => ({
    id: datasetId,
    type: "dataset",
    name,
    description: { en: "" },
    storage: "clickhouse",
    source_dataset: null,
    source_sheet: null,
    is_variant: false,
    ...more,
  });
  const contents = {
    version: "0.1.99",
    views: [
      {
        screenModus: "desktop",
        items: [
          {
            id: "i1",
            type: "dynamic-imageobject",
            position: { row: 0, col: 0, sizeX: 24, sizeY: 12 },
            slots: [{ name: "image", content: [{ datasetId: trips, columnId: city }] }],
          },
          {
            id: "i2",
            type: "bar-chart",
            position: { row: 12, col: 0, sizeX: 24, sizeY: 12 },
            slots: [
              {
                name: "y-axis",
                content: [{ datasetId: trips, columnId: city, type: "hierarchy" }],
              },
              { name: "measure", content: [{ datasetId: trips, columnId: km, type: "numeric" }] },
            ],
          },
        ],
        options: { theme: { id: "vivid" } },
      },
    ],
  };
  return {
    includes: ["Column", "Joins", "Securables", "Users"],
    records: {
      organization: [{ id: fieldIds.organization, name: "Field of dreams" }],
      group: [
        {
          id: fieldIds.group,
          name: { en: "Analysts" },
          public: false,
          organization_id: fieldIds.organization,
          users: [{ id: id(9), email: "ann@example.org", groupRole: { flagUse: true } }],
        },
      ],
      account: [
        {
          id: snowflake,
          name: "Warehouse",
          provider: "snowflake",
          host: "https://x.example.org",
          port: "443",
        },
      ],
      tag: [],
      theme: [
        {
          id: fieldIds.theme,
          name: "Ours",
          theme: { colors: ["#123456"] },
          organization_id: fieldIds.organization,
        },
      ],
      securable: [
        { ...dataset(trips, { en: "Trips" }, {}), columns: tripColumns },
        {
          ...dataset(orders, "Orders", { storage: "client", source_dataset: snowflake }),
          columns: [
            column(amount, orders, {
              name: "Amount",
              source_name: "AMOUNT",
              order: 0,
              type: "numeric",
            }),
          ],
        },
        {
          id: board,
          type: "dashboard",
          name: { en: "Board" },
          description: null,
          storage: null,
          source_dataset: null,
          source_sheet: null,
          contents,
        },
      ],
      formula: [
        {
          id: total,
          name: { en: "Average km" },
          expression: `SUM({${trips}:${km}}) / COUNTR()`,
          securables: [{ id: trips, securableFormula: {} }],
        },
        {
          id: odd,
          name: { en: "Odd" },
          expression: `WINDOW_RANK({${trips}:${km}})`,
          securables: [],
        },
      ],
      collection: [],
      integration: [],
      alert: [],
      channel: [],
      schedule: [],
      user: [{ id: id(9) }, { id: "90000000-0000-4000-8000-000000000001" }],
      acceleration: [{ id: "90000000-0000-4000-8000-000000000002" }],
    },
    rows: {
      [trips]: {
        columnIds: [city, km, day, place],
        cells: Array.from({ length: 25 }, (_, row) => [
          row === 7 ? null : { id: `c${row % 4}`, name: { en: `City ${row % 4}` } },
          row === 3 ? null : row / 4,
          `2024-01-${String(1 + (row % 28)).padStart(2, "0")}T00:00:00.000Z`,
          { label: "x", coords: [1, 2] },
        ]),
      },
      [orders]: { columnIds: [amount], cells: [[1], [2.5]] },
    },
  };
}
