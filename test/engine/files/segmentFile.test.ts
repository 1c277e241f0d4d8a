import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as assert from "uvu/assert";
import { Column } from "../../../engine/column/column.ts";
import {
  Dictionary,
  dictionaryEntryBytes,
  packedTextsBytes,
} from "../../../engine/column/texts/dictionary.ts";
import { loadSegments } from "../../../engine/column/loadSegments.ts";
import { DamagedFile } from "../../../engine/files/damagedFile.ts";
import { nodeFiles } from "../../../engine/files/files.ts";
import { SegmentFile } from "../../../engine/files/segmentFile.ts";
import {
  decodeTexts,
  encodeAscii,
  encodeTexts,
  packChunk,
} from "../../../engine/files/textChunk.ts";
import type { ColumnDefinition, BatchColumn } from "../../../engine/index.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import { writeSegments } from "../../../engine/store/generations/writeSegments.ts";
import { readBatchColumn } from "../../../engine/table/readBatchColumn.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder } from "../tables.ts";

const rowCount = 2 * 65_536;
const definitions: readonly ColumnDefinition[] = [
  { name: "whole", type: "number" },
  { name: "float", type: "number" },
  { name: "nothing", type: "number" },
  { name: "instant", type: "datetime" },
  { name: "text", type: "text" },
];

function vectorOf({ name, type }: ColumnDefinition): BatchColumn {
  if (type === "text")
    return {
      type,
      codes: Int32Array.from({ length: rowCount }, (_, row) => (row % 7 === 0 ? -1 : row % 300)),
      dictionary: Array.from({ length: 300 }, (_, code) => `text ${code} \uD800é`),
    };
  const value = (row: number) =>
    name === "whole"
      ? row % 100
      : name === "float"
        ? row / 7
        : name === "instant"
          ? 1.6e12 + row * 86_400_001
          : NaN;
  return { type, values: Float64Array.from({ length: rowCount }, (_, row) => value(row)) };
}

/** Reads all columns of a segment file. */
async function readAll(path: string, memory: Memory) {
  const file = await SegmentFile.open(nodeFiles, path);
  try {
    const columns = [];
    for (const { name, type } of file.footer.columns) {
      const saved = file.column(name)!;
      const { segments, blocks } = await loadSegments(memory, saved, () => undefined);
      for (const block of blocks) memory.free(block);
      const dictionary = new Dictionary();
      await saved.readTexts(dictionary);
      columns.push({ name, type, segments, texts: dictionary.texts });
    }
    return columns;
  } finally {
    await file.close();
  }
}

suite("engine/files/segmentFile", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  const memory = new Memory({ budgetBytes: 2 ** 28 });
  let path = "";
  let columns: readonly Column[] = [];
  test.before(async () => {
    folder = await makeFolder();
    path = join(folder.path, "00000001.segments");
    columns = definitions.map((definition) => new Column(definition, memory, [], 0));
    for (const column of columns) column.append(vectorOf(column.definition), rowCount);
    const written = await writeSegments({
      files: nodeFiles,
      path,
      memory,
      columns,
      rowGroupCount: 2,
      check: () => undefined,
    });
    assert.equal(written, columns);
  });
  const closing: SegmentFile[] = [];
  test.after(async () => {
    for (const file of closing) await file.close();
    await folder.remove();
  });

  test("the columns of a segment file read back unchanged, from memory and from a copied file", async () => {
    const copy = join(folder.path, "00000002.segments");
    for (const [from, to] of [
      [path, copy],
      [copy, undefined],
    ] as const) {
      const file = await SegmentFile.open(nodeFiles, from);
      closing.push(file);
      const used = memory.usedBytes;
      const loaded = file.footer.columns.map(
        ({ name, type }) => new Column({ name, type }, memory, [], file.column(name)!),
      );
      for (const column of loaded) await column.load("dictionary");
      if (to)
        await writeSegments({
          files: nodeFiles,
          path: to,
          memory,
          columns: loaded,
          rowGroupCount: 2,
          check: () => undefined,
        });
      loaded.forEach((column, index) => assert.equal(column.summary(), columns[index].summary()));
      for (const column of loaded) {
        await column.load("values");
        for (const rowGroup of [0, 1])
          assert.ok(
            isDeepStrictEqual(
              readBatchColumn(memory, column, rowGroup),
              readBatchColumn(memory, columns[loaded.indexOf(column)], rowGroup),
            ),
          );
        assert.ok(column.memoryBytes > 0);
        column.evict();
      }
      assert.is(
        memory.usedBytes - used,
        loaded.reduce((sum, column) => sum + column.memoryBytes, 0),
      );
      for (const column of loaded) column.close();
      assert.is(memory.usedBytes, used);
    }
    assert.equal(await readFile(copy), await readFile(path));
  });

  test("any flipped bit and any truncation of a segment file is detected", async () => {
    const random = createRandom();
    const good = await readFile(path);
    const bad = join(folder.path, "00000003.segments");
    const parts = (await readAll(path, memory)).length;
    assert.is(parts, definitions.length);
    await withSeed(random, async () => {
      const places = [
        ...Array.from({ length: 64 }, (_, byte) => byte),
        ...Array.from({ length: 64 }, (_, byte) => good.length - 1 - byte),
        ...Array.from({ length: 60 }, () => random.below(good.length)),
      ];
      const step = rounds({ quick: 29, deep: 1 });
      for (const place of places.filter((_, index) => index % step === 0)) {
        const bytes = Buffer.from(good);
        bytes[place] ^= 1 << random.below(8);
        await writeFile(bad, bytes);
        const found = await readAll(bad, memory).then(
          () => "nothing",
          (error: unknown) => error,
        );
        assert.instance(found, DamagedFile, `byte ${place} of ${good.length}`);
      }
      for (const size of [0, 16, 100, good.length - 1, random.below(good.length)]) {
        await writeFile(bad, good.subarray(0, size));
        const found = await readAll(bad, memory).catch((error: unknown) => error);
        assert.instance(found, DamagedFile, `${size} bytes`);
      }
    });
    assert.is(
      memory.usedBytes,
      columns.reduce((sum, column) => sum + column.memoryBytes, 0),
    );
  });

  test("ASCII strings have the same form whether they are written from strings or from bytes", () => {
    for (const texts of [[], [""], ["a", "", "plain text", "\0"]]) {
      const dictionary = new Dictionary();
      const codes = dictionary.merge(packChunk(encodeTexts(texts)));
      const packed = dictionary.packed(0, codes.length);
      assert.ok(packed);
      assert.equal(Buffer.from(encodeAscii(packed)), Buffer.from(encodeTexts(texts)));
      assert.is(
        packedTextsBytes(packed),
        texts.reduce((sum, text) => sum + dictionaryEntryBytes(text), 0),
      );
    }
  });

  test("strings of any characters read back unchanged", () => {
    for (const texts of [
      [],
      [""],
      ["a", "", "é\u00FF"],
      ["plain", "😀", "lone \uD800", "\uDC00 x", "\0", "__proto__"],
    ]) {
      const chunk = encodeTexts(texts);
      assert.equal(decodeTexts(chunk), texts);
      const dictionary = new Dictionary();
      const codes = dictionary.merge(packChunk(chunk));
      assert.equal(
        Array.from(codes, (code) => dictionary.texts[code]),
        texts,
      );
      for (const text of texts) assert.is(dictionary.texts[dictionary.codeOf(text) ?? -1], text);
    }
  });
});
