import * as assert from "uvu/assert";
import { decodeCodes, decodeNumbers } from "../../../../engine/column/segment/decodeSegment.ts";
import { decodeTexts } from "../../../../engine/column/texts/decodeTexts.ts";
import { placeSegment } from "../../../../engine/column/loadSegments.ts";
import { timesOf, type Segment } from "../../../../engine/column/segment/segment.ts";
import { decodeChange, isPartOfChange } from "../../../../engine/files/changeFrame.ts";
import { createFileHeader, frameHeaderBytes, readFrames } from "../../../../engine/files/frame.ts";
import { decodeSealed } from "../../../../engine/files/sealedFrame.ts";
import type { ColumnDefinition } from "../../../../engine/index.ts";
import type { SealedBatch } from "../../../../engine/column/sealedBatch.ts";
import { sealBatch } from "../../../../engine/ingest/seal/sealBatch.ts";
import { Memory } from "../../../../engine/memory/memory.ts";
import { segmentsOf } from "../../../../engine/table/readColumn.ts";
import { Table } from "../../../../engine/table/table.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { encodeColumns, type PlainColumn } from "../../encodeColumns.ts";

const rowGroup = 65_536;
const dayMs = 86_400_000;

const numberKinds: readonly ((random: Random) => number)[] = [
  (random) => random.below(200),
  (random) => random.below(10_000) / 100,
  (random) => random.below(2 ** 31) / 7,
  (random) => random.below(100) * dayMs,
  (random) => random.pick([0, -0, 1]),
  (random) => random.pick([2 ** 53 - 1, 1 - 2 ** 53, 1e300, 5e-324, -1.5]),
  (random) => Math.fround(random.below(1000) / 7),
];
const datetimeKinds: readonly ((random: Random) => number)[] = [
  (random) => random.below(500) * dayMs,
  (random) => 1.7e12 + random.below(2 ** 31),
  (random) => random.below(2 ** 31) * 1_000_003,
  (random) => random.pick([-8.64e15, 8.64e15, 0]),
];

/**
 * Returns columns whose kind of values changes from row group to row group, so that row groups differ in form, width,
 * step and decimals.
 */
function randomColumns(random: Random, rowCount: number): readonly PlainColumn[] {
  return (["number", "number", "number", "datetime", "text"] as const).map((type, index) => {
    const kinds = type === "datetime" ? datetimeKinds : numberKinds;
    let kind = random.pick(kinds);
    let nullShare = random.pick([0, 0.02, 1]);
    const cells: (number | string | null)[] = [];
    while (cells.length < rowCount) {
      const until = Math.min(rowCount, cells.length + 1 + random.below(rowGroup));
      const texts = random.pick([3, 300, 70_000]);
      while (cells.length < until) {
        if (nullShare > 0 && random.chance(nullShare)) cells.push(null);
        else if (type === "text")
          cells.push(random.pick(["é", "\uD800", "", "😀 "]) + random.below(texts));
        else cells.push(kind(random));
      }
      if (random.chance(0.5)) kind = random.pick(kinds);
      nullShare = random.pick([0, nullShare, 0.02]);
    }
    return { name: `c${index}`, type, cells };
  });
}

const sliceOf = (columns: readonly PlainColumn[], start: number, end: number) =>
  columns.map((column) => ({ ...column, cells: column.cells.slice(start, end) }));

const unframed = (frame: Uint8Array) => frame.subarray(frameHeaderBytes);

/** Returns the cells of a sealed batch one by one. */
function plainCells({ columns }: SealedBatch): readonly (readonly unknown[])[] {
  return columns.map(({ column: { type, segments, stored, texts } }) => {
    const source = { buffer: () => stored.buffer };
    const strings = texts && decodeTexts(texts);
    return segments.flatMap((segment): unknown[] => {
      const placed = segment.values
        ? placeSegment(segment, 0, stored.byteOffset + segment.values.offset)
        : segment;
      if (type === "text")
        return Array.from(decodeCodes(source, placed), (code) =>
          code === 0 ? null : strings?.[code - 1],
        );
      return Array.from(decodeNumbers(source, placed), (value) => (value === value ? value : null));
    });
  });
}

function assertSame(found: readonly unknown[], expected: readonly unknown[], about: string): void {
  assert.is(found.length, expected.length, about);
  const wrong = found.findIndex((cell, row) => !Object.is(cell, expected[row]));
  assert.is(wrong, -1, `${about}, row ${wrong}: ${found[wrong]} is not ${expected[wrong]}`);
}

/** Returns everything that a table stores for its columns, except locations in memory. */
function storedOf(memory: Memory, table: Table): unknown {
  return [...table.snapshot().columns.values()].map((column) => ({
    summary: { ...column, directory: 0, tail: 0, dictionary: column.dictionary?.texts.join() },
    segments: segmentsOf(memory, column).map((segment) => [
      withoutPlace(segment),
      bytesOf(memory, segment.values, segment.rowCount),
      bytesOf(memory, timesOf(segment), segment.rowCount),
    ]),
  }));
}

function withoutPlace(segment: Segment): unknown {
  const { width } = segment.values ?? {};
  return {
    ...segment,
    values: undefined,
    times: undefined,
    width,
    timeWidth: timesOf(segment)?.width,
  };
}

function bytesOf(memory: Memory, values: Segment["values"], rowCount: number): string {
  if (!values) return "";
  const bytes = new Uint8Array(memory.buffer(values.arena), values.offset, rowCount * values.width);
  return Buffer.from(bytes).toString("latin1");
}

