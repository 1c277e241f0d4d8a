import * as assert from "uvu/assert";
import { openStore, type BatchColumn, type NamedBatch, type Store } from "../../../engine/index.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, rejects, toCells } from "../tables.ts";

const columns = [
  { name: "x", type: "number" },
  { name: "d", type: "datetime" },
  { name: "s", type: "text" },
] as const;
const names = columns.map(({ name }): string => name);
const turns = rounds({ quick: 1, deep: 3 });
/** More rows than the main thread stores itself. */
const rowCount = 9000;

function packed(codes: Int32Array, texts: readonly string[]): BatchColumn {
  let end = 0;
  return {
    type: "text",
    codes,
    dictionary: texts,
    utf8: {
      bytes: Buffer.from(texts.join("")),
      ends: Int32Array.from(texts, (text) => (end += Buffer.byteLength(text))),
    },
  };
}

function randomRows(random: Random): NamedBatch {
  const texts = [
    "",
    "ä",
    "😀",
    "x".repeat(300),
    ...Array.from({ length: random.below(9000) }, (_, row) => `t${row}`),
  ];
  const isFew = random.chance(0.5);
  const x = Float64Array.from({ length: rowCount }, () =>
    random.chance(0.1) ? NaN : random.below(1000) / 8,
  );
  const d = Float64Array.from({ length: rowCount }, () =>
    random.chance(0.1) ? NaN : random.below(2 ** 31) * 1000,
  );
  const codes = Int32Array.from(
    { length: rowCount },
    () => random.below(isFew ? 4 : texts.length + 1) - 1,
  );
  const batch = {
    rowCount,
    columns: [
      { type: "number" as const, values: x },
      { type: "datetime" as const, values: d },
      packed(codes, texts),
    ],
  };
  return { names, batch };
}

const plain = ({ batch }: NamedBatch): NamedBatch => ({
  names,
  batch: {
    rowCount: batch.rowCount,
    columns: batch.columns.map((column) =>
      column.type === "text"
        ? { type: "text", codes: column.codes, dictionary: column.dictionary }
        : column,
    ),
  },
});

const read = async (store: Store, table: string) =>
  toCells(
    await store.query({
      table,
      grouped: false,
      outputs: names.map((name) => ({ kind: "key", of: { kind: "column", name } })),
    }),
  );

suite("engine/store/appendPacked", (test) => {
  const options = { workers: 1, memoryBytes: 2 ** 28 };
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  test.before(async () => void (folder = await makeFolder()));
  test.after(() => folder.remove());

  test("large batches with packed strings are stored like other batches, and survive a restart", async () => {
    const dir = `${folder.path}/1`;
    const store = await openStore({ dir, ...options });
    const random = createRandom();
    await withSeed(random, async () => {
      for (const name of ["packed", "plain"]) await store.create({ name, columns });
      for (let round = 0; round < turns; round++) {
        const rows = randomRows(random);
        await Promise.all([
          store.append({ table: "packed", rows }),
          store.append({ table: "packed", rows }),
        ]);
        for (let turn = 0; turn < 2; turn++)
          await store.append({ table: "plain", rows: plain(rows) });
      }
      const stored = await read(store, "plain");
      assert.is(stored.length, 2 * turns * rowCount);
      assert.equal(await read(store, "packed"), stored);
      await store.close();
      const again = await openStore({ dir, ...options });
      assert.equal(await read(again, "packed"), stored);
      await again.close();
    });
  });

  test("a large batch with invalid values is rejected completely", async () => {
    const store = await openStore({ dir: `${folder.path}/2`, ...options });
    const rows = randomRows(createRandom());
    const [numbers, , texts] = rows.batch.columns;
    const codes = new Int32Array(rowCount);
    const bytes = Buffer.from("aä");
    const withTexts = (text: object): NamedBatch => ({
      names: ["s"],
      batch: { rowCount, columns: [{ ...packed(codes, ["a", "ä"]), ...text } as BatchColumn] },
    });
    await store.create({ name: "t", columns });
    const append = (wrong: NamedBatch) => store.append({ table: "t", rows: wrong });
    for (const wrong of [
      withTexts({ codes: codes.with(17, 2) }),
      withTexts({ codes: codes.with(17, -2) }),
      withTexts({ codes: codes.subarray(1) }),
      withTexts({ utf8: { bytes, ends: Int32Array.of(2, 3) } }),
      withTexts({ utf8: { bytes, ends: Int32Array.of(1, 4) } }),
      withTexts({ utf8: { bytes, ends: Int32Array.of(3, 1) } }),
      withTexts({ utf8: { bytes: Buffer.from([97, 0xff, 98]), ends: Int32Array.of(1, 3) } }),
      {
        names: ["d"],
        batch: {
          rowCount,
          columns: [{ type: "datetime", values: new Float64Array(rowCount).fill(0.5) }],
        },
      },
    ] satisfies NamedBatch[])
      await rejects(append(wrong), "BATCH_MALFORMED");
    assert.ok(numbers?.type === "number" && texts);
    const infinite = { type: "number" as const, values: numbers.values.with(8, Infinity) };
    await rejects(
      append({ names: ["x", "s"], batch: { rowCount, columns: [infinite, texts] } }),
      "VALUE_NOT_FINITE",
    );
    assert.is(store.table("t")?.rowCount, 0);
    await store.close();
  });
});
