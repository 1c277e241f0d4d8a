import * as assert from "uvu/assert";
import { hashBytes, paddingBytes } from "../../../../engine/column/texts/hashTexts.ts";
import { EngineError } from "../../../../engine/errors.ts";
import {
  openDecodeMemory,
  type DecodeMemory,
} from "../../../../engine/ingest/decode/decodeMemory.ts";
import type { EncodedBatchColumn } from "../../../../engine/column/encodedBatchColumn.ts";
import { TextReader } from "../../../../engine/ingest/decode/textReader.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261130);
const bytesOf = (text: string) => new TextEncoder().encode(text);

function refused(call: () => unknown): EngineError {
  try {
    call();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("not refused");
}

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

/**
 * Asserts that a column contains the strings. Codes must be in order of first appearance, and hashes must be those that
 * dictionaries use.
 */
function assertTexts(
  column: EncodedBatchColumn,
  texts: readonly (string | null)[],
  about: string,
): void {
  if (column.type !== "text") throw new Error("a column of texts is expected");
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
function readBlocks(
  rows: readonly (string | null)[],
  random: Random,
  expectedCount: number,
): EncodedBatchColumn {
  const memory = openDecodeMemory();
  const reader = new TextReader(memory, "test", "c", expectedCount);
  const codes = new Int32Array(rows.length);
  for (let from = 0; from < rows.length;) {
    memory.release();
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
  return reader.finish(codes);
}

/** Reads strings through the indices of a dictionary's entries. */
function readEntries(
  rows: readonly (string | null)[],
  random: Random,
  expectedCount: number,
): EncodedBatchColumn {
  const memory = openDecodeMemory();
  const reader = new TextReader(memory, "test", "c", expectedCount);
  // The dictionary includes unused entries, a repeated string, and a null entry.
  const entries = [
    ...new Set(rows.filter((text) => text !== null)),
    "unused",
    rows[0] ?? "x",
    "null",
  ];
  const places = placeTexts(memory, entries, random);
  const known = memory.takeZeros(entries.length * 4);
  memory.words(known, entries.length)[entries.length - 1] = 1;
  memory.keep();
  const codes = new Int32Array(rows.length);
  const indexOf = new Map(entries.slice(0, -2).map((text, index) => [text, index]));
  for (let from = 0; from < rows.length;) {
    memory.release();
    const block = rows.slice(from, from + 1 + random.below(3000));
    const indices = Int32Array.from(block, (text) =>
      text === null
        ? random.pick([entries.length - 1, -5])
        : text === rows[0] && random.chance(0.5)
          ? entries.length - 2
          : (indexOf.get(text) ?? -1),
    );
    const levels = memory.place(
      Uint8Array.from(block, (text, row) => Number(text !== null || indices[row] >= 0)),
    );
    const found = reader.readIndexed(
      places,
      known,
      entries.length,
      memory.place(indices),
      levels,
      block.length,
    );
    codes.set(memory.words(found, block.length), from);
    from += block.length;
  }
  return reader.finish(codes);
}

suite("engine/ingest/decode/textReader", (test) => {
  for (const [way, read] of Object.entries({ read: readBlocks, readIndexed: readEntries })) {
    test(`${way} assigns codes in order of first appearance, with and without nulls`, () => {
      for (let index = 0; index < rounds({ quick: 24, deep: 60 }); index++) {
        const random = createRandom(seed + index);
        const nulls = random.pick([0, 0.2]);
        const variety = random.pick([3, 300, 1e6]);
        const rows = Array.from({ length: random.below(2_000) }, () =>
          random.chance(nulls) ? null : randomText(random, variety),
        );
        const expectedCount = random.pick([0, rows.length]);
        assertTexts(read(rows, random, expectedCount), rows, `SEED=${seed + index}`);
      }
    });

    test(`${way} reserves more memory if there are more or longer strings than expected`, () => {
      const random = createRandom(seed);
      const rows = Array.from({ length: 10_000 }, () =>
        random.chance(0.001) ? "long ".repeat(5_000 + random.below(9)) : `n${random.below(1e9)}`,
      );
      assertTexts(read(rows, random, 0), rows, `SEED=${seed}`);
    });

    test(`${way} distinguishes strings whose hashes select the same slot`, () => {
      const random = createRandom(seed);
      const rows = Array.from({ length: 4_000 }, (_, row) =>
        row < 150 || random.chance(0.3) ? random.pick(colliding) : `n${random.below(2_000)}`,
      );
      assertTexts(read(rows, random, 0), rows, `SEED=${seed}`);
    });
  }

  test("strings outside the source bytes and indices outside the dictionary are rejected at any position", () => {
    const memory = openDecodeMemory();
    const refusal = (
      starts: readonly number[],
      ends: readonly number[],
      indices?: readonly number[],
    ) => {
      const reader = new TextReader(memory, "test", "city", 0);
      const places = {
        source: memory.place(bytesOf("abcdef")),
        sizeBytes: 6,
        starts: memory.place(Int32Array.from(starts)),
        ends: memory.place(Int32Array.from(ends)),
      };
      if (!indices) return refused(() => reader.read(places, 0, starts.length)).message;
      const known = memory.takeZeros(starts.length * 4);
      const placed = memory.place(Int32Array.from(indices));
      return refused(() =>
        reader.readIndexed(places, known, starts.length, placed, 0, indices.length),
      ).message;
    };
    for (const [start, end] of [
      [0, 7],
      [7, 7],
      [3, 2],
      [-1, 3],
      [0, -1],
      [2 ** 31 - 1, 2 ** 31 - 1],
    ]) {
      const [starts, ends] = [
        [0, 1, start],
        [1, 6, end],
      ];
      assert.match(refusal(starts, ends), /a string of the column city is outside its buffer/);
      assert.match(
        refusal(starts, ends, [0, 1, 0, 2]),
        /a string of the column city is outside its buffer/,
      );
    }
    for (const index of [3, -1, 2 ** 31 - 1])
      assert.match(
        refusal([0, 1, 2], [1, 2, 3], [0, 1, 2, index]),
        /the column city refers to an entry that its dictionary does not have/,
      );
  });

  test("strings that are not UTF-8 are rejected, even if they are valid when joined", () => {
    const memory = openDecodeMemory();
    for (const [bytes, end] of [
      [[0xff, 97], 1],
      [[0xc3, 0xa9], 1],
    ] as const) {
      const reader = new TextReader(memory, "test", "c", 0);
      const places = {
        source: memory.place(Uint8Array.from(bytes)),
        sizeBytes: 2,
        starts: memory.place(Int32Array.of(0, end)),
        ends: memory.place(Int32Array.of(end, 2)),
      };
      reader.read(places, 0, 2);
      assert.match(
        refused(() => reader.finish(new Int32Array(2))).message,
        /the column \w+ has a string that is not UTF-8/,
      );
    }
  });
});
