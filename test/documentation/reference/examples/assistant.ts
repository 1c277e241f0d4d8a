import { exampleId, ids } from "../exampleIds.ts";
import type { ExamplesFor } from "./example.ts";

const conversation = exampleId("aiconversation");
const message = exampleId("aimessage");
const asset = exampleId("aimessageasset");

export const assistantExamples: ExamplesFor<
  | "aiconversation"
  | "aimessage"
  | "aimessageasset"
  | "aiprompt"
  | "iqmessage"
  | "aisummary"
  | "aichart"
  | "iqformula"
  | "generate_descriptions"
> = {
  aiprompt: {
    create: {
      properties: {
        agent: "analyst",
        task: "generate",
        input: [
          { type: "text", value: "What is the amount per region?" },
          { type: "dataset", value: ids.orders },
        ],
      },
    },
  },
  iqmessage: {
    create: { properties: { prompt: "What is the amount per region?", dataset_id: ids.orders } },
  },
  aisummary: {
    create: {
      properties: {
        query: {
          dimensions: [{ dataset_id: ids.orders, column_id: ids.region }],
          measures: [
            { dataset_id: ids.orders, column_id: ids.amount, aggregation: { type: "sum" } },
          ],
        },
      },
    },
  },
  aichart: {
    create: { properties: { type: "generate-example-questions", dataset_id: ids.orders } },
  },
  iqformula: {
    create: { properties: { prompt: "The average amount", dataset_id: ids.orders } },
  },
  generate_descriptions: {
    create: { properties: { datasets: [{ id: ids.orders }], languages: ["en"] } },
  },
  aiconversation: {
    validate: { properties: { name: "Orders" } },
    create: { properties: { name: "Orders" } },
    get: { find: { where: { id: conversation }, attributes: ["id", "name"] } },
    update: { id: conversation, properties: { name: "Orders per region" } },
    delete: { id: conversation },
  },
  aimessage: {
    validate: {
      properties: {
        conversation_id: ids.conversation,
        content: { role: "user", content: "Which region grows?" },
      },
    },
    create: {
      properties: {
        conversation_id: ids.conversation,
        content: { role: "user", content: "Which region grows?" },
      },
    },
    get: { find: { where: { id: message }, attributes: ["id", "content"] } },
    delete: { id: message },
  },
  aimessageasset: {
    validate: { properties: { message_id: ids.message, type: "item", value: { type: "text" } } },
    create: { properties: { message_id: ids.message, type: "item", value: { type: "text" } } },
    get: { find: { where: { id: asset }, attributes: ["id", "type", "value"] } },
    delete: { id: asset },
  },
};
