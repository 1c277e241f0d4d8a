import * as assert from "uvu/assert";
import type { BoundValue } from "../../../../engine/expressions/boundValue.ts";
import { indexRows } from "../../../../engine/joins/rowIndex.ts";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { compileNumbered } from "../../../../engine/operators/rows/vectors.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { plainValue } from "../plainTwin.ts";
import {
  compileOver,
  openMemory,
  randomRowCounts,
  readBytes,
  readDoubles,
  readWords,
} from "../vectorRun.ts";

const people = { table: "people", name: "id", type: "number" } as const;

suite("engine/operators/rows/numberTable", (test) => {
  test("tables that kernels read and tables that JavaScript reads in place return the same entries", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 5, deep: 60 }); round++) {
        const memory = openMemory(random);
        const rowCounts = randomRowCounts(random);
        const maker = new ColumnMaker(random, memory, rowCounts, random.chance(0.7));
        const base = random.pick([0, -20, 1_000_000, 2 ** 40]);
        const step = random.pick([1, 1, 1, 7, 0.25]);
        const nullShare = random.pick([0, 0.1]);
        const spread = random.pick([20, 300, 90_000]);
        const groups = rowCounts.map((count) =>
          Float64Array.from({ length: count }, () =>
            random.chance(nullShare) ? NaN : base + (random.below(spread) - 3) * step,
          ),
        );
        const columns = [maker.exactly(groups)];
        const keys = Array.from(
          { length: random.pick([5, 50, 9000]) },
          (_, key) => base + key * step,
        );
        const column: BoundValue = { kind: "column", column: 0 };
        const index = indexRows(Float64Array.from(keys), people);
        const of = random.pick<BoundValue>([column, { kind: "rowOf", of: column, index }]);
        const first = of.kind === "rowOf" ? 1 : base;
        // Tables of 70,000 entries are larger than what a task copies for so few rows.
        const length = random.pick([1, 2, 40, 9001, 70_000]);
        const bytes = Uint8Array.from({ length }, () => random.below(2));
        const words = Uint32Array.from({ length }, () => random.below(2 ** 32));
        const doubles = Float64Array.from({ length }, () =>
          random.pick([NaN, random.below(99) / 8]),
        );
        const stride = random.pick([1, 3, 4097]);
        const isFirst = random.pick([0, 1] as const);
        const { operator, source, forEachVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => ({
            to: compilation.workspace.reserve(vectorSize * 8),
            tables: [bytes, words, doubles].map((table) =>
              compileNumbered({ of, base: first }, table, compilation),
            ),
          }),
        );
        forEachVector((group, rows) => {
          const places = rows.map((row) => {
            const value = plainValue(of, { columns, group, row });
            const place = value - first + 1;
            return Number.isInteger(value) && place >= 1 && place < length ? place : 0;
          });
          const to = source.base + operator.to;
          const count = rows.length;
          operator.tables[0].readMask(to);
          const shown = JSON.stringify({ base, step, spread, length, kind: of.kind });
          assert.equal(
            readBytes(source, to, count),
            places.map((place) => bytes[place]),
            shown,
          );
          source.arena.u32.fill(5, to / 4, to / 4 + count);
          operator.tables[1].readCodes(stride, to, isFirst);
          const before = isFirst ? 0 : 5;
          assert.equal(
            readWords(source, to, count),
            places.map((place) => (before + Math.imul(stride, words[place])) >>> 0),
            shown,
          );
          operator.tables[2].readDoubles(to);
          assert.equal(
            readDoubles(source, to, count),
            places.map((place) => doubles[place]),
            shown,
          );
        });
      }
    });
  });
});
