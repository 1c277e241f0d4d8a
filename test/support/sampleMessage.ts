import type { Message } from "../../core/jobs/deliveries/message.ts";

/** A sample of an alert message that reports one row. */
export const sampleMessage: Message = {
  kind: "alert",
  alertId: "a",
  name: { en: "Long trips" },
  notices: [{ key: "", kind: "firing" }],
  noticeCounts: { firing: 1 },
  condition: "sum of Km > 80",
  slotMs: Date.UTC(2026, 0, 1),
  zone: "Europe/Brussels",
  queryZone: "UTC",
  locale: "en",
  heads: ["City", "Km"],
  forms: ["text", "number"],
  rows: [[{ id: "Ghent", name: { en: "Ghent" } }, 90]],
  rowCount: 1,
  link: "https://example.org/alerts/a",
};
