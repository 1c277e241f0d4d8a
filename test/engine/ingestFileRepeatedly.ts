import { openStore } from "../../engine/index.ts";
import { numberedParquet } from "./numberedParquet.ts";

/**
 * Appends a Parquet file repeatedly until the process is killed. Once the table contains the file four times, replaces
 * all rows with the file. Prints the number of rows after each acknowledgement, and `replacing` before a replace.
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
const bytes = numberedParquet(rowCount, rowCount / 20);
for (;;) {
  const { rowCount: found } = await store.ingest({ table: "t", format: "parquet", bytes });
  process.stdout.write(`${found}\n`);
  if (found < rowCount * 4) continue;
  const request = { table: "t", format: "parquet", bytes, mode: "replace" } as const;
  process.stdout.write("replacing\n");
  process.stdout.write(`${(await store.ingest(request)).rowCount}\n`);
}
