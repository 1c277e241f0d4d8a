import { exampleId, ids } from "../exampleIds.ts";
import type { ExamplesFor } from "./example.ts";

const securable = exampleId("securable");
const collection = exampleId("collection");
const tag = exampleId("tag");
export const contents = {
  views: [
    {
      screenModus: "desktop",
      items: [
        {
          id: "orders-by-region",
          type: "column-chart",
          position: { col: 0, row: 0, sizeX: 24, sizeY: 20 },
          slots: [
            {
              name: "x-axis",
              content: [{ datasetId: ids.orders, columnId: ids.region, type: "hierarchy" }],
            },
            {
              name: "measure",
              content: [{ datasetId: ids.orders, columnId: ids.amount, type: "numeric" }],
            },
          ],
        },
      ],
    },
  ],
} as const;

export const contentExamples: ExamplesFor<"securable" | "securableversion" | "collection" | "tag"> =
  {
    securable: {
      validate: { properties: { type: "dashboard", name: { en: "Orders" } } },
      create: { properties: { type: "dashboard", name: { en: "Orders" }, contents } },
      get: {
        find: {
          where: { type: "dashboard" },
          attributes: ["id", "type", "name"],
          order: [["created_at", "asc"]],
          limit: 1,
        },
      },
      update: { id: securable, properties: { name: { en: "Orders", nl: "Bestellingen" } } },
      associate: {
        id: securable,
        resource: { role: "Groups", id: ids.team },
        properties: { flagUse: true },
      },
      explain: { id: securable },
      dissociate: { id: securable, resource: { role: "Groups", id: ids.team } },
      delete: { id: securable },
    },
    securableversion: {
      get: {
        find: {
          where: { securable_id: ids.board },
          attributes: ["id", "environment", "created_at"],
          limit: 1,
        },
      },
      validate: { id: ids.version, properties: { environment: "production" } },
      update: { id: ids.version, properties: { environment: "production" } },
    },
    collection: {
      validate: { properties: { name: "Monthly reports" } },
      create: { properties: { name: "Monthly reports" } },
      get: {
        find: { where: { id: collection }, attributes: ["id", "name"], include: ["Securable"] },
      },
      update: { id: collection, properties: { favorite: true } },
      associate: { id: collection, resource: { role: "Securables", id: ids.board } },
      dissociate: { id: collection, resource: { role: "Securables", id: ids.board } },
      delete: { id: collection },
    },
    tag: {
      validate: { properties: { tag: "sales" } },
      create: { properties: { tag: "sales" } },
      get: { find: { where: { id: tag } } },
      update: { id: tag, properties: { tag: "orders" } },
      associate: { id: tag, resource: { role: "Securables", id: ids.board } },
      dissociate: { id: tag, resource: { role: "Securables", id: ids.board } },
      delete: { id: tag },
    },
  };
