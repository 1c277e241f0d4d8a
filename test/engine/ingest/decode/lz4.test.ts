import * as assert from "uvu/assert";
import { openDecodeMemory } from "../../../../engine/ingest/decode/decodeMemory.ts";
import { decodeLz4Block, decodeLz4Frame } from "../../../../engine/ingest/decode/lz4.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { compressLz4 } from "../../kernels/compressPlainly.ts";

const seed = Number(process.env["SEED"] ?? 20261126);

/** Returns compressible bytes with only a few distinct values. */
function randomBytes(random: Random): Uint8Array {
  const kinds = 1 + random.below(random.pick([3, 250]));
  return Uint8Array.from({ length: random.below(3_000) }, () => random.below(kinds));
}

const word = (value: number) => [
  value & 255,
  (value >> 8) & 255,
  (value >> 16) & 255,
  value >>> 24,
];

/** Returns an LZ4 frame of two blocks. The second block refers to bytes of the first block, or is not compressed. */
function randomFrame(random: Random, bytes: Uint8Array): Uint8Array {
  const [hasSize, hasChecksum] = [random.chance(0.5), random.chance(0.5)];
  const frame = [...word(0x184d2204), 0x40 | (hasChecksum ? 16 : 0) | (hasSize ? 8 : 0), 0x40];
  if (hasSize) frame.push(...word(bytes.length), 0, 0, 0, 0);
  frame.push(0);
  const cut = random.below(bytes.length + 1);
  for (const block of [
    compressLz4(bytes.subarray(0, cut), random),
    random.chance(0.5) ? undefined : compressLz4(bytes, random, cut),
  ]) {
    const stored = block ?? bytes.subarray(cut);
    frame.push(
      ...word(stored.length | (block ? 0 : 2 ** 31)),
      ...stored,
      ...(hasChecksum ? [1, 2, 3, 4] : []),
    );
  }
  frame.push(0, 0, 0, 0);
  return Uint8Array.from(frame);
}

suite("engine/ingest/decode/lz4", (test) => {
  test("an LZ4 block decodes to the requested address, and a damaged block is rejected", () => {
    const random = createRandom(seed);
    const bytes = randomBytes(random);
    const stored = compressLz4(bytes, random);
    const memory = openDecodeMemory();
    const from = memory.place(stored);
    const to = memory.take(bytes.length);
    const limit = to + bytes.length;
    assert.is(decodeLz4Block(memory, from, stored.length, to, limit), limit);
    assert.equal(memory.bytes(to, bytes.length).slice(), bytes);
    assert.throws(() => decodeLz4Block(memory, from, stored.length, to, limit - 1), /damaged/);
  });

  test("LZ4 frames with linked or uncompressed blocks, sizes and checksums can be decoded", () => {
    for (let index = 0; index < rounds({ quick: 70, deep: 200 }); index++) {
      const random = createRandom(seed + index);
      const bytes = randomBytes(random);
      const frame = randomFrame(random, bytes);
      const memory = openDecodeMemory();
      assert.equal(
        decodeLz4Frame(memory, frame, bytes.length).slice(),
        bytes,
        `SEED=${seed + index}`,
      );
      if (bytes.length > 0)
        assert.throws(() => decodeLz4Frame(memory, frame, bytes.length - 1), /damaged/);
    }
  });

  test("damaged LZ4 frames throw a RangeError or decode to at most the size limit", () => {
    let refused = 0;
    for (let index = 0; index < rounds({ quick: 350, deep: 1_000 }); index++) {
      const random = createRandom(seed + index);
      const bytes = randomBytes(random);
      const frame = randomFrame(random, bytes);
      const spoilt = random.chance(0.3)
        ? frame.subarray(0, random.below(frame.length))
        : frame.with(random.below(Math.min(frame.length, 60)), random.below(256));
      try {
        const decoded = decodeLz4Frame(openDecodeMemory(), spoilt, bytes.length);
        assert.ok(decoded.length <= bytes.length);
      } catch (error) {
        assert.instance(error, RangeError, `SEED=${seed + index}`);
        refused++;
      }
    }
    assert.ok(refused > rounds({ quick: 95, deep: 300 }), `${refused} refused`);
  });
});
