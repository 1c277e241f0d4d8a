// Answers the given number of rows of 10 columns, with strings of at least the given length, over a socket to a client
// that reads irregularly, and prints the cost. Run with a small heap.
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import Koa from "koa";
import { streamBody } from "../../../../core/http/middleware/streamBody.ts";
import { writeAnswers } from "../../../../core/queries/present/writeAnswers.ts";
import { writeArrow } from "../../../../core/queries/present/writeArrow.ts";
import { arrowType, jsonType, WrittenAnswer } from "../../../../core/base/contracts/index.ts";
import type { Batch } from "../../../../plugins/protocol/index.ts";
import { answeredOf } from "../../../support/answered.ts";
import { TimeSlices } from "../../../../core/base/process/index.ts";

export interface LargeAnswer {
  readonly sizeBytes: number;
  /** The last characters of the response. */
  readonly end: string;
  /** Maximum growth of heap and buffers together since the batch was created, in bytes. */
  readonly grownBytes: number;
  readonly durationMs: number;
}

const [rowCount = 0, textLength] = process.argv.slice(2).map(Number);
const endLength = 29;
const texts = Array.from({ length: 20_000 }, (_, index) =>
  `customer number ${index}`.padEnd(textLength ?? 0, " of a long name"),
);
const codesOf = (count: number) =>
  Int32Array.from(
    { length: rowCount },
    (_, row) => ((row * 7919) % count) - (row % 13 === 0 ? 1 : 0),
  );
const valuesOf = (value: (row: number) => number) =>
  Float64Array.from({ length: rowCount }, (_, row) => value(row));
const hierarchy = (count: number) =>
  ({ type: "hierarchy", codes: codesOf(count), dictionary: texts.slice(0, count) }) as const;
const numeric = (value: (row: number) => number) =>
  ({ type: "numeric", values: valuesOf(value) }) as const;

const batch: Batch = {
  rowCount,
  columns: [
    hierarchy(2),
    hierarchy(500),
    hierarchy(20_000),
    numeric((row) => row),
    numeric((row) => (row * 7919) % 1000),
    numeric((row) => ((row * 7919) % 100_003) / 100),
    numeric((row) => (row % 5 === 0 ? NaN : Math.sin(row))),
    numeric((row) => -row / 3),
    { type: "datetime", values: valuesOf((row) => 1.6e12 + (row % 3650) * 86_400_000) },
    { type: "datetime", values: valuesOf((row) => 1.6e12 + row * 61_001) },
  ],
};

const taken = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const call = { several: false, answers: [answeredOf(batch)] };
const turns = new TimeSlices();
const app = new Koa();
app.use(async (ctx) => {
  const isArrow = ctx.get("Accept") === arrowType;
  const steps: Iterator<string | Uint8Array | undefined, void> = isArrow
    ? await writeArrow(call)
    : writeAnswers(call);
  const chunks = turns.each({ organization: "o", user: "u" }, steps);
  ctx.body = await streamBody(new WrittenAnswer(isArrow ? arrowType : jsonType, chunks));
});
const listener = app.callback();
// Koa handles every rejection of its handlers, so this promise never rejects.
const server = createServer((request, response) => void listener(request, response));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

const measure = async (accept: string): Promise<LargeAnswer> => {
  const before = taken();
  const startedAt = performance.now();
  const outgoing = httpRequest({ host: "127.0.0.1", port, headers: { Accept: accept } });
  outgoing.end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  let [sizeBytes, most, chunkCount] = [0, 0, 0];
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    tail = Buffer.concat([tail, chunk]).subarray(-endLength);
    sizeBytes += chunk.length;
    if (chunkCount++ % 50 === 0) most = Math.max(most, taken());
    if (chunkCount % 1000 === 0) await wait(20);
  }
  const durationMs = performance.now() - startedAt;
  return { sizeBytes, end: tail.toString(), grownBytes: most - before, durationMs };
};

const json = await measure(jsonType);
const arrow = await measure(arrowType);
server.close();
console.log(JSON.stringify({ json, arrow }));
