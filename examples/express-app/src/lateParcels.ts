// src/lateParcels.ts
import { database } from "./database.ts";
import type { AlertEvent } from "./verifyEvent.ts";

/** Stores which customers have late parcels. Repeated and reordered events change nothing. */
export function storeEvent({ type, timestamp, data }: AlertEvent): void {
  if (type !== "alert") return;
  const store = database().prepare(
    `insert into late_parcels values (?, ?, ?) on conflict (customer_id) do update
     set late_count = excluded.late_count, reported_at = excluded.reported_at
     where excluded.reported_at > reported_at`,
  );
  for (const { key, kind } of data.notices) {
    // Alerts without `instance_by` have an empty key. If the channel has several alerts, compare `alert_id` too.
    if (key === "") continue;
    const [customerId] = JSON.parse(key);
    const row = data.rows.find(([customer]) => customer.id === customerId);
    if (kind === "firing" && row) store.run(customerId, row[1], timestamp);
    if (kind === "resolved") store.run(customerId, 0, timestamp);
  }
}

/** Returns the number of late parcels of a customer that the host reported last. */
export function lateCountOf(customerId: string): number {
  const row = database()
    .prepare("select late_count from late_parcels where customer_id = ?")
    .get(customerId);
  return Number(row?.["late_count"] ?? 0);
}
