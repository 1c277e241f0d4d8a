import { readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/**
 * Input of the thread: the URL to request (with POST if there is a body), and the id of the process whose memory is
 * read.
 */
export interface ProbeTask {
  readonly url: string;
  readonly body?: string;
  readonly pid: number;
}

/** The thread's reply to the message that stops it. */
export interface Probed {
  /** Milliseconds of each response, in order. */
  readonly waits: readonly number[];
  /** Resident memory in MiB before the first response. `peakMib` is the maximum after any response. */
  readonly startMib: number;
  readonly peakMib: number;
}

const { url, body, pid } = workerData as ProbeTask;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const waits: number[] = [];
const residentMib = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
const startMib = residentMib();
let peakMib = startMib;

function sendNext(): void {
  const startedAt = performance.now();
  const method = body === undefined ? "GET" : "POST";
  httpRequest(
    url,
    { agent, method, headers: { "Content-Type": "application/json" } },
    (incoming) => {
      incoming.resume();
      incoming.on("end", () => {
        waits.push(performance.now() - startedAt);
        peakMib = Math.max(peakMib, residentMib());
        setTimeout(sendNext, 5);
      });
    },
  ).end(body);
}

parentPort!.once("message", () => {
  const probed: Probed = { waits, startMib, peakMib };
  parentPort!.postMessage(probed, []);
  process.exit();
});
sendNext();
