import type { Client } from "../../core/web/client/index.ts";
import { header, readFlights } from "../../examples/support/flights.ts";

/** Pushes at least the first `rowCount` flights of 2001 into a new dataset. */
export async function fillFlights(
  client: Client,
  rowCount: number,
): Promise<{ readonly datasetId: string; readonly filledCount: number }> {
  let datasetId = "";
  let filledCount = 0;
  for await (const data of readFlights(0, 10_000)) {
    if (datasetId) await client.create("data", { type: "append", securable_id: datasetId, data });
    else {
      const properties = { type: "create", data, options: { header, name: { en: "Flights" } } };
      const pushed = await client.create<{ rows: { id: string }[] }>("data", properties);
      datasetId = String(pushed.rows[0]?.id);
    }
    filledCount += data.length;
    if (filledCount >= rowCount) break;
  }
  return { datasetId, filledCount };
}
