/**
 * Runs a host in a separate process, and replies to each message with the memory of the process. Arguments: the folder,
 * and the size of the cache in MB.
 */
import { openHost } from "../../../core/host.ts";
import type { HeldMemory } from "./heldMemory.ts";

const [dataDir = "", cacheMb = "0"] = process.argv.slice(2);
const host = await openHost({
  dataDir,
  port: 0,
  cacheMb: Number(cacheMb),
  callsPerSecond: 0,
  logLevel: "error",
  workers: 2,
});
const collect = globalThis.gc;
if (!collect) throw new Error("start it with --expose-gc");
const mib = (bytes: number) => bytes / 2 ** 20;

const answer = async (message: unknown) => {
  if (message === "close") {
    await host.close();
    process.exit(0);
  }
  // The second collection frees memory that the finalizers of the first collection have released.
  await collect({ type: "major", execution: "async" });
  await collect({ type: "major", execution: "async" });
  const { heapUsed, external, rss } = process.memoryUsage();
  const held: HeldMemory = {
    heapMib: mib(heapUsed),
    externalMib: mib(external),
    residentMib: mib(rss),
  };
  process.send?.(held);
};

// A failure here stops this process, and therefore the bench.
process.on("message", (message) => void answer(message));
process.send?.({ url: host.url, ...host.madeCredentials });
