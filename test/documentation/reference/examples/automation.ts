import { exampleId, ids } from "../exampleIds.ts";
import type { ExamplesFor } from "./example.ts";

const alert = exampleId("alert");
const channel = exampleId("channel");
const schedule = exampleId("schedule");
const query = {
  measures: [{ dataset_id: ids.orders, column_id: ids.amount, aggregation: { type: "sum" } }],
  having: [
    {
      expression: "? > ?",
      parameters: [
        { dataset_id: ids.orders, column_id: ids.amount, aggregation: { type: "sum" } },
        100,
      ],
    },
  ],
} as const;
const frequency = { unit: "day", quantity: 1 } as const;

export const automationExamples: ExamplesFor<
  "alert" | "alertevent" | "channel" | "delivery" | "schedule" | "exportevent" | "job"
> = {
  alert: {
    validate: { properties: { name: "Large orders", frequency } },
    create: {
      properties: {
        name: "Large orders",
        query,
        frequency,
        timezone_id: "Europe/Brussels",
        notify: "change",
      },
    },
    get: { find: { where: { id: alert }, attributes: ["id", "name", "status"] } },
    update: { id: alert, properties: { for: { unit: "hour", quantity: 2 } } },
    associate: { id: alert, resource: { role: "Channels", id: ids.hook } },
    test: { id: alert },
    preview: { id: alert, options: { type: "sms" } },
    backtest: {
      id: alert,
      options: { from: "2026-01-01T00:00:00.000Z", to: "2026-01-31T00:00:00.000Z" },
    },
    dissociate: { id: alert, resource: { role: "Channels", id: ids.hook } },
    delete: { id: alert },
  },
  alertevent: {
    get: { find: { where: { alert_id: ids["large orders"] }, limit: 1 } },
  },
  channel: {
    validate: {
      properties: {
        name: "Our app",
        type: "webhook",
        config: { url: "https://app.example.com/events" },
      },
    },
    create: {
      properties: {
        name: "Our app",
        type: "webhook",
        config: { url: "https://app.example.com/events" },
      },
    },
    get: { find: { where: { id: channel }, attributes: ["id", "name", "type", "config"] } },
    update: { id: channel, properties: { name: { en: "Our app", nl: "Onze app" } } },
    associate: { id: channel, resource: { role: "Alerts", id: ids["large orders"] } },
    test: { id: channel },
    dissociate: { id: channel, resource: { role: "Alerts", id: ids["large orders"] } },
    delete: { id: channel },
  },
  delivery: {
    get: { find: { where: { outcome: "failed" }, limit: 1 } },
    resend: { id: exampleId("delivery") },
  },
  schedule: {
    validate: { properties: { frequency_quantity: 1, frequency_unit: "week" } },
    create: {
      properties: {
        frequency_quantity: 1,
        frequency_unit: "week",
        timezone: "Europe/Brussels",
        started_at: "2026-01-05T07:00:00.000Z",
        task: "export",
        export: { type: "pdf" },
      },
      associations: [{ role: "Securable", id: ids.board }],
    },
    get: { find: { where: { id: schedule }, attributes: ["id", "frequency_unit", "active"] } },
    update: { id: schedule, properties: { active: false } },
    associate: { id: schedule, resource: { role: "Channels", id: ids.hook } },
    dissociate: { id: schedule, resource: { role: "Channels", id: ids.hook } },
    delete: { id: schedule },
  },
  exportevent: {
    get: { find: { where: { schedule_id: ids["every morning"] }, limit: 1 } },
  },
  job: {
    get: { find: { where: { name: "delivery", state: "waiting" }, limit: 1 } },
    update: { id: exampleId("job"), properties: { state: "cancelled" } },
  },
};
