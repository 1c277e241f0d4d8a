import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { setTimeout } from "node:timers/promises";
import {
  Dictionary,
  Float64,
  Int32,
  RecordBatchFileWriter,
  Table,
  tableToIPC,
  Utf8,
  Utf8View,
  vectorFromArray,
} from "apache-arrow";
import * as assert from "uvu/assert";
import { copyArriving } from "../../../../engine/ingest/decode/arrivingBytes.ts";
import type { IngestTask, SealAnswer, SealTask } from "../../../../engine/ingest/messages.ts";
import { runIngest } from "../../../../engine/ingest/runIngest.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { numberedParquet } from "../../numberedParquet.ts";
import { parquetWriteBuffer } from "hyparquet-writer";

const blockBytes = 2 ** 21;
const urlOf = (name: string) =>
  new URL(`../../../../engine/ingest/${name}.ts`, import.meta.url).href;
const script = `
  const { parentPort } = require("node:worker_threads");
  const loaded = import(${JSON.stringify(urlOf("runIngest"))});
  parentPort.on("message", async (task) => parentPort.postMessage(await (await loaded).runIngest(task)));
`;

async function answerOf(worker: Worker, task: IngestTask | SealTask): Promise<SealAnswer> {
  const answered = once(worker, "message");
  worker.postMessage(task, []);
  const [answer] = await answered;
  return answer as SealAnswer;
}

/** Returns a table in two record batches, large enough for several blocks. */
function arrowTable(): Table {
  const rowCount = rounds({ quick: 5_000, deep: 100_000 });
  // The quick layer uses fewer, longer rows for the same number of bytes.
  const longer = "a longer text".padEnd(rounds({ quick: 880, deep: 13 }), " and longer");
  const half = (from: number) =>
    new Table({
      x: vectorFromArray(
        Array.from({ length: rowCount }, (_, row) => from + row / 8),
        new Float64(),
      ),
      s: vectorFromArray(
        Array.from({ length: rowCount }, (_, row) => `text ${(from + row * 7) % 50_000}`),
        new Dictionary(new Utf8(), new Int32()),
      ),
      v: vectorFromArray(
        Array.from({ length: rowCount }, (_, row) => `${longer} ${from + row}`),
        new Utf8View(),
      ),
      t: vectorFromArray(
        Array.from({ length: rowCount }, (_, row) => `${from + row}`),
        new Utf8(),
      ),
    });
  return half(0).concat(half(rowCount));
}

/** Returns a Parquet file in two row groups, large enough for several blocks. */
function parquetFile(): Uint8Array {
  const [rowCount, wordCount] = rounds({ quick: [12_000, 60], deep: [500_000, 0] });
  if (wordCount === 0) return numberedParquet(rowCount, rowCount / 2);
  const texts = Array.from({ length: rowCount }, (_, row) => `${row} text `.repeat(wordCount));
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [{ name: "s", type: "STRING", data: texts }],
      rowGroupSize: rowCount / 2,
      codec: "UNCOMPRESSED",
    }),
  );
}

const frameOf = ({ batches }: SealAnswer) =>
  batches.map(({ frame }) => Buffer.from(frame).toString("latin1"));

suite("engine/ingest/decode/arrivingBytes", (test) => {
  test("bytes are copied to shared memory one block per turn", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const size of [
        0,
        1,
        blockBytes,
        blockBytes + 1,
        blockBytes * 3,
        blockBytes * 3 + random.below(blockBytes),
      ]) {
        const bytes = new Uint8Array(size).map((_, index) => index % 251);
        const { bytes: copy, arrived } = copyArriving(bytes, () => assert.unreachable());
        assert.ok(copy.buffer instanceof SharedArrayBuffer);
        const lastAt = Math.max(0, Math.ceil(size / blockBytes) - 1) * blockBytes;
        assert.is(Buffer.compare(copy.slice(lastAt), bytes.slice(lastAt)), 0);
        assert.is(arrived === undefined, lastAt === 0);
        while (arrived && Atomics.load(arrived, 0) * blockBytes < lastAt) {
          const until = Atomics.load(arrived, 0) * blockBytes;
          assert.is(Buffer.compare(copy.slice(0, until), bytes.slice(0, until)), 0);
          await setTimeout(0);
        }
        assert.is(Buffer.compare(copy.slice(), bytes), 0);
      }
    });
  });

  test("bytes that are already in shared memory are not copied", () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(blockBytes * 3));
    const { bytes: same, arrived } = copyArriving(bytes, () => assert.unreachable());
    assert.is(same, bytes);
    assert.is(arrived, undefined);
  });

  test("an ingest whose buffer is transferred during the copy fails, and no thread waits forever", async () => {
    const bytes = new Uint8Array(blockBytes * 4);
    const failed = Promise.withResolvers<unknown>();
    const { arrived } = copyArriving(bytes, failed.resolve);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    assert.match(String(await failed.promise), /transferred or resized/);
    await setTimeout(0);
    assert.ok(arrived);
    assert.is(Atomics.load(arrived, 0), 3);
  });

  test.deep("a thread never reads a part of a file before the part has arrived", async () => {
    const random = createRandom();
    const table = arrowTable();
    const stream = tableToIPC(table, "stream");
    const file = new RecordBatchFileWriter().writeAll(table.batches.slice(0, 1)).toUint8Array(true);
    const files: readonly (readonly ["arrow" | "parquet", Uint8Array, number])[] = [
      ["arrow", stream, 0],
      // The Arrow library copies misaligned buffers.
      ["arrow", stream, 3],
      ["arrow", file, 0],
      ["parquet", parquetFile(), 0],
    ];
    const worker = new Worker(script, { eval: true });
    try {
      await withSeed(random, async () => {
        for (const [index, [format, bytes, shift]] of files.entries())
          for (const part of rounds({ quick: [index % 2], deep: [0, 1] })) {
            const blockCount = Math.ceil(bytes.length / blockBytes) - 1;
            assert.ok(blockCount > 1);
            const place = () =>
              new Uint8Array(new SharedArrayBuffer(bytes.length + shift), shift, bytes.length);
            const whole = place();
            whole.set(bytes);
            const task = {
              kind: "seal",
              format,
              part,
              partCount: 2 ** 31,
              openRowCount: 0,
            } as const;
            const expected = await runIngest({ ...task, bytes: whole });
            assert.ok(expected.ok);
            // Bytes that have not arrived yet are overwritten with other values.
            const arriving = place().fill(0x5a);
            arriving.set(bytes.subarray(blockCount * blockBytes), blockCount * blockBytes);
            const arrived = new Int32Array(new SharedArrayBuffer(4));
            const answer = answerOf(worker, { ...task, bytes: arriving, arrived });
            for (let block = 0; block < blockCount; block++) {
              await setTimeout(random.pick([0, 5, 20]));
              const from = block * blockBytes;
              arriving.set(bytes.subarray(from, from + blockBytes), from);
              Atomics.store(arrived, 0, block + 1);
              Atomics.notify(arrived, 0);
            }
            const found = await answer;
            assert.ok(found.ok, `${format} ${shift}, part ${part}: ${JSON.stringify(found)}`);
            assert.equal(frameOf(found), frameOf(expected), `${format} ${shift}, part ${part}`);
          }
      });
    } finally {
      await worker.terminate();
    }
  });
});
