import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { readSheet } from "read-excel-file/node";

/** Stack size in megabytes. read-excel-file recurses for each part of a sheet, and therefore needs a large stack. */
const stackSizeMb = 64;

/** Reads the first sheet of a large workbook in a thread with a large stack. */
export async function readLargeSheet(bytes: Uint8Array): Promise<readonly (readonly unknown[])[]> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: bytes,
    resourceLimits: { stackSizeMb },
  });
  const [rows]: (readonly (readonly unknown[])[])[] = await once(thread, "message");
  await thread.terminate();
  return rows ?? [];
}

if (!isMainThread && workerData instanceof Uint8Array)
  parentPort?.postMessage(await readSheet(Buffer.from(workerData)), []);
