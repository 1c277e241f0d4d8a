import * as assert from "uvu/assert";
import { unpackSnappy } from "../../../../plugins/rows/formats/unpackSnappy.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const text = "0123456789".repeat(10);

/** Blocks that were written by hand from the description of the format. */
const blocks: readonly (readonly [packed: readonly number[], unpacked: string])[] = [
  [[0], ""],
  [[3, 0x08, 97, 98, 99], "abc"],
  // A literal, and a match of 8 bytes that overlaps its copy.
  [[11, 0x08, 97, 98, 99, 0x11, 3], "abcabcabcab"],
  // A match of 20 bytes with an offset of two bytes, and one with an offset of four bytes.
  [[21, 0x00, 120, 0x4e, 1, 0], "x".repeat(21)],
  [[14, 0x10, 97, 98, 99, 100, 101, 0x23, 5, 0, 0, 0], "abcdeabcdeabcd"],
  // A literal whose length takes another byte.
  [[100, 0xf0, 99, ...Buffer.from(text)], text],
  [[100, 0xf4, 99, 0, ...Buffer.from(text)], text],
];

suite("plugins/rows/formats/unpackSnappy", (test) => {
  test("literals and matches of every kind are unpacked", () => {
    for (const [packed, unpacked] of blocks)
      assert.is(
        Buffer.from(unpackSnappy(Uint8Array.from(packed), unpacked.length)).toString(),
        unpacked,
      );
  });

  test("a damaged block, or one of another size, is refused", () => {
    for (const [packed, unpacked] of blocks) {
      const bytes = Uint8Array.from(packed);
      for (const size of [unpacked.length - 1, unpacked.length + 1].filter((each) => each >= 0))
        assert.throws(() => unpackSnappy(bytes, size), /not valid Snappy/);
      for (let length = 1; length < bytes.length; length++)
        assert.throws(() => unpackSnappy(bytes.subarray(0, length), unpacked.length), /not valid/);
    }
    for (const offset of [0, 4, 0xffffffff]) {
      const match = [0x0f, ...[0, 8, 16, 24].map((shift) => (offset >>> shift) & 0xff)];
      const bytes = Uint8Array.from([7, 0x08, 97, 98, 99, ...match]);
      assert.throws(() => unpackSnappy(bytes, 7), /not valid/);
    }
  });

  test("random bytes are refused, or unpack to the declared size", () => {
    const random = createRandom();
    for (let round = 0; round < 2000; round++) {
      const bytes = Uint8Array.from({ length: random.below(40) }, () => random.below(256));
      try {
        assert.is(unpackSnappy(bytes, 30).length, 30);
      } catch (failure) {
        assert.match(String(failure), /not valid Snappy/);
      }
    }
  });
});
