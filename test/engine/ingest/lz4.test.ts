import * as assert from "uvu/assert";
import { decodeLz4Block, decodeLz4Frame } from "../../../engine/ingest/lz4.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261126);

function randomBytes(random: Random): Uint8Array {
  const bytes: number[] = [];
  while (bytes.length < 2000 && !random.chance(0.02)) {
    if (bytes.length > 0 && random.chance(0.5)) {
      const distance = 1 + random.below(bytes.length);
      const length = random.below(random.pick([10, 600]));
      for (let index = 0; index < length; index++) bytes.push(bytes[bytes.length - distance]);
    } else
      for (let index = random.below(random.pick([5, 400])); index > 0; index--)
        bytes.push(random.below(256));
  }
  return Uint8Array.from(bytes);
}

/** A slow compressor by the specification: the longest match among a few candidates, else a literal. */
function compress(bytes: Uint8Array, from: number): Uint8Array {
  const out: number[] = [];
  let literals: number[] = [];
  const putLength = (length: number) => {
    let rest = length - 15;
    for (; rest >= 255; rest -= 255) out.push(255);
    out.push(rest);
  };
  const putLiterals = (match: number) => {
    out.push((Math.min(15, literals.length) << 4) | Math.min(15, match));
    if (literals.length >= 15) putLength(literals.length);
    out.push(...literals);
    literals = [];
  };
  let at = from;
  while (at < bytes.length) {
    let best = 0;
    let bestDistance = 0;
    for (const distance of [1, 2, 3, 7, 50, 300, 1000]) {
      if (distance > at) break;
      let length = 0;
      while (at + length < bytes.length - 5 && bytes[at + length] === bytes[at + length - distance])
        length++;
      if (length > best) [best, bestDistance] = [length, distance];
    }
    if (best < 4) {
      literals.push(bytes[at++]);
      continue;
    }
    putLiterals(best - 4);
    out.push(bestDistance & 255, bestDistance >> 8);
    if (best - 4 >= 15) putLength(best - 4);
    at += best;
  }
  putLiterals(0);
  return Uint8Array.from(out);
}

const word = (value: number) => [
  value & 255,
  (value >> 8) & 255,
  (value >> 16) & 255,
  value >>> 24,
];

suite("engine/ingest/lz4", (test) => {
  test("blocks decode to what was compressed", () => {
    for (let index = 0; index < 300; index++) {
      const bytes = randomBytes(createRandom(seed + index));
      const output = new Uint8Array(bytes.length);
      assert.is(decodeLz4Block(compress(bytes, 0), output), bytes.length);
      assert.equal(output, bytes, `SEED=${seed + index}`);
    }
  });

  test("frames decode, with linked and plain blocks, sizes and checksums", () => {
    for (let index = 0; index < 200; index++) {
      const random = createRandom(seed + index);
      const bytes = randomBytes(random);
      const [hasSize, hasChecksum] = [random.chance(0.5), random.chance(0.5)];
      const frame = [...word(0x184d2204), 0x40 | (hasChecksum ? 16 : 0) | (hasSize ? 8 : 0), 0x40];
      if (hasSize) frame.push(...word(bytes.length), 0, 0, 0, 0);
      frame.push(0);
      // The second block refers to bytes of the first.
      const cut = random.below(bytes.length + 1);
      for (const block of [
        compress(bytes.subarray(0, cut), 0),
        random.chance(0.5) ? undefined : compress(bytes, cut),
      ]) {
        const stored = block ?? bytes.subarray(cut);
        frame.push(
          ...word(stored.length | (block ? 0 : 2 ** 31)),
          ...stored,
          ...(hasChecksum ? [1, 2, 3, 4] : []),
        );
      }
      frame.push(0, 0, 0, 0);
      const output = decodeLz4Frame(Uint8Array.from(frame), 2 ** 20);
      assert.equal(output.slice(), bytes, `SEED=${seed + index}`);
    }
  });

  test("damaged blocks throw a RangeError or decode, and write nowhere else", () => {
    const random = createRandom(seed);
    let refused = 0;
    for (let index = 0; index < 2_000; index++) {
      const bytes = randomBytes(random);
      const block = compress(bytes, 0);
      block[random.below(block.length)] = random.below(256);
      try {
        assert.ok(decodeLz4Block(block, new Uint8Array(bytes.length)) <= bytes.length);
      } catch (error) {
        assert.instance(error, RangeError);
        refused++;
      }
    }
    assert.ok(refused > 20, `${refused} refused`);
    assert.throws(() => decodeLz4Frame(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 100), /damaged/);
    assert.throws(
      () =>
        decodeLz4Frame(
          Uint8Array.of(
            ...word(0x184d2204),
            0x40,
            0x40,
            0,
            ...word(50 | (2 ** 31)),
            ...new Uint8Array(50),
          ),
          10,
        ),
      /damaged/,
    );
  });
});
