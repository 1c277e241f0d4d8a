import { exampleId, ids, newShare, usedShare } from "../exampleIds.ts";
import type { ExamplesFor } from "./example.ts";

const integration = exampleId("integration");
const view = exampleId("savedview");
const question = exampleId("savedquestion");
const filters = exampleId("embedfiltergroup");

export const sharingExamples: ExamplesFor<
  | "integration"
  | "share"
  | "sharestatistic"
  | "savedview"
  | "savedquestion"
  | "usage"
  | "embedfiltergroup"
  | "export"
  | "dataexport"
> = {
  integration: {
    validate: { properties: { name: "Customer portal" } },
    create: { properties: { name: "Customer portal" } },
    get: { find: { where: { id: integration }, attributes: ["id", "name"] } },
    update: { id: integration, properties: { name: { en: "Portal", nl: "Portaal" } } },
    associate: {
      id: integration,
      resource: { role: "Securables", id: ids.board },
      properties: { flagUse: true, slug: "orders" },
    },
    dissociate: { id: integration, resource: { role: "Securables", id: ids.board } },
    delete: { id: integration },
  },
  share: {
    validate: { properties: {} },
    create: { properties: {}, associations: [{ role: "Dashboard", id: ids.board }] },
    get: { find: { where: { id: newShare } } },
    associate: { id: newShare, resource: { role: "Locale", id: "en" } },
    dissociate: { id: newShare, resource: { role: "Locale", id: "en" } },
    delete: { id: newShare },
  },
  sharestatistic: { get: { find: { where: { share_id: usedShare } } } },
  savedview: {
    validate: { properties: { name: "North", securable_id: ids.board, state: { version: 1 } } },
    create: {
      properties: {
        name: "Last 30 days",
        securable_id: ids.board,
        state: {
          version: 1,
          filters: { when: { range: { key: "last_now", unit: 5, quantity: 30 } } },
        },
      },
    },
    get: { find: { where: { securable_id: ids.board }, attributes: ["id", "name", "state"] } },
    update: { id: view, properties: { shared: true, is_default: true } },
    delete: { id: view },
  },
  savedquestion: {
    validate: {
      properties: {
        name: "Orders",
        securable_id: ids.orders,
        question: { rows: [], measures: [{ id: "*", aggregation: "count" }], filters: [] },
      },
    },
    create: {
      properties: {
        name: "Amount by region",
        securable_id: ids.orders,
        question: {
          rows: [{ id: ids.region }],
          measures: [{ id: ids.amount, aggregation: "sum" }],
          filters: [],
          chart: "bar-chart",
        },
      },
    },
    get: { find: { where: { securable_id: ids.orders }, attributes: ["id", "name", "question"] } },
    update: { id: question, properties: { shared: true } },
    delete: { id: question },
  },
  usage: { get: { find: { by: ["suborganization", "dashboard"], limit: 2 } } },
  embedfiltergroup: {
    validate: { properties: {} },
    create: { properties: {} },
    get: {},
    associate: {
      id: filters,
      resource: { role: "Securables", id: ids.orders },
      properties: {
        filters: [
          {
            securable_id: ids.orders,
            column_id: ids.region,
            expression: "? in ?",
            value: ["North", "South"],
          },
        ],
      },
    },
    dissociate: { id: filters, resource: { role: "Securables", id: ids.orders } },
    delete: { id: filters },
  },
  export: {
    create: {
      properties: {
        type: "csv",
        securable_id: ids.board,
        item_id: "orders-by-region",
        deliver: "link",
      },
    },
    get: { find: { where: { id: exampleId("export") } } },
    delete: { id: exampleId("export") },
  },
  dataexport: {
    create: {
      properties: {
        type: "csv",
        query: {
          dimensions: [{ dataset_id: ids.orders, column_id: ids.region }],
          measures: [
            { dataset_id: ids.orders, column_id: ids.amount, aggregation: { type: "sum" } },
          ],
        },
      },
    },
  },
};
