import { openStore } from "../../engine/index.ts";
import { numberedBatches, numberedColumns } from "./numberedBatches.ts";

/**
 * Fills a table with the same batches repeatedly until the process is killed. Once the table contains the rows four
 * times, replaces all rows with the batches. Prints the number of rows after each acknowledgement, and `replacing`
 * before a replace.
 */
const dir = process.argv[2];
const rowCount = Number(process.argv[3]);
const store = await openStore({ dir, workers: 2, memoryBytes: 2 ** 29 });
if (!store.table("t")) await store.create({ name: "t", columns: numberedColumns });
const request = () => numberedBatches({ rowCount, batchRows: Math.ceil(rowCount / 10) });
for (;;) {
  const { rowCount: found } = await store.fillBatches(request());
  process.stdout.write(`${found}\n`);
  if (found < rowCount * 4) continue;
  process.stdout.write("replacing\n");
  const info = await store.fillBatches({ ...request(), mode: "replace" });
  process.stdout.write(`${info.rowCount}\n`);
}
