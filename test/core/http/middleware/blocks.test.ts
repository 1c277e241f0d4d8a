import * as assert from "uvu/assert";
import { createBlocks } from "../../../../core/http/middleware/blocks.ts";
import { suite } from "../../../support/suite.ts";

const rangesOf = (size: number) =>
  [
    [0, size],
    [1, size - 1],
    [65_535, 65_537],
    [65_536, 131_072],
    [size, size],
  ].filter((range): range is [number, number] => range[0]! <= range[1]! && range[1]! <= size);

suite("core/http/middleware/blocks", (test) => {
  const joined = async (sizes: readonly number[]) => {
    const blocks = createBlocks();
    const parts = sizes.map((size, part) => Buffer.alloc(size, part % 251));
    for (const part of parts) blocks.add(part);
    const expected = Buffer.concat(parts);
    assert.is(blocks.sizeBytes, expected.length);
    for (const [from, end] of rangesOf(expected.length)) {
      const target = Buffer.alloc(end - from);
      await blocks.copy(from, end, target);
      assert.ok(expected.subarray(from, end).equals(target), `${from} to ${end}`);
    }
    assert.ok(expected.equals(await blocks.join()), String(sizes.slice(0, 9)));
    blocks.release();
  };

  test("joined blocks contain the bytes of all parts, whatever their sizes", async () => {
    await joined([]);
    await joined([0, 1, 0]);
    await joined([65_536]);
    await joined([65_537]);
    await joined([1, 65_535, 65_536, 3]);
    await joined([200_000, 1, 3_000_000]);
    await joined(Array.from({ length: 3000 }, (_, index) => index % 97));
  });
});
