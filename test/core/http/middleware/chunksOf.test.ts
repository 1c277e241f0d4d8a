import { Readable } from "node:stream";
import * as assert from "uvu/assert";
import { chunksOf } from "../../../../core/http/middleware/chunksOf.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/middleware/chunksOf", (test) => {
  test("chunks that arrive together are not joined", async () => {
    const sent = [1, 2, 3].map((byte) => Buffer.alloc(64, byte));
    const stream = new Readable({ read: () => {} });
    for (const chunk of [...sent, null]) stream.push(chunk);
    const received = await Array.fromAsync(chunksOf(stream));
    assert.is(received.length, sent.length);
    for (const [index, chunk] of received.entries()) assert.is(chunk.buffer, sent[index]?.buffer);
    assert.ok(stream.destroyed);
  });

  test("the bytes before a failure are yielded, and then the failure is thrown", async () => {
    const stream = new Readable({ read: () => {} });
    stream.push(Buffer.from("a"));
    const received: string[] = [];
    try {
      for await (const chunk of chunksOf(stream)) {
        received.push(Buffer.from(chunk).toString());
        stream.destroy(new Error("cut"));
      }
      assert.unreachable();
    } catch (failure) {
      assert.match(String(failure), "cut");
    }
    assert.equal(received, ["a"]);
  });

  test("a stream that closes without an end fails", async () => {
    const stream = new Readable({ read: () => {} });
    const reading = Array.fromAsync(chunksOf(stream));
    stream.destroy();
    try {
      await reading;
      assert.unreachable();
    } catch (failure) {
      assert.match(String(failure), "closed before its end");
    }
  });

  test("a reader that leaves destroys the stream, and a slow one stops it", async () => {
    let pushedCount = 0;
    const stream = new Readable({
      read() {
        pushedCount++;
        this.push(Buffer.alloc(2 ** 19));
      },
    });
    for await (const chunk of chunksOf(stream)) {
      assert.is(chunk.length, 2 ** 19);
      await new Promise<void>((resolve) => setImmediate(resolve));
      break;
    }
    assert.ok(stream.destroyed);
    assert.ok(pushedCount < 10, `${pushedCount} chunks were read`);
  });
});
