import assert from "node:assert/strict";
import { openTextKernels } from "../../../engine/kernels/openKernels.ts";
import { orderTablesBytes } from "../../../engine/kernels/textKernels.ts";
import { withSeed, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { openScratch } from "./scratch.ts";

/**
 * Returns distinct strings with common prefixes. At each position, the bytes have few or many different values. Some
 * strings are prefixes of others.
 */
function randomTexts(random: Random, count: number): Buffer[] {
  const valueCount = random.pick([2, 5, 60, 256]);
  const beginning = Buffer.alloc(random.pick([0, 0, 3, 20]), random.below(256));
  const longest = random.pick([6, 14, 40]) + 16 / valueCount;
  const texts = new Map<string, Buffer>();
  while (texts.size < count) {
    const length = random.below(longest + texts.size / 20);
    const values = Buffer.from(Array.from({ length }, () => random.below(valueCount)));
    const text = random.chance(0.9) ? Buffer.concat([beginning, values]) : values;
    texts.set(text.toString("latin1"), text);
  }
  return [...texts.values()];
}

suite("engine/kernels/textKernels", (test) => {
  const scratch = openScratch();
  const kernels = openTextKernels(scratch.memory);
  const { random } = scratch;

  /** Places strings at any address, with other bytes before and after them. */
  const place = (texts: readonly Buffer[]) => {
    const skipped = random.below(9);
    let end = skipped;
    const starts = Uint32Array.from([skipped, ...texts.map(({ length }) => (end += length))]);
    const junk = Buffer.from(Array.from({ length: skipped }, () => random.below(256)));
    return { bytes: scratch.place(Buffer.concat([junk, ...texts])), starts: scratch.place(starts) };
  };

  test("orderTexts orders strings by their bytes, as Buffer.compare does", async () => {
    await withSeed(random, async () => {
      for (const count of [0, 1, 2, 12, 13, 14, 200, 999, 1000, 1500]) {
        for (let round = 0; round < 8; round++) {
          scratch.reset();
          const texts = randomTexts(random, count);
          if (random.chance(0.2)) texts.sort(Buffer.compare);
          const { bytes, starts } = place(texts);
          const codes = scratch.output(count * 4);
          const spareCodes = scratch.output(count * 4);
          const [keys, spareKeys] = [scratch.output(count * 8), scratch.output(count * 8)];
          const [tables, runs] = [scratch.output(orderTablesBytes), scratch.output(count * 6)];
          scratch.run(() => {
            kernels.orderTexts(
              bytes,
              starts,
              count,
              codes,
              spareCodes,
              keys,
              spareKeys,
              tables,
              runs,
            );
          });
          const ordered = [...texts.keys()].sort((one, other) =>
            Buffer.compare(texts[one], texts[other]),
          );
          assert.deepEqual(scratch.words(codes, count), ordered);
        }
      }
    });
  });

  test("`containing` and `adjoining` mark the strings that contain, start with or end with the wanted bytes", async () => {
    await withSeed(random, async () => {
      let passing = 0;
      for (let round = 0; round < rounds({ quick: 80, deep: 600 }); round++) {
        scratch.reset();
        const texts = randomTexts(random, random.below(60));
        const length = random.pick([1, 1, 2, 3, 8, 9, 17]);
        const ignored = Buffer.from(Array.from({ length }, () => random.pick([0, 0, 1, 3])));
        const all = Buffer.concat([...texts, Buffer.alloc(length, 7)]);
        const from = random.below(all.length - length + 1);
        const wanted = all
          .subarray(from, from + length)
          .map((byte, index) => byte | ignored[index]);
        const isHere = (text: Buffer, at: number) =>
          at >= 0 &&
          at + length <= text.length &&
          wanted.every((byte, index) => (text[at + index] | ignored[index]) === byte);
        const padded = (bytes: Uint8Array) =>
          Buffer.concat([bytes, Buffer.alloc(-length & 7, 0xff)]);
        const { bytes, starts } = place(texts);
        const [part, bits] = [scratch.place(padded(wanted)), scratch.place(padded(ignored))];
        const count = texts.length;
        const passes = scratch.output(count);
        const check = (call: () => void, test: (text: Buffer) => boolean) => {
          scratch.run(call);
          const expected = texts.map((text) => Number(test(text)));
          assert.deepEqual(scratch.bytes(passes, count), expected);
          passing += expected.filter((passes) => passes === 1).length;
        };
        check(
          () => kernels.containing(bytes, starts, count, part, bits, length, passes),
          (text) => [...text.keys()].some((at) => isHere(text, at)),
        );
        for (const isAtEnd of [0, 1])
          check(
            () => kernels.adjoining(bytes, starts, count, part, bits, length, isAtEnd, passes),
            (text) => isHere(text, isAtEnd ? text.length - length : 0),
          );
      }
      assert.ok(passing > rounds({ quick: 200, deep: 2000 }), `${passing} pass`);
    });
  });
});