function createTable(memory: Memory, columns: readonly ColumnDefinition[]): Table {
  const table = new Table("t", memory, true, 0);
  table.apply({ add: columns.map(({ name, type }) => ({ name, type })) });
  return table;
}

suite("engine/ingest/seal/sealBatch", (test) => {
  test("a sealed batch contains the encoded values in segments that end with the row groups", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 12 }); round++) {
        const rowCount = random.pick([
          0,
          1,
          1000,
          random.below(rounds({ quick: 70_000, deep: 200_000 })),
        ]);
        const columns = randomColumns(random, rowCount);
        const open = random.below(rowGroup);
        const { frame, hashes } = sealBatch(
          encodeColumns(columns),
          open,
          new SharedArrayBuffer(2 ** 16),
        );
        const sealed = decodeSealed(unframed(frame), hashes);
        assert.is(sealed.rowCount, rowCount);
        plainCells(sealed).forEach((cells, index) =>
          assertSame(cells, columns[index].cells, `round ${round}, ${columns[index].name}`),
        );
        for (const { column } of sealed.columns) {
          let row = open;
          for (const segment of column.segments) {
            const end = row + segment.rowCount;
            assert.is(Math.floor(row / rowGroup), Math.floor((end - 1) / rowGroup));
            row = end;
            assert.ok(end % rowGroup === 0 || segment === column.segments.at(-1));
          }
          assert.is(row, open + rowCount);
        }
      }
    });
  });

  test("a sealed frame can be written to the log and decodes to the same batch, with the hashes of its strings", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const columns = randomColumns(random, 5000);
      const { frame, hashes } = sealBatch(encodeColumns(columns), 0);
      const log = Buffer.concat([createFileHeader(), frame]);
      const { frames, goodBytes, damage } = readFrames(log);
      assert.equal([frames.length, goodBytes, damage], [1, log.length, undefined]);
      assert.ok(isPartOfChange(frames[0]));
      const { sealed } = decodeChange(frames[0]);
      assert.ok(sealed);
      assert.equal(sealed, decodeSealed(unframed(frame), hashes));
      for (let round = 0; round < rounds({ quick: 3, deep: 50 }); round++) {
        const broken = Buffer.from(log);
        broken[16 + random.below(frame.length)] ^= 1 + random.below(255);
        const reading = readFrames(broken);
        assert.ok(reading.damage !== undefined || reading.frames.length === 0);
      }
    });
  });

  test("an engine that does not support sealed rows rejects their frames", () => {
    const { frame } = sealBatch(encodeColumns([{ name: "n", type: "number", cells: [1] }]), 0);
    const payload = Buffer.from(unframed(frame));
    // Version 3 of the format reads these bytes as the length of the head.
    const headBytes = payload.readUInt32LE(0) % 2 ** 31;
    assert.ok(headBytes > payload.length);
    assert.throws(() => JSON.parse(payload.toString("utf8", 4, 4 + headBytes)));
  });

  test("a large enough buffer is reused, and keeps nothing of the previous batch", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      let reused: SharedArrayBuffer | undefined;
      const [large, small] = [rounds({ quick: 2_000, deep: 20_000 }), 10].map((rowCount) =>
        randomColumns(random, rowCount),
      );
      for (const columns of [
        large,
        small,
        large,
        randomColumns(random, rounds({ quick: 9_000, deep: 100_000 })),
        large,
      ]) {
        const { frame, hashes } = sealBatch(encodeColumns(columns), 0, reused);
        if (reused) assert.is(frame.buffer === reused, columns === large || columns === small);
        reused = frame.buffer;
        assert.ok(hashes.every(({ buffer }) => buffer === reused));
        plainCells(decodeSealed(unframed(frame), hashes)).forEach((cells, index) =>
          assertSame(cells, columns[index].cells, columns[index].name),
        );
      }
    });
  });

  test("rows that are sealed in batches of any size are stored like rows of a single append", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 12 }); round++) {
        const rowCount = rounds({
          quick: rowGroup + random.below(3000),
          deep: random.pick([rowGroup * 2, rowGroup + random.below(150_000)]),
        });
        const columns = randomColumns(random, rowCount);
        const memory = new Memory({ budgetBytes: 2 ** 30 });
        const [whole, filled, recovered] = [0, 1, 2].map(() => createTable(memory, columns));
        whole.apply({ encoded: [encodeColumns(columns)] });
        // Number of rows that are appended before the batches.
        const before = random.pick([0, 0, random.below(rowGroup)]);
        const first = { encoded: [encodeColumns(sliceOf(columns, 0, before))] };
        if (before > 0) for (const table of [filled, recovered]) table.apply(first);
        const fill = filled.fill();
        const isRightAbout = random.chance(0.5);
        for (let start = before; start < rowCount;) {
          const size = random.pick([1, 100, 30_000, rowGroup, 122_880]);
          const end = Math.min(rowCount, start + 1 + random.below(size));
          const { frame, hashes } = sealBatch(
            encodeColumns(sliceOf(columns, start, end)),
            isRightAbout ? start % rowGroup : random.below(rowGroup),
          );
          await fill.append(decodeSealed(unframed(frame), hashes));
          recovered.apply(decodeChange(unframed(frame)), true);
          start = end;
        }
        filled.take(fill);
        const expected = storedOf(memory, whole);
        assert.equal(storedOf(memory, filled), expected, `round ${round}, filled`);
        assert.equal(storedOf(memory, recovered), expected, `round ${round}, recovered`);
        for (const table of [whole, filled, recovered]) table.close();
        assert.is(memory.usedBytes, 0);
      }
    });
  });
});
