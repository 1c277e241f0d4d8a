import * as assert from "uvu/assert";
import { decodeTexts } from "../../../../engine/column/texts/decodeTexts.ts";
import { hashBytes, paddingBytes } from "../../../../engine/column/texts/hashTexts.ts";
import { TextPool } from "../../../../engine/column/texts/textPool.ts";
import { createRandom } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261127);

function bytesOf(text: string): { readonly view: DataView; readonly length: number } {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(bytes.length + paddingBytes).fill(255);
  padded.set(bytes);
  return { view: new DataView(padded.buffer), length: bytes.length };
}

function hashOf(text: string): number {
  const { view, length } = bytesOf(text);
  return hashBytes(view, 0, length);
}

/** Interns strings and asserts that their codes equal the codes that a map assigns. */
function internAll(texts: readonly string[]): void {
  const pool = new TextPool();
  const codes = new Map<string, number>();
  for (const text of texts) {
    const { view, length } = bytesOf(text);
    const expected = codes.get(text) ?? codes.size;
    codes.set(text, expected);
    if (pool.intern(view, 0, length) !== expected)
      assert.unreachable(`${text} has a different code`);
  }
  const packed = pool.pack();
  assert.equal(decodeTexts(packed), [...codes.keys()]);
  assert.equal(Array.from(packed.hashes), [...codes.keys()].map(hashOf));
}

suite("engine/column/texts/textPool", (test) => {
  test("each distinct string has one code, in order of first appearance", () => {
    for (let index = 0; index < rounds({ quick: 4, deep: 50 }); index++) {
      const random = createRandom(seed + index);
      const bound = random.pick([3, 100, 100_000]);
      internAll(
        Array.from(
          { length: 3_000 },
          () =>
            random.pick(["", "é", "x", "user-", "日本語😀"]) +
            String(random.below(bound)).repeat(random.below(4)),
        ),
      );
    }
  });

  test("strings whose hashes are chosen to collide still get distinct codes", () => {
    const crowd: string[] = [];
    for (let number = 0; crowd.length < rounds({ quick: 100, deep: 250 }); number++) {
      const text = `t${number}`;
      if ((hashOf(text) & 1023) === 7) crowd.push(text);
    }
    const random = createRandom(seed);
    internAll([
      ...crowd,
      ...Array.from({ length: rounds({ quick: 3000, deep: 20_000 }) }, (_, index) =>
        random.chance(0.5) ? random.pick(crowd) : `other ${index}`,
      ),
    ]);
  });

  test("merging a batch's strings into a column's strings returns their codes in the column", () => {
    const random = createRandom(seed);
    const column = new TextPool();
    const known = new Map<string, number>();
    for (let batch = 0; batch < 30; batch++) {
      const texts = [
        ...new Set(Array.from({ length: random.below(200) }, () => `é${random.below(1000)}`)),
      ];
      const pool = new TextPool();
      for (const text of texts) {
        const { view, length } = bytesOf(text);
        pool.intern(view, 0, length);
        if (!known.has(text)) known.set(text, known.size);
      }
      assert.equal(
        Array.from(column.merge(pool.pack())),
        texts.map((text) => known.get(text)),
      );
    }
    assert.equal(decodeTexts(column.pack()), [...known.keys()]);
  });

  test("a hash depends neither on the position of a string nor on the bytes after the string", () => {
    const bytes = new TextEncoder().encode("some text of 21 bytes and what follows.......");
    for (let from = 0; from < 8; from++) {
      const moved = new Uint8Array(bytes.length + 16).fill(from * 31);
      moved.set(bytes.subarray(0, 21), from);
      assert.is(hashBytes(new DataView(moved.buffer), from, 21), hashOf("some text of 21 bytes"));
    }
  });
});
