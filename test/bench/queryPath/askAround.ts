import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Order } from "./clients.ts";

/** Counted by clients that ask at the same time. */
export interface Counted {
  readonly perSecond: number;
  readonly count: number;
  /** Answers that came from the host's memory. */
  readonly cachedCount: number;
  readonly medianMs: number;
  /** Of 99 in 100. */
  readonly slowMs: number;
}

/** Runs clients in a process of their own, so that their processor time does not count as the server's. */
export async function askAround(order: Order): Promise<Counted> {
  const clients = fileURLToPath(new URL("./clients.ts", import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, clients, JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0) throw new Error(`the clients ended with status ${status}`);
  return JSON.parse(text) as Counted;
}
