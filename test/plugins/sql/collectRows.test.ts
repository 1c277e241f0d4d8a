import * as assert from "uvu/assert";
import { dialect } from "../../../connectors/postgres/dialect.ts";
import type { Batch, Cell } from "../../../plugins/protocol/index.ts";
import { collectRows } from "../../../plugins/sql/collectRows.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { failureOf } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";

const columns = [
  { id: "n", type: "numeric" },
  { id: "at", type: "datetime" },
  { id: "t", type: "hierarchy" },
] as const;
const sizeBytes = 2 ** 30;

type Row = readonly (string | null)[];

function randomRow(random: Random): Row {
  const orNull = (text: string) => (random.chance(0.1) ? null : text);
  const day = String(1 + random.below(28)).padStart(2, "0");
  return [
    orNull(
      random.chance(0.05)
        ? random.pick(["NaN", "Infinity", "-Infinity"])
        : String(random.below(1e6) / 8),
    ),
    orNull(`2024-02-${day} 11:12:13.${random.below(1000)}`),
    orNull(`text ${random.below(20_000)}`),
  ];
}

async function* blocksOf(rows: readonly Row[], random: Random): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length;) {
    const to = from + 1 + random.below(3000);
    yield rows.slice(from, to);
    from = to;
  }
}

function cellsOf({ rowCount, columns: vectors }: Batch): Cell[][] {
  return Array.from({ length: rowCount }, (_, row) =>
    vectors.map((vector) => {
      if (vector.type === "hierarchy") return vector.dictionary[vector.codes[row]!] ?? null;
      const value = vector.values[row]!;
      return Number.isNaN(value) ? null : value;
    }),
  );
}

function expectedOf([n, at, t]: Row): Cell[] {
  const number = n === null ? Number.NaN : Number(n);
  const [whole = "", fraction = ""] = at?.split(".") ?? [];
  const instant = Date.parse(`${whole.replace(" ", "T")}.${fraction.padEnd(3, "0")}Z`);
  return [Number.isFinite(number) ? number : null, at === null ? null : instant, t ?? null];
}

suite("plugins/sql/collectRows", (test) => {
  test.deep(
    "the parts that are passed on early and the final answer together contain all rows in order",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        for (let round = 0; round < rounds({ quick: 2, deep: 20 }); round++) {
          const rows = Array.from({ length: random.below(120_000) }, () => randomRow(random));
          const parts: Batch[] = [];
          const append = async (part: Batch) => void parts.push(part);
          const options = { dialect, sizeBytes, append };
          const rest = await collectRows(blocksOf(rows, random), columns, options);
          for (const { rowCount, columns: vectors } of parts) {
            assert.ok(rowCount > 10_000, "a part is long");
            const texts = vectors[2]?.type === "hierarchy" ? vectors[2].dictionary : [];
            assert.is(new Set(texts).size, texts.length);
          }
          const collected = [...parts, rest].flatMap(cellsOf);
          assert.is(collected.length, rows.length);
          rows.forEach((row, index) => {
            const [expected, cells] = [expectedOf(row), collected[index]];
            if (expected.some((cell, column) => cell !== cells?.[column]))
              assert.equal(cells, expected, `row ${index}`);
          });
        }
      });
    },
  );

  test("the rows of a slow source are passed on after a second, even if they are few", async () => {
    let nowMs = 0;
    const passed: number[] = [];
    async function* slowly() {
      for (let row = 0; row < 6; row++) {
        yield [[String(row), null, null]];
        nowMs += 500;
      }
    }
    const rest = await collectRows(slowly(), columns, {
      dialect,
      sizeBytes,
      append: async ({ rowCount }) => void passed.push(rowCount),
      now: () => nowMs,
    });
    assert.equal([passed, rest.rowCount], [[3, 2], 1]);
  });

  test("without a receiver for early parts, the answer contains all rows", async () => {
    const random = createRandom(1);
    const rows = Array.from({ length: 6_000 }, () => randomRow(random));
    const whole = await collectRows(blocksOf(rows, random), columns, { dialect, sizeBytes });
    assert.is(whole.rowCount, rows.length);
    assert.equal(cellsOf(whole).at(-1), expectedOf(rows.at(-1)!));
  });

  test("rows that were passed on early count towards the size limit of the answer", async () => {
    const random = createRandom(1);
    const rows = Array.from({ length: 120_000 }, () => randomRow(random));
    let takenCount = 0;
    const failure = await failureOf(
      collectRows(blocksOf(rows, random), columns, {
        dialect,
        sizeBytes: 2 * 2 ** 20,
        append: async ({ rowCount }) => void (takenCount += rowCount),
      }),
    );
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.ok(takenCount > 0 && takenCount < rows.length, String(takenCount));
  });
});
