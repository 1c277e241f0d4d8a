import * as assert from "uvu/assert";
import {
  closeDecodeMemory,
  openDecodeMemory,
} from "../../../../engine/ingest/decode/decodeMemory.ts";
import { decoderSlackBytes } from "../../../../engine/kernels/decoders.ts";
import { createRandom } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261201);

suite("engine/ingest/decode/decodeMemory", (test) => {
  test("blocks of the decode memory do not overlap, are padded and keep their content while the memory grows", () => {
    const random = createRandom(seed);
    const memory = openDecodeMemory();
    const blocks: { address: number; bytes: Uint8Array }[] = [];
    for (let index = 0; index < rounds({ quick: 100, deep: 300 }); index++) {
      const file = Uint8Array.from({ length: random.below(5_000) }, () => random.below(256));
      const bytes = file.subarray(random.below(file.length + 1));
      blocks.push({ address: memory.place(bytes), bytes });
      const zeros = memory.takeZeros(random.below(100_000));
      assert.is(zeros % 64, 0);
    }
    for (const { address, bytes } of blocks)
      assert.equal(memory.bytes(address, bytes.length).slice(), bytes.slice());
    const sorted = blocks.toSorted((one, other) => one.address - other.address);
    sorted.forEach(({ address }, index) => {
      const before = sorted[index - 1];
      if (before) assert.ok(before.address + before.bytes.length + decoderSlackBytes <= address);
    });
  });

  test("bytes that are already in the decode memory stay in place, even when the memory grows", () => {
    const memory = openDecodeMemory();
    const first = memory.bytes(memory.place(Uint8Array.of(1, 2, 3)), 3);
    const large = memory.take(2 ** 24);
    const view = memory.bytes(large, 10);
    assert.is(memory.place(first), first.byteOffset);
    assert.is(memory.place(view.subarray(3)), large + 3);
  });

  test("`clear` frees all blocks", () => {
    const memory = openDecodeMemory();
    const first = memory.takeZeros(10);
    assert.not.equal(memory.take(100), first);
    memory.clear();
    assert.is(memory.take(1), first);
    assert.ok(first > 0, "address 0 stands for no block");
  });

  test("the decode memory is reused, but released once it is large", async () => {
    const first = new WeakRef(openDecodeMemory());
    await closeDecodeMemory();
    assert.ok(openDecodeMemory() === first.deref());
    openDecodeMemory().take(2 ** 26);
    await closeDecodeMemory();
    assert.is(first.deref(), undefined);
    assert.ok(openDecodeMemory().take(10) > 0);
  });

  test("the decode memory cannot exceed 4 GB", () => {
    assert.throws(
      () => openDecodeMemory().take(2 ** 32),
      (error: unknown) => error instanceof RangeError && /more than 4 GB/.test(error.message),
    );
  });
});
