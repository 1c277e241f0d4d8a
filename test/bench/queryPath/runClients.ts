import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Order } from "./clients.ts";

/** The results of clients that send queries at the same time. */
export interface Counted {
  readonly perSecond: number;
  readonly count: number;
  /** Number of answers from the host's cache. */
  readonly cachedCount: number;
  readonly medianMs: number;
  /** The p99 of the response times in milliseconds. */
  readonly slowMs: number;
}

/** Runs clients in a separate process, so that their processor time does not count as the server's. */
export async function runClients(order: Order): Promise<Counted> {
  const clients = fileURLToPath(new URL("./clients.ts", import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, clients, JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0) throw new Error(`the process of the clients exited with status ${status}`);
  return JSON.parse(text) as Counted;
}
