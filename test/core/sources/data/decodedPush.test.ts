import * as assert from "uvu/assert";
import { ApiError, UnparsedJson } from "../../../../core/base/index.ts";
import { sizeOfBatch } from "../../../../core/queries/index.ts";
import { measureVector } from "../../../../core/sources/data/measureColumns.ts";
import { parsePush, type RowReading } from "../../../../core/sources/data/parsePush.ts";
import type { EncodedColumn } from "../../../../core/sources/data/encodeRows.ts";
import { dataTypes, type BatchColumn, type DataType } from "../../../../plugins/protocol/index.ts";
import { decodeHere } from "../../../support/decodeHere.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const forms = [undefined, "DMY", "MDY", "YMD", "X", "x"] as const;

/** The notation of cells of one kind. Most columns have one kind. */
const kinds: readonly ((random: Random) => string)[] = [
  (random) => String(random.below(1000) / 8),
  (random) =>
    random.pick(["-0", "1.50", "1e3", "1E-7", "0.1e2", "123456789012", "1e21", "-5e-324"]),
  (random) => random.pick(['"a"', '"b c"', '"\\u00e4"', '"日本😀"', '""', '"\\ud800"', '"\\n\\""']),
  (random) => `"2024-0${1 + random.below(9)}-1${random.below(10)}"`,
  (random) => `"2024-01-05T0${random.below(10)}:30:00Z"`,
  (random) => `"${1 + random.below(28)}/${1 + random.below(12)}/2024"`,
  (random) => `"${1700000000 + random.below(1000)}"`,
  (random) =>
    random.pick(
      ['"126"', '"-1.5e3"', '"0.1"', "7", '"1e999"', '" 1"', '"01"'].slice(
        0,
        random.chance(0.1) ? 7 : 4,
      ),
    ),
  () => "null",
];
const odd = [
  "true",
  "[1]",
  '{"a":1}',
  "9007199254740993",
  "1e400",
  "1e999",
  "",
  "01",
  '"\\x"',
  "+1",
];

function randomJson(random: Random): string {
  const width = 1 + random.below(4);
  const columns = Array.from({ length: width }, () => random.pick(kinds));
  const space = () => (random.chance(0.05) ? random.pick([" ", "\n", "\t "]) : "");
  const rows = Array.from({ length: random.below(12) }, () => {
    const cells = columns.map((kind) => {
      if (random.chance(0.1)) return "null";
      if (random.chance(0.003)) return random.pick(odd);
      return random.chance(0.03) ? random.pick(kinds)(random) : kind(random);
    });
    if (random.chance(0.003)) cells.push("1");
    return `${space()}[${cells.map((cell) => space() + cell + space()).join(",")}]${space()}`;
  });
  const json = `[${rows.join(",")}${space()}]`;
  return random.chance(0.01)
    ? random.pick([json.slice(0, -1), `${json},`, '[{"a":1}]', "[1]"])
    : json;
}

function cellsOf(column: BatchColumn): unknown {
  if (column.type !== "hierarchy") return [column.type, ...column.values];
  return [column.type, ...Array.from(column.codes, (code) => column.dictionary[code] ?? null)];
}

/** Returns everything that a push depends on, or the error that rejects it. */
async function outcome(
  data: unknown,
  header: readonly string[] | undefined,
  reading: RowReading,
  targets: (width: number) => readonly EncodedColumn[],
  countsNumberTexts: boolean,
): Promise<unknown> {
  const numberTexts: unknown[] = [];
  const counting = (column: EncodedColumn): EncodedColumn => ({
    ...column,
    countNumberTexts: (count) => numberTexts.push([column.position, count]),
  });
  try {
    const { rows } = await parsePush({ type: "create", data, options: { header } }, reading);
    const width = rows.width ?? 0;
    const detected = Array.from({ length: width }, (_, position) => rows.detect(position));
    const vectors = await rows.encode(
      countsNumberTexts ? targets(width).map(counting) : targets(width),
    );
    const sizeBytes = sizeOfBatch({ rowCount: rows.count, columns: vectors });
    const measures = vectors.map(measureVector);
    const cells = vectors.map(cellsOf);
    const digest = await rows.digest();
    rows.release();
    const sizes = { count: rows.count, width, sizeBytes };
    return { ...sizes, detected, measures, cells, digest, numberTexts };
  } catch (failure) {
    if (failure instanceof ApiError) return [failure.code, failure.message];
    throw failure;
  }
}

const parsed = (json: string) => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new ApiError("REQUEST_NOT_JSON", ["it cannot be parsed"]);
  }
};

suite("core/sources/data/decodedPush", (test) => {
  test("rows that a thread decodes give the same columns, digests and errors as parsed rows", async () => {
    let decodedCount = 0;
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 400, deep: 8_000, soak: 30_000 }); round++) {
        const json = randomJson(random);
        const header = random.chance(0.3)
          ? ["a", "b", "c"].slice(0, 1 + random.below(3))
          : undefined;
        const wanted = Array.from({ length: 5 }, () => ({
          type: random.pick(dataTypes),
          form: random.pick(forms),
          isOwn: random.chance(0.7),
        }));
        const targetsOf =
          (types: readonly DataType[]) =>
          (width: number): readonly EncodedColumn[] =>
            Array.from({ length: width }, (_, position) => {
              const { type, form, isOwn } = wanted[position]!;
              return {
                type: isOwn ? types[position]! : type,
                position,
                name: `c${position}`,
                ...(form && { form }),
              };
            });
        const own = await ownTypes(json);
        const decode: RowReading["decode"] = async (rows) => {
          const decoded = await decodeHere(rows);
          if (decoded) decodedCount++;
          return decoded;
        };
        const bytes = new TextEncoder().encode(json);
        const left = new UnparsedJson(bytes, async () => parsed(json));
        const cells: unknown = await left.parse().catch(() => undefined);
        const isExisting = random.chance(0.5);
        const expected = await outcome(cells, header, {}, targetsOf(own), isExisting);
        const reading = { decode, hasDigest: true };
        const found = await outcome(left, header, reading, targetsOf(own), isExisting);
        if (cells !== undefined) assert.equal(found, expected, json);
        else assert.equal((found as readonly unknown[])[0], "REQUEST_NOT_JSON", json);
      }
    });
    assert.ok(decodedCount > rounds({ quick: 120, deep: 500 }));
  });
});

/** Returns the types of the columns as a push of them would detect these. */
async function ownTypes(json: string): Promise<readonly DataType[]> {
  try {
    const { rows } = await parsePush({ type: "create", data: JSON.parse(json) }, {});
    return Array.from({ length: rows.width ?? 0 }, (_, position) => rows.detect(position).type);
  } catch {
    return Array.from({ length: 5 }, () => "hierarchy" as const);
  }
}
