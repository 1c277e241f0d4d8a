import * as assert from "uvu/assert";
import type { SealTask } from "../../../engine/ingest/messages.ts";
import { runIngest } from "../../../engine/ingest/runIngest.ts";
import { sealFile } from "../../../engine/ingest/sealFile.ts";
import { BufferPool } from "../../../engine/memory/bufferPool.ts";
import { suite } from "../../support/suite.ts";
import { numberedParquet } from "../numberedParquet.ts";

suite("engine/ingest/sealFile", (test) => {
  test("the frames of a file reuse the buffers of the previous file", async () => {
    const bufferPool = new BufferPool();
    const bytes = numberedParquet(60_000, 20_000);
    const seen: Set<SharedArrayBuffer>[] = [];
    const frames: string[][] = [];
    for (let file = 0; file < 3; file++) {
      const buffers = new Set<SharedArrayBuffer>();
      const texts: string[] = [];
      const request = { format: "parquet", bytes, bufferPool } as const;
      const run = (task: SealTask) => runIngest(task);
      for await (const { frame } of await sealFile(request, 1, () => 0, run)) {
        buffers.add(frame.buffer);
        texts.push(Buffer.from(frame).toString("latin1"));
      }
      assert.is(texts.length, 3);
      seen.push(buffers);
      frames.push(texts);
    }
    assert.equal(frames[1], frames[0]);
    assert.equal(frames[2], frames[0]);
    for (const buffers of seen.slice(1))
      assert.ok([...buffers].every((buffer) => seen[0].has(buffer)));
  });
});
