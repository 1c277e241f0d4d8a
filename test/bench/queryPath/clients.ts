/**
 * Runs a number of clients of a host. Each client keeps one connection open and sends one query after another for a few
 * seconds. The clients run in a separate process, so that their processor time does not count as the host's. Prints the
 * counts as JSON.
 */
import { Agent, request } from "node:http";

export interface Order {
  /** The URL of the host, including the path. */
  readonly url: string;
  readonly clientCount: number;
  readonly seconds: number;
  /** Bodies of the calls. Each client sends them in rotation. */
  readonly bodies: readonly string[];
}

const order = JSON.parse(process.argv[2] ?? "") as Order;
const { url, clientCount, seconds, bodies } = order;
const agent = new Agent({ keepAlive: true, maxSockets: clientCount });
const { hostname, port, pathname } = new URL(url);

const send = (body: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        hostname,
        port,
        path: pathname,
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(body),
        },
      },
      (answer) => {
        let head = "";
        answer.on("data", (chunk: Buffer) => {
          if (head.length < 100) head += chunk.toString("latin1", 0, 100);
        });
        answer.on("end", () => {
          if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}: ${head}`));
          else resolve(head.startsWith('{"cached":true'));
        });
        answer.on("error", reject);
      },
    );
    call.on("error", reject);
    call.end(body);
  });

const durations: number[] = [];
let cachedCount = 0;
let next = 0;
const startedAt = performance.now();
const until = startedAt + seconds * 1000;
await Promise.all(
  Array.from({ length: clientCount }, async () => {
    while (performance.now() < until) {
      const body = bodies[next++ % bodies.length] ?? "";
      const sentAt = performance.now();
      if (await send(body)) cachedCount++;
      durations.push(performance.now() - sentAt);
    }
  }),
);
agent.destroy();
durations.sort((a, b) => a - b);
const at = (share: number) => durations[Math.floor(share * (durations.length - 1))];
process.stdout.write(
  JSON.stringify({
    perSecond: durations.length / ((performance.now() - startedAt) / 1000),
    count: durations.length,
    cachedCount,
    medianMs: at(0.5),
    slowMs: at(0.99),
  }),
);
