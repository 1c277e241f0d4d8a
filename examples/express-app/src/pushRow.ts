// src/pushRow.ts
import { header, type Row } from "./rows.ts";
import { openClient, setting } from "./setting.ts";

// For example: npm run push -- acme Gent 90 150
const [tenant = "", city = "", parcels, late] = process.argv.slice(2);
const day = new Date().toISOString().slice(0, 10);
const row: Row = [tenant, day, city, Number(parcels), Number(late)];
await openClient().create("data", {
  type: "append",
  securable_id: setting("DATASET"),
  data: [row],
  options: { header },
});
