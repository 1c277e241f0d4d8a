import { exampleId, ids, pluginUrl } from "../exampleIds.ts";
import type { ExamplesFor } from "./example.ts";

const plugin = exampleId("plugin");
const account = exampleId("account");
const column = exampleId("column");
const level = exampleId("hierarchylevel");
const formula = exampleId("formula");
const acceleration = exampleId("acceleration");
const sum = { aggregation: { type: "sum" } } as const;
const query = {
  dimensions: [{ dataset_id: ids.orders, column_id: ids.region }],
  measures: [{ dataset_id: ids.orders, column_id: ids.amount, ...sum }],
} as const;
const rows = [
  ["North", 12.5],
  ["South", 7],
];
const header = ["Region", "Amount"];

export const dataExamples: ExamplesFor<
  | "data"
  | "dataprovider"
  | "plugin"
  | "account"
  | "column"
  | "formula"
  | "hierarchylevel"
  | "hierarchy"
  | "acceleration"
  | "datasetcopy"
> = {
  data: {
    validate: { properties: { type: "create", data: rows, options: { header } } },
    create: {
      request_id: ids.push,
      properties: { type: "append", securable_id: ids.regions, data: [["BE", "Belgium"]] },
    },
    update: {
      id: ids.regions,
      properties: {
        data: [["BE", "Kingdom of Belgium"]],
        options: { header: ["Code", "Country"], key: ["Code"] },
      },
    },
    get: { find: query },
    explain: { find: query },
  },
  dataprovider: {
    get: { find: { provider: "shop", account_id: ids.connection } },
    create: {
      properties: { provider: "shop", account_id: ids.connection, datasets: ["public.trips"] },
    },
  },
  plugin: {
    validate: {
      properties: { slug: "weather", name: { en: "Weather" }, base_url: pluginUrl },
    },
    create: {
      properties: { slug: "weather", name: { en: "Weather" }, base_url: pluginUrl },
    },
    get: { find: { where: { id: plugin }, attributes: ["id", "slug", "base_url"] } },
    update: { id: plugin, properties: { description: { en: "Observations by hour" } } },
    associate: { id: plugin, resource: { role: "Organizations", id: ids.organization } },
    dissociate: { id: plugin, resource: { role: "Organizations", id: ids.organization } },
    explain: { id: plugin },
    test: { id: plugin },
    delete: { id: plugin },
  },
  account: {
    validate: { properties: { name: "Shop", provider: "shop", token: "…" } },
    create: { properties: { name: "Shop", provider: "shop", token: "…", cache: 60 } },
    get: { find: { where: { id: account }, attributes: ["id", "name", "provider", "cache"] } },
    update: { id: account, properties: { cache: 300 } },
    associate: {
      id: account,
      resource: { role: "Groups", id: ids.team },
      properties: { flagUse: true },
    },
    dissociate: { id: account, resource: { role: "Groups", id: ids.team } },
    delete: { id: account },
  },
  column: {
    validate: {
      properties: {
        order: 3,
        type: "numeric",
        name: { en: "With tax" },
        expression: `{${ids.orders}:${ids.amount}} * 1.21`,
      },
    },
    create: {
      properties: {
        order: 3,
        type: "numeric",
        name: { en: "With tax" },
        expression: `{${ids.orders}:${ids.amount}} * 1.21`,
      },
      associations: [{ role: "Securable", id: ids.orders }],
    },
    get: { find: { where: { id: column }, attributes: ["id", "name", "type", "expression"] } },
    update: { id: column, properties: { format: ".2f" } },
    associate: { id: column, resource: { role: "Currency", id: "EUR" } },
    dissociate: { id: column, resource: { role: "Currency", id: "EUR" } },
    delete: { id: column },
  },
  formula: {
    validate: {
      properties: {
        name: { en: "Average order" },
        expression: `sum({${ids.orders}:${ids.amount}}) / count({${ids.orders}:${ids.amount}})`,
      },
    },
    create: {
      properties: {
        name: { en: "Average order" },
        expression: `sum({${ids.orders}:${ids.amount}}) / count({${ids.orders}:${ids.amount}})`,
        format: ".2f",
      },
    },
    get: { find: { where: { id: formula }, attributes: ["id", "name", "expression"] } },
    update: { id: formula, properties: { format: ".1f" } },
    associate: { id: formula, resource: { role: "Securables", id: ids.orders } },
    dissociate: { id: formula, resource: { role: "Securables", id: ids.orders } },
    delete: { id: formula },
  },
  hierarchylevel: {
    validate: { properties: { name: { en: "Region" }, level: 1, color: "#1A2B3C" } },
    create: { properties: { name: { en: "Region" }, level: 1, color: "#1A2B3C" } },
    get: { find: { where: { id: level }, attributes: ["id", "name", "level"] } },
    update: { id: level, properties: { name: { en: "Region", nl: "Regio" } } },
    associate: { id: level, resource: { role: "Column", id: ids.region } },
    dissociate: { id: level, resource: { role: "Column", id: ids.region } },
    delete: { id: level },
  },
  hierarchy: {
    update: {
      id: ids.region,
      properties: {
        updates: [{ id: "North", name: { en: "North", nl: "Noord" }, color: "#1A2B3C" }],
      },
    },
    get: { find: { where: { column_id: ids.region } } },
  },
  acceleration: {
    validate: { properties: { load_type: "full" } },
    create: { properties: { load_type: "full" } },
    get: { find: { where: { id: acceleration }, attributes: ["id", "load_type", "schedule"] } },
    update: { id: acceleration, properties: { rows_per_second: 10_000 } },
    associate: { id: acceleration, resource: { role: "Securables", id: ids.trips } },
    dissociate: { id: acceleration, resource: { role: "Securables", id: ids.trips } },
    delete: { id: acceleration },
  },
  datasetcopy: { get: { find: { where: { securable_id: ids.visits } } } },
};
