import assert from "node:assert/strict";
import { decoderSlackBytes } from "../../../engine/kernels/decoders.ts";
import { openDecoders } from "../../../engine/kernels/openKernels.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { compressLz4, compressSnappy } from "./compressPlainly.ts";
import { openScratch } from "./scratch.ts";

const seed = Number(process.env["SEED"] ?? 20261128);

/** Returns bytes with runs, with repeats at small and large distances, and with noise. */
function randomBytes(random: Random): Uint8Array {
  const bytes: number[] = [];
  while (bytes.length < 2000 && !random.chance(0.02)) {
    if (bytes.length > 0 && random.chance(0.5)) {
      const distance =
        1 + random.below(random.chance(0.5) ? Math.min(20, bytes.length) : bytes.length);
      const length = random.below(random.pick([10, 600]));
      for (let index = 0; index < length; index++) bytes.push(bytes[bytes.length - distance]!);
    } else
      for (let index = random.below(random.pick([5, 400])); index > 0; index--)
        bytes.push(random.below(256));
  }
  return Uint8Array.from(bytes);
}

const codecs = {
  LZ4: {
    compress: compressLz4,
    decode: (
      scratch: ReturnType<typeof openScratch>,
      from: number,
      size: number,
      to: number,
      limit: number,
    ) => scratch.decoders.decompressLz4(from, from + size, to, to, limit),
  },
  Snappy: {
    compress: compressSnappy,
    decode: (
      scratch: ReturnType<typeof openScratch>,
      from: number,
      size: number,
      to: number,
      limit: number,
    ) => scratch.decoders.decompressSnappy(from, from + size, to, limit),
  },
} as const;

suite("engine/kernels/decompressing", (test) => {
  const scratch = openScratch();

  for (const [name, { compress, decode }] of Object.entries(codecs)) {
    test(`${name} blocks decompress to the original bytes`, () => {
      for (let index = 0; index < rounds({ quick: 100, deep: 300 }); index++) {
        const random = createRandom(seed + index);
        const bytes = randomBytes(random);
        scratch.reset();
        const stored = compress(bytes, random);
        const from = scratch.place(stored);
        const to = scratch.output(bytes.length + decoderSlackBytes);
        const end = scratch.run(() => decode(scratch, from, stored.length, to, to + bytes.length));
        assert.equal(end, to + bytes.length, `SEED=${seed + index}`);
        assert.deepEqual(scratch.bytes(to, bytes.length), [...bytes], `SEED=${seed + index}`);
      }
    });

    test(`damaged ${name} blocks are decoded or rejected without any write outside the output`, () => {
      let refused = 0;
      for (let index = 0; index < rounds({ quick: 1_050, deep: 3_000 }); index++) {
        const random = createRandom(seed + index);
        const bytes = randomBytes(random);
        const stored = compress(bytes, random);
        for (let spoilt = 1 + random.below(3); spoilt > 0; spoilt--)
          stored[random.below(stored.length)] = random.pick([0, 255, random.below(256)]);
        scratch.reset();
        const from = scratch.place(stored);
        const room = random.chance(0.5) ? bytes.length : random.below(bytes.length + 1);
        const to = scratch.output(room + decoderSlackBytes);
        const size = random.chance(0.7) ? stored.length : random.below(stored.length + 1);
        const end = scratch.run(() => decode(scratch, from, size, to, to + room));
        if (end === -1) refused++;
        else assert.ok(end >= to && end <= to + room, `SEED=${seed + index}`);
      }
      assert.ok(
        refused > rounds({ quick: 160, deep: 500 }) &&
          refused < rounds({ quick: 1050, deep: 3_000 }),
        `${refused} refused`,
      );
    });
  }

  test("LZ4 lengths that exceed 32 bits are rejected", () => {
    const memory = new WebAssembly.Memory({ initial: 400, maximum: 400, shared: true });
    const { decompressLz4 } = openDecoders(memory);
    const sizeBytes = 2 ** 32 / 255 + 1000;
    const all = new Uint8Array(memory.buffer);
    // Literals, or a match after a literal, with a length that would become small if it were truncated to 32 bits.
    for (const head of [[0xf0], [0x1f, 7, 1, 0]]) {
      all.fill(255, 0, sizeBytes);
      all.set(head);
      const to = 380 * 65_536;
      assert.equal(decompressLz4(0, sizeBytes, to, to, to + 65_536), -1);
    }
  });

  test("a Snappy literal with a 32-bit length is rejected if its block has fewer bytes", () => {
    for (const length of [0xffffffff, 0xfffffffe, 0x80000000, 1000]) {
      scratch.reset();
      const from = scratch.place(
        Uint8Array.of(
          10,
          63 << 2,
          length & 255,
          (length >>> 8) & 255,
          (length >>> 16) & 255,
          length >>> 24,
          1,
          2,
        ),
      );
      const to = scratch.output(64 + decoderSlackBytes);
      assert.equal(
        scratch.run(() => scratch.decoders.decompressSnappy(from, from + 8, to, to + 64)),
        -1,
      );
    }
  });
});
