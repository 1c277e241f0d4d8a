import * as assert from "uvu/assert";
import { createRowMemory } from "../../../../core/http/middleware/createRowMemory.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/middleware/createRowMemory", (test) => {
  test("memory that was given back is reused by rows that fit, and by no two at a time", () => {
    const memory = createRowMemory();
    const first = memory.take(1000);
    const second = memory.take(1000);
    assert.ok(first.buffer instanceof SharedArrayBuffer);
    assert.is.not(second.buffer, first.buffer);
    memory.give(first);
    assert.is.not(memory.take(2000).buffer, first.buffer);
    const again = memory.take(900);
    assert.is(again.buffer, first.buffer);
    assert.is(again.length, 900);
    assert.is.not(memory.take(900).buffer, first.buffer);
  });

  test("the smallest buffer that fits is reused, so that large buffers remain for large rows", () => {
    const memory = createRowMemory();
    const [large, small] = [memory.take(2 ** 16), memory.take(2 ** 10)];
    memory.give(large);
    memory.give(small);
    assert.is(memory.take(2 ** 10).buffer, small.buffer);
    assert.is(memory.take(2 ** 15).buffer, large.buffer);
  });

  test("at most 80 MiB are kept, which suffices for the rows of the largest body", () => {
    const memory = createRowMemory();
    const sizeBytes = 2 ** 26;
    const [first, second] = [memory.take(sizeBytes), memory.take(sizeBytes)];
    memory.give(first);
    memory.give(second);
    assert.is(memory.take(sizeBytes).buffer, second.buffer);
    assert.is.not(memory.take(sizeBytes).buffer, first.buffer);
  });
});
