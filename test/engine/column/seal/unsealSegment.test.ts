import * as assert from "uvu/assert";
import { decodeCodes, decodeNumbers } from "../../../../engine/column/segment/decodeSegment.ts";
import { sealBatchCodes, sealNumbers } from "../../../../engine/column/seal/sealSegment.ts";
import { unsealCodes, unsealNumbers } from "../../../../engine/column/seal/unsealSegment.ts";
import { SealScratch } from "../../../../engine/ingest/seal/sealScratch.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const dayMs = 86_400_000;
const kinds: readonly (readonly ["number" | "datetime", (random: Random) => number])[] = [
  ["number", (random) => random.below(200)],
  ["number", (random) => random.below(60_000) - 30_000],
  ["number", (random) => random.below(2 ** 23)],
  ["number", (random) => random.below(2 ** 31)],
  ["number", (random) => random.below(10_000) / 100],
  ["number", (random) => random.below(1000) / 7],
  ["number", (random) => Math.fround(random.below(1000) / 7)],
  ["number", (random) => random.pick([0, -0, 1.5])],
  ["datetime", (random) => random.below(500) * dayMs],
  ["datetime", (random) => 1.7e12 + random.below(2 ** 31)],
  ["datetime", (random) => random.below(2 ** 31) * 1_000_003],
  ["datetime", (random) => random.pick([-8.64e15, 8.64e15, 0])],
  ["datetime", (random) => random.below(2 ** 27) * dayMs - 2 ** 26 * dayMs],
];
const rowCounts = [1, 2, 3, 15, 17, 1000, 65_535, 65_536];

const bitsOf = (values: Float64Array) => Buffer.from(values.slice().buffer);
const hasSameBits = (one: Float64Array, other: Float64Array) => bitsOf(one).equals(bitsOf(other));

suite("engine/column/seal/unsealSegment", (test) => {
  test("an unsealed segment has the same bits as before sealing, including nulls, even in reused memory", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const forms = new Set<string>();
      const scratch = new SealScratch();
      for (const [type, valueOf] of kinds)
        for (const rowCount of random.some(rowCounts, 0.5)) {
          scratch.clear();
          const nullShare = random.pick([0, 0.1, 1]);
          const values = Float64Array.from({ length: rowCount }, () =>
            random.chance(nullShare) ? NaN : valueOf(random),
          );
          const segment = sealNumbers(values, undefined, type, {
            memory: scratch,
            near: undefined,
          });
          forms.add(`${segment.form} ${segment.values?.width}`);
          const stored = scratch.bytes(0, scratch.sizeBytes);
          const about = `${segment.form} of ${rowCount} rows`;
          assert.ok(hasSameBits(unsealNumbers(stored, segment), values), about);
          assert.ok(hasSameBits(decodeNumbers(scratch, segment), values), about);
        }
      assert.ok(forms.size > 3, [...forms].join());
    });
  });

  test("unsealing translates a batch's codes to codes of the column's dictionary", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const scratch = new SealScratch();
      for (const textCount of rounds({
        quick: [1, 300, 70_000],
        deep: [1, 300, 70_000, 3_000_000],
      })) {
        const known = Int32Array.from({ length: textCount }, (_, code) => (code * 7) % 2 ** 30);
        for (const rowCount of [1, 17, 65_536]) {
          scratch.clear();
          const codes = Int32Array.from(
            { length: rowCount },
            () => random.below(textCount + 1) - 1,
          );
          const segment = sealBatchCodes(codes, { memory: scratch, near: undefined });
          const stored = scratch.bytes(0, scratch.sizeBytes);
          const found = unsealCodes(stored, segment, known);
          assert.equal(
            Int32Array.from(found),
            codes.map((code) => (code < 0 ? 0 : known[code] + 1)),
          );
          assert.equal(
            decodeCodes(scratch, segment),
            codes.map((code) => code + 1),
          );
        }
      }
    });
  });
});
