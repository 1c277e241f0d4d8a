import * as assert from "uvu/assert";
import { writeNative } from "../../../../connectors/clickhouse/store/writeNative.ts";
import { rowsOfBatch, type Write } from "../../../../plugins/protocol/index.ts";
import { clickhouseSuite } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";
import { failureOf } from "../../../support/refused.ts";

const call = { credentials: { properties: {} }, signal: new AbortController().signal };

clickhouseSuite("connectors/clickhouse/store/writeNative", (test) => {
  let store: ClickhouseStore;
  test.before(async () => {
    store = await openClickhouseStore();
  });
  test.after(() => store.close());

  const write = async (change: Write) => store.plugin.write?.({ ...call, write: change });
  const textsOf = (count: number) => Array.from({ length: count }, (_, index) => `text ${index} é`);
  const rowsOf = (dictionary: readonly string[], codes: Int32Array) => ({
    columnIds: ["word", "n"],
    batch: {
      rowCount: codes.length,
      columns: [
        { type: "hierarchy" as const, codes, dictionary },
        { type: "numeric" as const, values: Float64Array.from(codes) },
      ],
    },
  });

  for (const [textCount, rowCount, type] of [
    [254, 3000, "LowCardinality(Nullable(String))"],
    [255, 3000, "LowCardinality(Nullable(String))"],
    [256, 3000, "LowCardinality(Nullable(String))"],
    [65_535, 200_000, "LowCardinality(Nullable(String))"],
    [65_536, 200_000, "LowCardinality(Nullable(String))"],
    [70_000, 70_000, "Nullable(String)"],
  ] as const)
    (rowCount < 200_000 ? test : test.deep)(
      `${rowCount} rows with ${textCount} strings are stored in one part with type ${type} and read back unchanged`,
      async () => {
        const id = `texts ${textCount}`;
        const columns = [
          { id: "word", type: "hierarchy" as const },
          { id: "n", type: "numeric" as const },
        ];
        await write({ action: "create", id, columns, rowsFollow: true });
        const dictionary = textsOf(textCount);
        const codes = Int32Array.from({ length: rowCount }, (_, row) =>
          row === 1 ? -1 : row % textCount,
        );
        await write({ action: "append", id, rows: rowsOf(dictionary, codes) });
        // Each row's number equals the code of its string, so that the server itself can compare the cells.
        const wrong = await store.database.run(
          `select countIf(word is null), countIf(word != concat('text ', toString(toInt64(n)), ' é')), count(), any(toTypeName(word)),
           (select max(rows) from system.parts where database = '${store.database.database}' and table = '${id}')
         from \`${id}\``,
        );
        assert.is(wrong.trim(), `1\t0\t${rowCount}\t${type}\t${rowCount}`);
        const last = `text ${textCount - 1} é`;
        const query = {
          id,
          columns: [{ column_id: "word" }, { column_id: "n" }],
          filters: [{ column_id: "word", expression: "=" as const, value: [last] }],
          limit: { by: 1 },
          options: { pushdown: false },
        };
        const answer = await store.plugin.query({ ...call, query });
        assert.equal(rowsOfBatch(answer), [[last, textCount - 1]]);
      },
    );

  test("strings that a thread has encoded are written as the same bytes as JavaScript strings", () => {
    const dictionary = ["", "a", "é😀", "x".repeat(300)];
    const ends = new Int32Array(dictionary.length);
    let end = 0;
    dictionary.forEach((each, index) => (ends[index] = end += Buffer.byteLength(each)));
    const utf8 = { bytes: Buffer.from(dictionary.join("")), ends };
    const mark = { name: "mark", text: "write" };
    for (const codes of [Int32Array.of(3, 1, 2, 0), Int32Array.of(3, -1, 0, 2)]) {
      const rows = rowsOf(dictionary, codes);
      const [word, n] = rows.batch.columns;
      const encoded = {
        ...word!,
        type: "hierarchy" as const,
        codes,
        dictionary: [],
        dictionarySize: { textCount: dictionary.length, textLength: 0 },
        utf8,
      };
      const batch = { rowCount: codes.length, columns: [encoded, n!] };
      const [expected, written] = [rows, { ...rows, batch }].map((each) =>
        Buffer.concat(writeNative(each, mark)),
      );
      assert.equal(written, expected);
    }
  });

  test("a push with half of a surrogate pair stores nothing, and the error names the column", async () => {
    const id = "halves";
    const columns = [
      { id: "word", type: "hierarchy" as const },
      { id: "n", type: "numeric" as const },
    ];
    await write({ action: "create", id, columns });
    const rows = rowsOf(["whole", "half \ud83c"], Int32Array.of(0, 1));
    const { code, message } = await failureOf(write({ action: "append", id, rows }));
    assert.is(code, "PLUGIN_INVALID");
    assert.match(message, /the column word contains a string with half of a surrogate pair/);
    assert.is((await store.database.run(`select count() from \`${id}\``)).trim(), "0");
  });
});
