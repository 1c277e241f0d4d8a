import { openStore } from "../../engine/index.ts";

/**
 * Ingests the same bytes repeatedly, three requests at a time, until the process is killed. Prints a line for each
 * acknowledgement.
 */
const dir = process.argv[2];
const rowCount = Number(process.argv[3]);
const store = await openStore({ dir, workers: 2, memoryBytes: 2 ** 29 });
if (!store.table("t"))
  await store.create({
    name: "t",
    columns: [
      { name: "x", type: "number" },
      { name: "s", type: "text" },
    ],
  });
const rows = Array.from({ length: rowCount }, (_, row) => [row, `a text for row ${row}`]);
const bytes = new TextEncoder().encode(JSON.stringify(rows));
await Promise.all(Array.from({ length: 3 }, ingestOn));

async function ingestOn(): Promise<never> {
  for (;;) {
    process.stdout.write("called\n");
    await store.ingest({ table: "t", format: "json", bytes });
    process.stdout.write("acknowledged\n");
  }
}
