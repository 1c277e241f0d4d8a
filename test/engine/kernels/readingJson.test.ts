import assert from "node:assert/strict";
import { decimalPowers } from "../../../engine/ingest/json/decimalPowers.ts";
import { openDecodeMemory } from "../../../engine/ingest/decode/decodeMemory.ts";
import { TextReader } from "../../../engine/ingest/decode/textReader.ts";
import { decodeTexts } from "../../../engine/column/texts/decodeTexts.ts";
import {
  jsonColumnBytes,
  jsonColumnTypes,
  jsonColumnWords,
  jsonReaderBytes,
  jsonReaderWords,
  jsonStatus,
} from "../../../engine/kernels/jsonReader.ts";
import { parseInstant } from "../../../engine/time/parseInstant.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20261201);
type Type = "number" | "datetime" | "text";
type Cell = string | number | null;

interface Parsed {
  readonly status: number;
  readonly rowCount: number;
  /** The position at which reading stopped, in bytes from the start. */
  readonly position: number;
  readonly cells: readonly (readonly Cell[])[];
  readonly filled: readonly number[];
}

/** Lets the kernel read rows from JSON. Unless `isFixed`, pools of strings grow when they are full. */
function parse(
  bytes: Uint8Array,
  types: readonly Type[],
  { capacity = 2_000, isFixed = false, scratchBytes = 1_000, rowLimit = 1_000_000 } = {},
): Parsed {
  const memory = openDecodeMemory();
  const text = memory.takeZeros(bytes.length + 64);
  memory.bytes(text, bytes.length).set(bytes);
  const columnsAt = memory.takeZeros(types.length * jsonColumnBytes);
  const columns = types.map((type, index) => {
    const record = memory.words(columnsAt + index * jsonColumnBytes, jsonColumnBytes / 4);
    const texts = new TextReader(memory, "");
    const values = memory.take((capacity + 8) * 8);
    memory.bytes(values, (capacity + 8) * 8).fill(0x77);
    record[jsonColumnWords.type] = jsonColumnTypes[type];
    record[jsonColumnWords.texts] = texts.address;
    record[jsonColumnWords.values] = values;
    record[jsonColumnWords.capacity] = capacity;
    return { type, record, texts, values };
  });
  const scratch = memory.take(scratchBytes);
  const reader = memory.words(memory.takeZeros(jsonReaderBytes), jsonReaderBytes / 4);
  const set = (name: keyof typeof jsonReaderWords, value: number) => {
    reader[jsonReaderWords[name]] = value;
  };
  set("at", text);
  set("rowLimit", rowLimit);
  set("columns", columnsAt);
  set("columnCount", types.length);
  set("powers", memory.place(decimalPowers()));
  set("scratch", scratch);
  set("scratchBytes", scratchBytes);
  let status = memory.decoders.parseJsonRows(reader.byteOffset);
  while (status === jsonStatus.full && !isFixed) {
    columns[reader[jsonReaderWords.column]]?.texts.reserve(reader[jsonReaderWords.wantedBytes]);
    status = memory.decoders.parseJsonRows(reader.byteOffset);
  }
  const rowCount = reader[jsonReaderWords.row] ?? 0;
  const cells = columns.map(({ type, record, texts, values }) => {
    const filled = Math.min(record[jsonColumnWords.filled] ?? 0, rowCount);
    const guard = memory.bytes(values + capacity * (type === "text" ? 4 : 8), 32);
    assert.ok(
      guard.every((byte) => byte === 0x77),
      "nothing is written past the reserved memory",
    );
    const packed = texts.pack(record[jsonColumnWords.hasLone] === 1);
    const known = decodeTexts(packed);
    if (type === "text")
      return Array.from(memory.words(values, filled), (code) =>
        code < 0 ? null : (known[code] ?? assert.fail("a code without a string")),
      );
    return Array.from(memory.doubles(values, filled), (value) =>
      Number.isNaN(value) ? null : value,
    );
  });
  const position = (reader[jsonReaderWords.at] ?? 0) - text;
  const filled = columns.map(({ record }) => record[jsonColumnWords.filled] ?? 0);
  return { status, rowCount, position, cells, filled };
}

const encode = (text: string) => new TextEncoder().encode(text);
const gap = (random: Random) =>
  random.chance(0.05) ? random.pick([" ", "\n", "\t", "\r\n "]) : "";

/** Converts -0 to 0. */
const plain = (cell: Cell) => (typeof cell === "number" ? cell + 0 : cell);

