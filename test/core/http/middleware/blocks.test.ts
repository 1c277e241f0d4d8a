import * as assert from "uvu/assert";
import { createBlocks } from "../../../../core/http/middleware/blocks.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/middleware/blocks", (test) => {
  const joined = async (sizes: readonly number[]) => {
    const blocks = createBlocks();
    const parts = sizes.map((size, part) => Buffer.alloc(size, part % 251));
    for (const part of parts) blocks.add(part);
    const expected = Buffer.concat(parts);
    assert.is(blocks.sizeBytes, expected.length);
    assert.ok(expected.equals(await blocks.join()), String(sizes.slice(0, 9)));
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
