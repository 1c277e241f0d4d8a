import * as assert from "uvu/assert";
import {
  createColumnarReader,
  createRowsReader,
} from "../../../../../core/sources/connections/overHttp/answerReader.ts";
import {
  type Batch,
  batchOfColumnar,
  batchOfRows,
  cellsOfColumn,
  type Query,
} from "../../../../../plugins/protocol/index.ts";
import { failureOf } from "../../../../support/refused.ts";
import { rounds } from "../../../../support/layer.ts";
import { suite } from "../../../../support/suite.ts";

const columns = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
] as const;
const query: Query = {
  id: "trips",
  columns: columns.map(({ id, type }) => ({ column_id: id, type })),
  filters: [],
  options: { pushdown: false },
};
const large = 2 ** 30;

interface Reader {
  take(part: Uint8Array): Promise<void>;
  end(): Promise<Batch>;
}

async function read(reader: Reader, text: string, partBytes = Infinity): Promise<Batch> {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += partBytes)
    await reader.take(bytes.subarray(from, from + partBytes));
  return reader.end();
}

suite("core/sources/connections/overHttp/answerReader", (test) => {
  test("whole numbers beyond 2^53 in a text column keep their digits", async () => {
    const reader = createRowsReader([{ id: "id", type: "hierarchy" }], large);
    const { columns: read1 } = await read(reader, "[[9007199254740993],[9007199254740992],[7]]", 5);
    assert.equal(read1[0]?.type === "hierarchy" && read1[0].dictionary, [
      "9007199254740993",
      "9007199254740992",
      "7",
    ]);
  });

  test("whole numbers that would merge in a numeric column are refused by row, and sums are rounded", async () => {
    for (const cell of ["9007199254740993", '"9007199254740993"']) {
      const reader = createRowsReader([{ id: "id", type: "numeric" }], large);
      const failure = await read(reader, `[[1],[${cell}]]`).catch((thrown: unknown) => thrown);
      assert.match(String(failure), /row 1 of column "id" must be a number that keeps its digits/);
      assert.match(String(failure), /declare the column as hierarchy and send strings/);
    }
    const ask = (aggregation?: "sum") => ({
      ...query,
      columns: [{ column_id: "km", ...(aggregation && { aggregation }) }],
    });
    const text = '{"rowCount":1,"columns":[{"type":"numeric","values":[9007199254740993]}]}';
    const dataset = { columns: [{ id: "km", name: { en: "km" }, type: "numeric" as const }] };
    const sum = await read(createColumnarReader(ask("sum"), dataset, large), text);
    assert.equal(sum.columns[0]?.type === "numeric" && [...sum.columns[0].values], [2 ** 53]);
    const plain = read(createColumnarReader(ask(), dataset, large), text);
    assert.match(String(await plain.catch((thrown: unknown) => thrown)), /keeps its digits/);
    const unread = await read(createColumnarReader(ask(), dataset, large, ["km"]), text);
    assert.equal(cellsOfColumn(unread.columns[0]!), [null]);
  });

  const seed = Number(process.env["SEED"] ?? 20261123);
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const row = () => [
    pick(["Ghent", 'a"],[', "日本😀", "\\", null, "", 7, true]),
    pick([0, -1.5, 1e300, null, "12.5"]),
    pick(["2024-01-05", "2024-01-05T10:00:00.000Z", null]),
  ];
  const rowsOf = (count: number) => Array.from({ length: count }, row);
  const columnarOf = (rows: readonly (readonly unknown[])[]) => ({
    rowCount: rows.length,
    columns: columns.map(({ type }, index) => ({
      type,
      values: rows.map((cells) => cells[index]),
    })),
  });

  test("reading an answer in parts of any size gives the same batch as reading it at once", async () => {
    for (let round = 0; round < rounds({ quick: 10, deep: 60 }); round++) {
      const rows = rowsOf(pick([0, 1, 2, 40]));
      const space = pick([undefined, 1]);
      const note = `seed ${seed}, round ${round}`;
      for (const partBytes of [1, 3, 50, Infinity]) {
        const byRows = createRowsReader(columns, large);
        const text = JSON.stringify(rows, undefined, space);
        const whole = batchOfRows(columns, rows);
        assert.is(shown(await read(byRows, text, partBytes)), shown(whole), note);
        const columnar = columnarOf(rows);
        const ids = columns.map(({ id }) => id);
        const expected = batchOfColumnar(columnar, ids);
        const byColumns = createColumnarReader(query, { columns: [] }, large);
        const written = JSON.stringify(columnar, undefined, space);
        assert.is(shown(await read(byColumns, written, partBytes)), shown(expected), note);
      }
    }
  });

  test("while the host reads a long answer, other work gets a turn every 32 KiB", async () => {
    const rows = rowsOf(30_000);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const text = JSON.stringify(rows);
    const batch = await read(createRowsReader(columns, large), text);
    isDone = true;
    assert.is(shown(batch), shown(batchOfRows(columns, rows)));
    assert.ok(turns >= text.length / (32 * 1024), `${turns} turns for ${text.length} bytes`);
  });

  test("damaged JSON fails exactly where JSON.parse fails, and the error contains the position", async () => {
    let refused = 0;
    for (let round = 0; round < rounds({ quick: 200, deep: 1500 }); round++) {
      const isRows = random() < 0.5;
      const rows = rowsOf(3);
      const text = JSON.stringify(isRows ? rows : columnarOf(rows));
      const at = Math.floor(random() * text.length);
      const put = pick(["", ",", "]", "}", "[", "{", '"', ":", "1", "null,"]);
      const spoilt = `${text.slice(0, at)}${put}${text.slice(at + pick([0, 1]))}`.toWellFormed();
      const note = `seed ${seed}, round ${round}: ${spoilt}`;
      const expected = await outcome(async () => {
        const parsed: unknown = JSON.parse(spoilt);
        if (!isRows)
          return batchOfColumnar(
            parsed,
            columns.map(({ id }) => id),
          );
        if (!Array.isArray(parsed)) throw new Error("no rows");
        return batchOfRows(columns, parsed);
      });
      const reader = isRows
        ? createRowsReader(columns, large)
        : createColumnarReader(query, { columns: [] }, large);
      const actual = await outcome(() => read(reader, spoilt, pick([1, 7, Infinity])));
      if (expected === "refused") refused++;
      assert.is(actual, expected, note);
    }
    assert.ok(refused > rounds({ quick: 50, deep: 500 }), `${refused} were refused`);
  });

  test("an error names the position of the damage, or of the wrong cell, width or type", async () => {
    const good = `["Ghent",1,null]`;
    const rowsReader = () => createRowsReader(columns, large);
    const columnarReader = () => createColumnarReader(query, { columns: [] }, large);
    const kms = (values: string) =>
      `{"rowCount":1,"columns":[{"type":"hierarchy","values":["x"]},{"type":"numeric","values":${values}}]}`;
    for (const [reader, text, message] of [
      [
        rowsReader(),
        `[${good},${good},["Ghent",{},null]]`,
        /row 2 of column "km" must be a number, not an object/,
      ],
      [rowsReader(), `[${good},["Ghent",1]]`, /row 1 has 2 cells; it must have one per column, 3/],
      [rowsReader(), `[${good},7]`, /row 1 must be an array, not a number/],
      [rowsReader(), `{"rows":[${good}]}`, /\/query must return an array of rows/],
      [rowsReader(), `[${good},nonsense]`, /not JSON \(after row 0\)/],
      [rowsReader(), " <html>", /an HTML page/],
      [rowsReader(), "", /not JSON/],
      [rowsReader(), `[${good}`, /not JSON/],
      [columnarReader(), kms("[{}]"), /row 0 of column "km" must be a number, not an object/],
      [columnarReader(), kms("[1,2]"), /column "km" must have rowCount \(1\) values/],
      [columnarReader(), kms('"x"'), /column "km" must have rowCount \(1\) values/],
      [columnarReader(), kms("[1,]"), /not JSON/],
      [columnarReader(), '{"rowCount":-1,"columns":[]}', /rowCount must be a whole number/],
      [columnarReader(), "[]", /the columnar answer must be an object/],
      [
        columnarReader(),
        '{"rowCount":1,"columns":[{"values":["x"],"type":"numeric"}]}',
        /column "city" is numeric instead of hierarchy/,
      ],
      [
        columnarReader(),
        '{"rowCount":1,"columns":[{"type":"numeric","values":[1],"values":[2]}]}',
        /only one list of values/,
      ],
    ] as const) {
      const { code, message: said } = await failureOf(read(reader, text));
      assert.is(code, "PLUGIN_BAD_ANSWER", text);
      assert.match(said, message);
    }
  });

  test("values that arrive before their type are read if they fit the type", async () => {
    const text = '{"columns":[{"values":["x"],"type":"hierarchy"}],"rowCount":1}';
    const batch = await read(createColumnarReader(query, undefined, large), text);
    assert.equal(batch.columns[0], {
      type: "hierarchy",
      codes: Int32Array.of(0),
      dictionary: ["x"],
    });
  });

  test("columns above the size limit fail while they are read", async () => {
    const zeros = "0,".repeat(300_000);
    const rows = `[${"[null,0,null],".repeat(100_000)}[null,0,null]]`;
    let taken = 0;
    for (const [reader, text] of [
      [createRowsReader(columns, 2 ** 20), rows],
      [
        createColumnarReader(query, undefined, 2 ** 20),
        `{"columns":[{"type":"numeric","values":[${zeros}0]}]}`,
      ],
    ] as const) {
      const counting: Reader = {
        take: async (part) => {
          await reader.take(part);
          taken += part.length;
        },
        end: () => reader.end(),
      };
      taken = 0;
      const { code, message } = await failureOf(read(counting, text, 1000));
      assert.equal(
        [code, taken < text.length * 0.9],
        ["PLUGIN_SOURCE_FAILED", true],
        String(taken),
      );
      assert.match(message, "the answer is larger than 1 MB");
    }
  });

  test("an answer with an endless row, endless nesting or too much data outside its rows fails", async () => {
    for (const [text, message] of [
      [`[["${"x".repeat(9 * 2 ** 20)}"]]`, /a row or cell of more than/],
      [`[${"[".repeat(100)}`, /deeper than 64/],
      [
        `{"x":"${"x".repeat(5 * 2 ** 20)}"}`,
        /the part of the answer outside its rows is too large/,
      ],
    ] as const)
      assert.match(
        (await failureOf(read(createRowsReader(columns, large), text))).message,
        message,
      );
  });
});

/** Returns a batch as a string in which nulls of numbers are equal. */
function shown({ rowCount, columns: vectors }: Batch): string {
  return JSON.stringify([rowCount, vectors]);
}

/** Returns the answer or the error as a string. */
async function outcome(run: () => Promise<Batch>): Promise<string> {
  try {
    return shown(await run());
  } catch {
    return "refused";
  }
}