function randomText(random: Random): string {
  const pieces = [
    "a",
    "b",
    "é",
    "日",
    "😀",
    '"',
    "\\",
    "\n",
    "\u0001",
    "/",
    "\ud800",
    "longer text ",
  ];
  return Array.from({ length: random.below(9) }, () => random.pick(pieces)).join("");
}

function writeText(random: Random, text: string): string {
  if (random.chance(0.8)) return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
}

/** Returns a number below 2^53 in any JSON notation of up to 19 digits, with exponents within the kernel's table. */
function randomNumber(random: Random): string {
  const digits = Array.from({ length: 1 + random.below(18) }, () => random.below(10)).join("");
  const whole = digits.replace(/^0+(?=.)/, "");
  const point = random.below(whole.length + 1);
  const written = random.pick([
    whole.slice(0, 15),
    `${whole.slice(0, point) || "0"}.${whole.slice(point) || "0"}`.replace(/^0\d/, "0"),
    `0.${whole}`.slice(0, 20),
    `${whole.slice(0, 1)}.${whole.slice(1) || "0"}e${random.below(60) - 45}`,
  ]);
  if (Number(written) >= 2 ** 53) return randomNumber(random);
  return random.chance(0.3) ? `-${written}` : written;
}

function randomInstant(random: Random): string {
  const instant = new Date(random.below(2 ** 42) - 2 ** 41).toISOString();
  const [day = "", time = ""] = instant.slice(0, 23).split("T");
  return random.pick([
    day,
    instant,
    `${day} ${time}`,
    `${day}T${time.slice(0, 5)}`,
    `${day}T${time.slice(0, 8)}+02:00`,
    `${day}T${time}123456Z`,
    `${day}T${time.replace(".", ",")} -0330`,
    `${day} ${time.slice(0, 8)}.5z`,
    `${day} +05`,
    `${day}Z`,
  ]);
}

