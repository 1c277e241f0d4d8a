import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/**
 * Input of the thread: the approximate size of the answer to /query, and the rows' cells, which are used in rotation.
 */
export interface LargePluginTask {
  readonly sizeBytes: number;
  readonly rows: readonly (readonly [string, number])[];
}

const { sizeBytes, rows } = workerData as LargePluginTask;
const datasets = [
  {
    id: "large",
    name: { en: "Large" },
    columns: [
      { id: "city", name: { en: "City" }, type: "hierarchy" },
      { id: "km", name: { en: "Km" }, type: "numeric" },
    ],
  },
];
const chunk = Buffer.from(`${rows.map((row) => JSON.stringify(row)).join(",")},`);

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  request.resume();
  response.setHeader("Content-Type", "application/json");
  if (request.url !== "/query") {
    response.end(JSON.stringify(request.url === "/datasets" ? datasets : { ok: true }));
    return;
  }
  response.write("[");
  for (let sent = 0; sent < sizeBytes; sent += chunk.length)
    if (!response.write(chunk)) await once(response, "drain");
  response.end('["Ghent",1]]');
};

// A failure here stops this process, and therefore the bench.
const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => {
  parentPort!.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, []);
});
