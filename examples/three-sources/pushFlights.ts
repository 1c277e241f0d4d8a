import type { Client } from "@manifold-analytics/client";
import { header, readFlights } from "../support/flights.ts";

/**
 * Pushes the first `flightCount` flights to a new dataset in the store, 10,000 rows per call. Resolves to the id of the
 * dataset.
 */
export async function pushFlights(client: Client, flightCount: number): Promise<string> {
  let id: string | undefined;
  let count = 0;
  for await (const data of readFlights(0, 10_000)) {
    if (id !== undefined) await client.create("data", { type: "append", securable_id: id, data });
    else {
      const options = { header, name: { en: "Flights" } };
      const pushed = await client.create<{ rows: { id: string }[] }>("data", {
        type: "create",
        data,
        options,
      });
      id = pushed.rows[0]?.id;
    }
    count += data.length;
    if (count >= flightCount) break;
  }
  if (id === undefined) throw new Error("no flights were read");
  return id;
}
