import { Worker } from "node:worker_threads";
import PQueue from "p-queue";
import type { RasterTask } from "./rasterWorker.ts";

/** Maximum number of pictures drawn concurrently. The largest picture takes 160 MB. */
const threadCount = 2;

let queue: PQueue | undefined;

/** Draws an SVG without text as PNG, in a separate thread. */
export async function rasterize(task: RasterTask): Promise<Buffer> {
  queue ??= new PQueue({ concurrency: threadCount });
  return queue.add(() => drawInThread(task));
}

function drawInThread(workerData: RasterTask): Promise<Buffer> {
  const module = new URL(
    import.meta.url.endsWith(".ts") ? "./rasterWorker.ts" : "./rasterWorker.js",
    import.meta.url,
  );
  return new Promise((resolve, reject) => {
    const worker = new Worker(module, { workerData });
    worker.once("message", (png: Uint8Array<ArrayBuffer>) =>
      resolve(Buffer.from(png.buffer, png.byteOffset, png.byteLength)),
    );
    worker.once("error", reject);
    worker.once("exit", () =>
      reject(new Error("the thread that encodes the picture stopped unexpectedly")),
    );
  });
}