suite("engine/kernels/readingJson", (test) => {
  test("rows are read into the same cells that JSON.parse returns", () => {
    const types: readonly Type[] = ["number", "text", "datetime", "text", "number"];
    for (let round = 0; round < rounds({ quick: 40, deep: 300 }); round++) {
      const random = createRandom(seed + round);
      const rowCount = 1 + random.below(60);
      const expected: Cell[][] = types.map(() => []);
      const rows = Array.from({ length: rowCount }, () => {
        const cells = types.map((type) => {
          const isNull = random.chance(0.1);
          const text =
            type === "text"
              ? writeText(random, randomText(random))
              : type === "number"
                ? randomNumber(random)
                : JSON.stringify(randomInstant(random));
          const written = isNull ? "null" : text;
          const value = JSON.parse(written) as Cell;
          const cell = type === "datetime" && value !== null ? parseInstant(String(value)) : value;
          return { written, cell: plain(cell) };
        });
        cells.forEach(({ cell }, column) => expected[column]?.push(cell));
        return `[${cells.map(({ written }) => `${gap(random)}${written}${gap(random)}`).join()}]`;
      });
      const text = rows.join(random.chance(0.5) ? "," : " ,\n ");
      const found = parse(encode(`${text}]`), types);
      const about = `SEED=${seed + round} ${text.slice(0, 1_000)}`;
      assert.equal(found.status, jsonStatus.behind, about);
      assert.equal(found.rowCount, rowCount, about);
      assert.equal(found.position, encode(text).length, about);
      assert.deepEqual(found.cells, expected, about);
    }
  });

  test("decimals of up to 19 digits are read to the nearest double, even close to ties", () => {
    const random = createRandom(seed);
    const numbers = Array.from({ length: 1_500 }, () => randomNumber(random));
    for (let index = 0; index < rounds({ quick: 50, deep: 400 }); index++) {
      // Numbers half-way between two doubles, and numbers that differ from these by one digit.
      const whole = 2 ** 52 + random.below(2 ** 31);
      numbers.push(
        `${whole}.5`,
        `${whole}.500`,
        `${whole - 2 ** 51}.25`,
        `${whole - 1}.501`,
        `${whole}.499`,
      );
    }
    const text = numbers.map((number) => `[${number}]`).join();
    const { rowCount, cells } = parse(encode(text), ["number"], { capacity: 4_000 });
    assert.equal(rowCount, numbers.length);
    numbers.forEach((number, row) =>
      assert.ok(Object.is(cells[0]?.[row], Number(number) + 0), `${number}: ${cells[0]?.[row]}`),
    );
  });

  test("for four-digit years, the kernel reads exactly the strings that parseInstant reads", () => {
    const random = createRandom(seed);
    let taken = 0;
    for (let index = 0; index < rounds({ quick: 800, deep: 8_000 }); index++) {
      let text = randomInstant(random);
      while (random.chance(0.4)) {
        const at = random.below(text.length);
        text =
          text.slice(0, at) +
          random.pick([..."0123456789-:.,TZ z+"]) +
          text.slice(at + random.below(2));
      }
      const expected = parseInstant(text);
      const { rowCount, cells } = parse(encode(`[${JSON.stringify(text)}]`), ["datetime"], {
        capacity: 1,
      });
      if (/^[+-]/.test(text)) continue;
      taken += rowCount;
      assert.equal(rowCount, Number.isNaN(expected) ? 0 : 1, text);
      if (rowCount === 1) assert.equal(cells[0]?.[0], expected, text);
    }
    assert.ok(
      taken > rounds({ quick: 180, deep: 2_000 }) && taken < rounds({ quick: 770, deep: 7_600 }),
      `${taken} taken`,
    );
  });

  test("a row that the kernel cannot read leaves nothing in the output", () => {
    const types: readonly Type[] = ["number", "text"];
    const refused = [
      '[1,"a",2]',
      "[1]",
      "[]",
      '[1,"a"',
      '{"a":1}',
      '["1","a"]',
      "[1,2]",
      "[1,true]",
      '[01,"a"]',
      '[1.,"a"]',
      '[1e,"a"]',
      '[-,"a"]',
      '[12345678901234567890,"a"]',
      '[9007199254740992,"a"]',
      '[1e99999,"a"]',
      '[1,"\\x"]',
      '[1,"\\u12g4"]',
      '[1,"a\nb"]',
      '[1,"a]',
      '[1,"a\\',
      "[nul,1]",
      `[1,"\\n${"x".repeat(1_000)}"]`,
    ];
    for (const row of refused) {
      const { status, rowCount, position, filled } = parse(encode(`[7,"first"],${row}`), types);
      assert.deepEqual(
        { status, rowCount, position, filled },
        {
          status: jsonStatus.unread,
          rowCount: 1,
          position: 12,
          filled: [1, 1],
        },
        row,
      );
    }
  });

  test("the kernel requests memory before it needs more, and stops at the limit on rows", () => {
    const rows = Array.from({ length: 300 }, (_, row) => `[${row},"text ${row}"]`).join();
    const types: readonly Type[] = ["number", "text"];
    const narrow = parse(encode(rows), types, { capacity: 100 });
    assert.equal(narrow.status, jsonStatus.narrow);
    assert.deepEqual(narrow.filled, [100, 100]);
    const full = parse(encode(rows), types, { isFixed: true });
    assert.equal(full.status, jsonStatus.full);
    assert.deepEqual([full.rowCount, ...full.filled], [64, 64, 64]);
    const limited = parse(encode(rows), types, { rowLimit: 10 });
    assert.deepEqual(
      [limited.status, limited.rowCount, ...limited.filled],
      [jsonStatus.unread, 10, 10, 10],
    );
    assert.equal(encode(rows)[limited.position], 91);
  });

  test("JSON with any replaced bytes gives the same rows as JSON.parse", () => {
    const random = createRandom(seed);
    const types: readonly Type[] = ["number", "text", "text"];
    const whole =
      '[1.25,"é\\u00e9\\"",null],[-3e2,"\\ud83d\\ude00","plain text of more than sixteen"],[0,"",""]';
    const bytes = encode(whole);
    let readCount = 0;
    for (let index = 0; index < rounds({ quick: 800, deep: 8_000 }); index++) {
      let spoilt: Uint8Array = bytes.with(random.below(bytes.length), random.below(256));
      if (random.chance(0.3)) spoilt = spoilt.subarray(0, random.below(spoilt.length) + 1);
      if (random.chance(0.3))
        spoilt = spoilt.with(
          random.below(spoilt.length),
          random.pick([...encode('[]{}",:\\0123456789eE.-+ntu')]),
        );
      const { rowCount, position, cells, status } = parse(spoilt, types, { capacity: 3 });
      let text: string;
      try {
        text = new TextDecoder("utf-8", { fatal: true }).decode(spoilt.subarray(0, position));
      } catch {
        // The kernel's callers check that the bytes are valid UTF-8.
        continue;
      }
      const rows = JSON.parse(
        `[${status === jsonStatus.behind ? text : text.replace(/,\s*$/, "")}]`,
      ) as Cell[][];
      assert.equal(rows.length, rowCount, text);
      readCount += rowCount;
      assert.deepEqual(
        cells.map((column) => Array.from(column)),
        types.map((_, column) => rows.map((row) => plain(row[column] ?? null))),
        text,
      );
    }
    assert.ok(readCount > rounds({ quick: 250, deep: 3_000 }));
  });
});
