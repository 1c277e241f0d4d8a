import * as assert from "uvu/assert";
import { hashBytes, paddingBytes } from "../../../../engine/column/texts/hashTexts.ts";
import {
  openDecodeMemory,
  type DecodeMemory,
} from "../../../../engine/ingest/decode/decodeMemory.ts";
import type { PackedTexts } from "../../../../engine/column/texts/packedTexts.ts";
import { TextReader } from "../../../../engine/ingest/decode/textReader.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261130);
const bytesOf = (text: string) => new TextEncoder().encode(text);

const hashed = new Uint8Array(2 ** 16);

function hashOf(text: string): number {
  const { written } = new TextEncoder().encodeInto(text, hashed);
  assert.ok(written + paddingBytes <= hashed.length);
  return hashBytes(new DataView(hashed.buffer), 0, written);
}

/** Places strings one after another with random bytes between them, and returns their positions. */
function placeTexts(memory: DecodeMemory, texts: readonly string[], random: Random) {
  const starts: number[] = [];
  const ends: number[] = [];
  const all: number[] = [];
  for (const text of texts) {
    if (random.chance(0.1)) all.push(...bytesOf("between"));
    starts.push(all.length);
    all.push(...bytesOf(text));
    ends.push(all.length);
  }
  return {
    source: memory.place(Uint8Array.from(all)),
    sizeBytes: all.length,
    starts: memory.place(Int32Array.from(starts)),
    ends: memory.place(Int32Array.from(ends)),
  };
}

interface FoundTexts {
  readonly codes: Int32Array;
  readonly texts: PackedTexts;
}

/**
 * Asserts that a column contains the strings. Codes must be in order of first appearance, and hashes must be those that
 * dictionaries use.
 */
function assertTexts(column: FoundTexts, texts: readonly (string | null)[], about: string): void {
  const distinct = [...new Set(texts.filter((text) => text !== null))];
  const codeOf = new Map(distinct.map((text, code) => [text, code]));
  assert.equal(
    Array.from(column.codes),
    texts.map((text) => (text === null ? -1 : codeOf.get(text))),
    about,
  );
  const { bytes, ends, hashes, hasLoneSurrogates } = column.texts;
  const decoded = Array.from(ends, (end, code) =>
    Buffer.from(bytes.subarray(code === 0 ? 0 : ends[code - 1], end)).toString(),
  );
  assert.equal(decoded, distinct, about);
  assert.equal(Array.from(hashes), distinct.map(hashOf), about);
  assert.is(hasLoneSurrogates, false);
  assert.ok(bytes.byteOffset + bytes.length + paddingBytes <= bytes.buffer.byteLength);
}

function randomText(random: Random, variety: number): string {
  const number = random.below(variety);
  return random.pick([
    "",
    "a",
    `Zürich ${number}`,
    `${number}`,
    "日本".repeat(number % 40),
    `item-${number}`,
  ]);
}

/** Strings whose hashes have the same 12 low bits, so that all of them select the same slot. */
const colliding: string[] = [];
for (let index = 0; colliding.length < 150; index++)
  if ((hashOf(`t${index}`) & 0xfff) === 0x123) colliding.push(`t${index}`);

/** Lets the reader read strings in blocks. A level of 0 stands for null. */
function read(rows: readonly (string | null)[], random: Random): FoundTexts {
  const memory = openDecodeMemory();
  const reader = new TextReader(memory, "c");
  const codes = new Int32Array(rows.length);
  for (let from = 0; from < rows.length;) {
    const block = rows.slice(from, from + 1 + random.below(3000));
    const places = placeTexts(
      memory,
      block.map((text) => text ?? "x"),
      random,
    );
    const levels = block.some((text) => text === null)
      ? memory.place(Uint8Array.from(block, (text) => Number(text !== null)))
      : 0;
    codes.set(memory.words(reader.read(places, levels, block.length), block.length), from);
    from += block.length;
  }
  return { codes, texts: reader.pack(false) };
}

suite("engine/ingest/decode/textReader", (test) => {
  test("codes are assigned in order of first appearance, with and without nulls", () => {
    for (let index = 0; index < rounds({ quick: 10, deep: 60 }); index++) {
      const random = createRandom(seed + index);
      const nulls = random.pick([0, 0.2]);
      const variety = random.pick([3, 300, 1e6]);
      const rows = Array.from({ length: random.below(2_000) }, () =>
        random.chance(nulls) ? null : randomText(random, variety),
      );
      assertTexts(read(rows, random), rows, `SEED=${seed + index}`);
    }
  });

  test("memory grows with the number and the length of the strings", () => {
    const random = createRandom(seed);
    const rows = Array.from({ length: 10_000 }, () =>
      random.chance(0.001) ? "long ".repeat(5_000 + random.below(9)) : `n${random.below(1e9)}`,
    );
    assertTexts(read(rows, random), rows, `SEED=${seed}`);
  });

  test("strings whose hashes select the same slot are distinguished", () => {
    const random = createRandom(seed);
    const rows = Array.from({ length: 4_000 }, (_, row) =>
      row < 150 || random.chance(0.3) ? random.pick(colliding) : `n${random.below(2_000)}`,
    );
    assertTexts(read(rows, random), rows, `SEED=${seed}`);
  });

  test("strings outside the source bytes are rejected at any position", () => {
    const memory = openDecodeMemory();
    const refusal = (starts: readonly number[], ends: readonly number[]) => () => {
      const places = {
        source: memory.place(bytesOf("abcdef")),
        sizeBytes: 6,
        starts: memory.place(Int32Array.from(starts)),
        ends: memory.place(Int32Array.from(ends)),
      };
      new TextReader(memory, "city").read(places, 0, starts.length);
    };
    for (const [start, end] of [
      [0, 7],
      [7, 7],
      [3, 2],
      [-1, 3],
      [0, -1],
      [2 ** 31 - 1, 2 ** 31 - 1],
    ])
      assert.throws(
        refusal([0, 1, start], [1, 6, end]),
        /a string of the column city is outside its buffer/,
      );
  });
});
