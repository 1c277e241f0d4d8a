import * as assert from "uvu/assert";
import { hashBytes } from "../../../../engine/column/texts/hashTexts.ts";
import type { ColumnDefinition } from "../../../../engine/types.ts";
import { encodeJson, type JsonOptions } from "../../../../engine/ingest/json/encodeJson.ts";
import { EngineError } from "../../../../engine/index.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { plainColumns, plainEncode } from "../plainEncode.ts";

const seed = Number(process.env["SEED"] ?? 20261121);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const encode = (text: string, options?: JsonOptions) => encodeJson(bytesOf(text), options);
const cellsOf = (text: string, options?: JsonOptions) =>
  plainColumns(encode(text, options)).map(({ cells }) => cells);

/** Returns the error with which `encodeJson` rejects the given bytes. */
function refusal(bytes: Uint8Array | string, options?: JsonOptions): EngineError {
  try {
    encodeJson(typeof bytes === "string" ? bytesOf(bytes) : bytes, options);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error(`not refused: ${String(bytes)}`);
}

const pieces = [
  "a",
  "Z",
  " ",
  "é",
  "ß",
  "日本",
  "😀",
  "\\",
  '"',
  "/",
  "\n",
  "\t",
  "\u0000",
  "\u001f",
  "\u007f",
  "\u2028",
  "\ud800",
  "\udfff",
  "\ufeff",
  "__proto__",
  "2024-",
  "null",
  "]",
  "}",
  ",",
];

function randomText(random: Random): string {
  return Array.from({ length: random.below(9) }, () => random.pick(pieces)).join("");
}

function randomNumber(random: Random): number {
  const double = (random.below(2 ** 26) * 2 ** 27 + random.below(2 ** 27)) / 2 ** 53;
  return random.pick([
    () => random.below(100) - 50,
    () => random.below(2 ** 31) * 1000,
    () => random.below(1e5) / 100,
    () => double,
    () => double * 10 ** (random.below(40) - 20),
    () => double * 10 ** (random.below(600) - 320),
    () => -0,
    () => 1e308,
    () => 1e-320,
    () => Number.MAX_SAFE_INTEGER,
    () => 1e21,
  ])();
}

function randomInstant(random: Random): string {
  const instant = new Date(random.below(2 ** 31) * 1000 + random.below(1000)).toISOString();
  return random.pick([
    instant,
    instant.slice(0, 10),
    instant.slice(0, 19),
    instant.slice(0, 16),
    instant.replace("T", " "),
    instant.replace("Z", "+02:00"),
    instant.replace("Z", "-0330"),
    `+00${instant.slice(0, 10)}`,
  ]);
}

type Kind =
  | "number"
  | "instant"
  | "date"
  | "text"
  | "number or text"
  | "instant or text"
  | "date or number"
  | "null";
const kinds: readonly Kind[] = [
  "number",
  "instant",
  "date",
  "text",
  "number or text",
  "instant or text",
  "date or number",
  "null",
];

function randomCell(random: Random, kind: Kind): unknown {
  if (kind === "null" || random.chance(0.15)) return null;
  const rare = random.chance(0.1);
  if (kind === "number" || (kind === "number or text" && !rare)) return randomNumber(random);
  if (kind === "date or number" && rare) return randomNumber(random);
  if (kind === "date" || kind === "date or number") return randomInstant(random).slice(0, 10);
  if (kind === "instant" || (kind === "instant or text" && !rare)) return randomInstant(random);
  return randomText(random);
}

/** Returns a value as unusual JSON, with white space, needless escapes and rare forms of numbers. */
function writeLoosely(random: Random, value: unknown): string {
  const gap = () => (random.chance(0.2) ? random.pick([" ", "\n", "\r\n", "\t", "  "]) : "");
  const write = (item: unknown): string => {
    if (Array.isArray(item))
      return `[${gap()}${item.map(write).join(`${gap()},${gap()}`)}${gap()}]`;
    if (typeof item === "number") return writeNumber(random, item);
    if (typeof item !== "string" || !random.chance(0.3)) return JSON.stringify(item);
    return `"${Array.from(item.split(""), (unit) =>
      random.chance(0.3) ||
      unit < " " ||
      unit === '"' ||
      unit === "\\" ||
      /[\ud800-\udfff]/.test(unit)
        ? `\\u${unit
            .charCodeAt(0)
            .toString(16)
            .padStart(4, random.pick(["0"]))}`
        : unit,
    ).join("")}"`;
  };
  return gap() + write(value) + gap();
}

function writeNumber(random: Random, value: number): string {
  return random.pick([
    String(value),
    value.toExponential(),
    Object.is(value, -0)
      ? "-0"
      : Number.isInteger(value) && Math.abs(value) < 1e15
        ? `${value}.000`
        : String(value),
    value.toExponential().toUpperCase(),
    value.toPrecision(20),
  ]);
}

function randomRows(random: Random): readonly (readonly unknown[])[] {
  const columns = Array.from({ length: 1 + random.below(5) }, () => random.pick(kinds));
  return Array.from({ length: 1 + random.below(random.pick([4, 200])) }, () =>
    columns.map((kind) => randomCell(random, kind)),
  );
}

suite("engine/ingest/json/encodeJson", (test) => {
  test("random rows are encoded to the same columns as when they are parsed with JSON.parse and pushed", () => {
    for (let index = 0; index < rounds({ quick: 160, deep: 1_500 }); index++) {
      const random = createRandom(seed + index);
      const rows = randomRows(random);
      const text = writeLoosely(random, rows);
      const about = `SEED=${seed + index} ${text.slice(0, 2_000)}`;
      let expected;
      try {
        expected = plainEncode(text);
      } catch {
        assert.ok(refusal(text), about);
        continue;
      }
      assert.equal(plainColumns(encode(text)), expected, about);
    }
  });

  test("random rows for given columns are accepted or rejected exactly as in a push", () => {
    let refused = 0;
    for (let index = 0; index < rounds({ quick: 120, deep: 1_000 }); index++) {
      const random = createRandom(seed + index);
      const rows = randomRows(random);
      const text = JSON.stringify(rows);
      const columns = (rows[0] ?? []).map((_, place) => ({
        name: `c${place}`,
        type: random.pick(["number", "datetime", "text", "text"] as const),
      }));
      const about = `SEED=${seed + index} ${text.slice(0, 2_000)}`;
      let expected;
      try {
        expected = plainEncode(text, columns);
      } catch {
        assert.is(refusal(text, { columns }).code, "INGEST_CELL", about);
        refused++;
        continue;
      }
      const found = plainColumns(encode(text, { columns }));
      assert.equal(
        found.map(({ name, cells, type }) => ({ name, cells, type })),
        expected.map(({ name, cells, type }) => ({ name, cells, type })),
        about,
      );
    }
    assert.ok(
      refused > rounds({ quick: 10, deep: 100 }) && refused < rounds({ quick: 115, deep: 950 }),
      `${refused} refused`,
    );
  });

  test("strings of any length and number are kept, even if their hashes are chosen to collide", () => {
    const random = createRandom(seed);
    const crowd: string[] = [];
    const bytes = new Uint8Array(64);
    for (let number = 0; crowd.length < 150; number++) {
      const { written } = new TextEncoder().encodeInto(`t${number}`, bytes);
      if ((hashBytes(new DataView(bytes.buffer), 0, written) & 0xfff) === 0x123)
        crowd.push(`t${number}`);
    }
    const rows = Array.from({ length: 4_000 }, (_, row) => [
      random.pick(crowd),
      `text ${row}`,
      random.chance(0.01) ? random.pick(["é", '"', "x"]).repeat(random.below(90_000)) : "",
      row % 1_000,
    ]);
    const text = JSON.stringify(rows);
    assert.equal(plainColumns(encode(text)), plainEncode(text));
  });

  test("a column's type is found even if only a late cell determines it", () => {
    for (const rowCount of [1, 63, 64, 65, 200])
      for (const cells of [
        [null, 1, "x"],
        [null, "2024-01-31", 5],
        ["2024-01-31", "2024-01-31T10:00:00+02:00", "no date"],
        [1.5, 2.5e-7, "x"],
      ]) {
        const rows = [
          ...Array.from({ length: rowCount }, () => [cells[0]]),
          ...Array.from({ length: rowCount }, () => [cells[1]]),
          [cells[2]],
          [cells[0]],
        ];
        const text = JSON.stringify(rows);
        assert.equal(plainColumns(encode(text)), plainEncode(text), `${rowCount} ${cells.join()}`);
      }
  });

  test("every number is parsed to the same double that JSON.parse returns", () => {
    const random = createRandom(seed);
    const numbers = [
      "0",
      "-0",
      "0.0",
      "1e5",
      "1E+5",
      "123456789012345678",
      "0.1",
      "9007199254740993.5",
      "900719925474099.35",
      "4.35",
      "2.2250738585072014e-308",
      "5e-324",
      "1e-400",
      "17976931348623157e292",
      "0.000000000000000000000001",
      "8.5e22",
      "123e-22",
      "1.00000000000000011102230246251565",
      "9007199254740992.5",
      "4503599627370497.5",
      "4503599627370496.5",
      "99999999999999974834176e0",
    ];
    const roundCount = rounds({ quick: 600, deep: 30_000 });
    for (let index = 0; index < roundCount; index++) {
      const digits = 1 + random.below(20);
      let text = String(1 + random.below(9));
      for (let digit = 1; digit < digits; digit++) text += random.below(10);
      const point = random.below(digits + 1);
      text = point === digits ? text : `${text.slice(0, point) || "0"}.${text.slice(point)}`;
      numbers.push(random.chance(0.3) ? `${text}e${random.below(60) - 30}` : text);
      numbers.push(String(randomNumber(random)));
    }
    const kept = numbers.filter((text) => {
      const value = Math.abs(Number(text));
      return !(Number.isInteger(value) && !Number.isSafeInteger(value) && value < 1e21);
    });
    assert.ok(kept.length > (roundCount * 4) / 3);
    const [cells] = cellsOf(`[${kept.map((text) => `[${text}]`).join()}]`);
    kept.forEach((text, index) => {
      if (!Object.is(cells[index], Number(text) + 0)) assert.is(cells[index], Number(text), text);
    });
  });

  test.deep("JSON that is truncated at any byte or contains an invalid byte is rejected", () => {
    const whole = `\ufeff [ ["2024-01-31","é\\u00e9\\"\\\\",-1.5e-3,null,"a\\ud83d\\ude00"] , ["2024-02-01T00:00:00Z","",0,null,"b"]\n] `;
    const bytes = bytesOf(whole);
    const end = bytes.lastIndexOf(93);
    for (let length = 0; length <= end; length++)
      assert.is(refusal(bytes.subarray(0, length)).code, "INGEST_MALFORMED", `cut at ${length}`);
    let refused = 0;
    for (let at = 0; at < bytes.length; at++)
      for (let byte = 0; byte < 256; byte++) {
        const spoilt = bytes.with(at, byte);
        let isWrong = false;
        try {
          plainEncode(new TextDecoder("utf-8", { fatal: true }).decode(spoilt));
        } catch {
          isWrong = true;
        }
        if (isWrong) {
          refusal(spoilt);
          refused++;
        } else encodeJson(spoilt);
      }
    assert.ok(refused > 10_000);
  });

  test("the error names the byte at which the JSON is malformed", () => {
    const cases: readonly (readonly [string, number, RegExp])[] = [
      ["", 0, /ends too early/],
      ["{}", 0, /rows must be a JSON array/],
      ["[1]", 1, /row 1 must be a list of cells/],
      ["[[1],]", 5, /row 2 must be a list of cells/],
      ["[[1,]]", 4, /unexpected \]/],
      ["[[1][2]]", 4, /unexpected \[/],
      ["[[1]] x", 6, /unexpected x/],
      ["[[01]]", 3, /must not start with 0/],
      ["[[1.]]", 4, /a digit after its decimal point/],
      ["[[1e]]", 4, /exponent/],
      ["[[-]]", 2, /unexpected -/],
      ["[[NaN]]", 2, /NaN and infinities are not JSON/],
      ["[[-Infinity]]", 2, /NaN and infinities are not JSON/],
      ["[[nul]]", 2, /unexpected n/],
      ["[['a']]", 2, /unexpected '/],
      ['[["\n"]]', 3, /byte 10, which must be escaped/],
      ['[["\\x"]]', 4, /escape that JSON does not define/],
      ['[["\\u12g4"]]', 7, /four hexadecimal digits/],
      ['[{"a":1}]', 1, /row 1 must be a list of cells, not an object/],
      ['[[1],{"a":1}]', 5, /row 2 must be a list of cells, not an object/],
      ["[[1],[1,2]]", 8, /row 2 has more cells, but the first row has 1/],
      ["[[1,2],[1]]", 9, /row 2 has 1 cells, but the first row has 2/],
      ["[[]]", 2, /row 1 has no cells/],
      ["[[1]]\u0000", 5, /unexpected byte 0/],
    ];
    for (const [text, at, reason] of cases) {
      const { code, details, message } = refusal(text);
      assert.is(code, "INGEST_MALFORMED", text);
      assert.is(details[1], at, `${text}: ${message}`);
      assert.match(message, reason);
    }
    const broken = Uint8Array.of(91, 91, 34, 97, 0xc3, 34, 93, 93);
    assert.equal(refusal(broken).details, [
      "JSON",
      4,
      "the bytes here are not UTF-8; send JSON as UTF-8",
    ]);
  });

  test("the error for an unsupported value names its row and column, counted from 1", () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        "[[1,2],[1,true]]",
        /row 2, column 2 \(column_2\): must be a number, a string or null, not a boolean/,
      ],
      ["[[1,2],[1,false]]", /row 2, column 2 .*not a boolean/],
      ["[[1,2],[1,[]]]", /row 2, column 2 .*not a list/],
      ["[[{}]]", /row 1, column 1 \(column_1\): must be a number, a string or null, not an object/],
      ["[[9007199254740992]]", /beyond 2\^53/],
      ["[[-9007199254740992]]", /beyond 2\^53/],
      ['[["x"],[12345678901234567890]]', /row 2.*beyond 2\^53/],
      ["[[1e309]]", /must be a finite number/],
    ];
    for (const [text, reason] of cases) {
      const { code, message } = refusal(text);
      assert.is(code, "INGEST_CELL", text);
      assert.match(message, reason);
    }
    assert.is(refusal(`[${"[".repeat(1_000_000)}`).code, "INGEST_CELL");
  });

  test("the cells of a row belong to the given columns in order", () => {
    const columns: readonly ColumnDefinition[] = [
      { name: "id-1", type: "text" },
      { name: "id-2", type: "number" },
    ];
    assert.equal(cellsOf('[["a",1],[null,null],[7,null]]', { columns }), [
      ["a", null, "7"],
      [1, null, null],
    ]);
    assert.match(
      refusal('[["a"]]', { columns }).message,
      /row 1 has 1 cells, but there are 2 columns/,
    );
    assert.match(
      refusal('[["a",1,2]]', { columns }).message,
      /row 1 has more cells, but there are 2 columns/,
    );
    assert.match(
      refusal('[["a","1"]]', { columns }).message,
      /column 2 \(id-2\): must be a number or null, not a string/,
    );
    assert.match(
      refusal("[[1]]", { columns: [{ name: "d", type: "datetime" }] }).message,
      /must be an ISO date-time or null, not a number/,
    );
    assert.match(
      refusal('[["x"]]', { columns: [{ name: "d", type: "datetime" }] }).message,
      /must be an ISO date-time or null, not another string/,
    );
    assert.equal(
      plainColumns(encode("[]", { columns })).map(({ type }) => type),
      ["text", "number"],
    );
  });

  test("a column of nulls is marked as empty, and a column of only days as a date column", () => {
    const { columns } = encode(
      '[[null,"2024-01-01","2024-01-01"],[null,null,"2024-01-01T00:00:00"]]',
    );
    assert.equal(
      columns.map(({ isEmpty, isDate }) => [isEmpty, isDate]),
      [
        [true, false],
        [false, true],
        [false, false],
      ],
    );
    assert.equal(encode("[]"), { rowCount: 0, columns: [] });
  });

  test("the JSON may be in shared memory and may be part of a larger buffer", () => {
    const text = bytesOf('xx[["é",1],["\\u00e9",null]]yy');
    const shared = new Uint8Array(new SharedArrayBuffer(text.length));
    shared.set(text);
    for (const bytes of [text, shared])
      assert.equal(
        plainColumns(encodeJson(bytes.subarray(2, -2))).map(({ cells }) => cells),
        [
          ["é", "é"],
          [1, null],
        ],
      );
  });

  test("JSON with more columns than the limit is rejected", () => {
    const wide = (width: number) => `[[${Array.from({ length: width }, () => "1").join()}]]`;
    assert.is(encode(wide(4096)).columns.length, 4096);
    assert.match(refusal(wide(4097)).message, /more than 4096 columns/);
  });
});
