import { readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/** Input of the thread: where to ask (with a body: POST it), and the process whose memory is read. */
export interface ProbeTask {
  readonly url: string;
  readonly body?: string;
  readonly pid: number;
}

/** The answer of the thread to the message that stops it. */
export interface Probed {
  /** Milliseconds of each answer, in their order. */
  readonly waits: readonly number[];
  readonly peakMib: number;
}

const { url, body, pid } = workerData as ProbeTask;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const waits: number[] = [];
let peakMib = 0;

function ask(): void {
  const startedAt = performance.now();
  const method = body === undefined ? "GET" : "POST";
  httpRequest(
    url,
    { agent, method, headers: { "Content-Type": "application/json" } },
    (incoming) => {
      incoming.resume();
      incoming.on("end", () => {
        waits.push(performance.now() - startedAt);
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        peakMib = Math.max(peakMib, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
        setTimeout(ask, 5);
      });
    },
  ).end(body);
}

parentPort!.once("message", () => {
  const probed: Probed = { waits, peakMib };
  parentPort!.postMessage(probed, []);
  process.exit();
});
ask();
