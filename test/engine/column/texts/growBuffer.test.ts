import * as assert from "uvu/assert";
import { growBuffer, openBuffer } from "../../../../engine/column/texts/growBuffer.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261205);

suite("engine/column/texts/growBuffer", (test) => {
  test("a grown buffer has the needed size, and contains the used bytes followed by zeros", () => {
    const random = createRandom(seed);
    for (let round = 0; round < 8; round++) {
      let buffer = openBuffer(1 + random.below(100_000));
      let used = 0;
      while (used < 500_000) {
        const before = new Uint8Array(buffer, 0, used).slice();
        const needed = used + 1 + random.below(random.pick([100, 50_000, 200_000]));
        if (needed > buffer.byteLength) buffer = growBuffer(buffer, used, needed);
        assert.ok(buffer.byteLength >= needed);
        const bytes = new Uint8Array(buffer, 0, buffer.byteLength);
        assert.is(Buffer.compare(before, bytes.subarray(0, used)), 0);
        assert.ok(bytes.subarray(used).every((byte) => byte === 0));
        bytes.fill(1 + random.below(255), used, needed);
        used = needed;
      }
    }
  });

  test("a large buffer grows in place up to 16 times its size, and a small buffer is copied to a new buffer", () => {
    const large = openBuffer(2 ** 20);
    assert.ok(growBuffer(large, 2 ** 20, 2 ** 24) === large);
    const moved = growBuffer(large, 2 ** 24, 2 ** 24 + 1);
    assert.ok(moved !== large);
    assert.is(moved.byteLength, 2 ** 25);
    const small = openBuffer(100);
    assert.ok(growBuffer(small, 100, 101) !== small);
  });

  test("a buffer cannot exceed 4 GB", () => {
    assert.throws(() => growBuffer(openBuffer(2 ** 20), 0, 2 ** 32 + 1), RangeError);
  });
});
