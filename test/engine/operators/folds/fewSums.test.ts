import assert from "node:assert/strict";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { addFew, countFew, fewSum } from "../../../../engine/operators/folds/fewSums.ts";
import { compileNumbering, type NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { makeFewTable } from "../fewTable.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { numberOf } from "../randomKey.ts";
import { cardinality, randomCode } from "../randomBound.ts";
import { compileOver, openMemory, randomRowCounts, readDoubles } from "../vectorRun.ts";

suite("engine/operators/folds/fewSums", (test) => {
  test.deep(
    "the fold for few groups counts and sums only active rows, for every stored width",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const all = [
          "width 1",
          "width 2",
          "width 3",
          "width 4",
          "nulls",
          "more decimals",
          "selected",
        ];
        const met = new Map<string, number>();
        const meet = (what: string) => met.set(what, (met.get(what) ?? 0) + 1);
        for (
          let round = 0;
          round < rounds({ quick: 10, deep: 60 }) || (met.size < all.length && round < 1500);
          round++
        ) {
          const memory = openMemory(random);
          const rowCounts = randomRowCounts(random);
          const maker = new ColumnMaker(random, memory, rowCounts, random.chance(0.5));
          const table = makeFewTable(random, maker, rowCounts);
          const { columns } = table;
          const code = randomCode(random, table, 0);
          const keys: NumberedKey[] = [{ kind: "text", code, cardinality }];
          const column = random.pick(table.numbers);
          const segments = columns[column].segments.filter(({ form }) => form === "whole");
          const decimals = segments.reduce((most, segment) => Math.max(most, segment.decimals), 0);
          const { operator, source, openRowGroup, openVector } = compileOver(
            random,
            memory,
            columns,
            (compilation) => ({
              state: compilation.workspace.reserve(cardinality * 16),
              numbering: compileNumbering(keys, compilation),
            }),
          );
          columns[0].groups.forEach((groupValues, group) => {
            openRowGroup(group);
            operator.numbering.openRowGroup();
            for (let start = 0; start < groupValues.length; start += vectorSize) {
              const rows = openVector(group, start);
              if (rows.length === 0) continue;
              if (operator.numbering.fewGroupCount() === 0) continue;
              const few = operator.numbering.few();
              const constant = operator.numbering.constant * 16;
              const state = source.base + operator.state;
              const expected = new Float64Array(cardinality * 2);
              const checkState = () => {
                assert.deepEqual(readDoubles(source, state, expected.length), [...expected]);
                expected.fill(0);
                source.arena.f64.fill(0, state / 8, state / 8 + expected.length);
              };
              source.arena.f64.fill(0, state / 8, state / 8 + expected.length);
              addFew(countFew(few, source), few, state + constant, source);
              for (const row of rows) expected[2 * numberOf(keys, { columns, group, row })]++;
              checkState();
              const of = { kind: "column", column } as const;
              const summand = fewSum({ of, decimals }, operator.numbering, source);
              const segment = columns[column].segments[group];
              assert.equal(summand.canSum(), segment.form === "whole");
              if (!summand.canSum()) continue;
              const sums = summand.sum(few);
              addFew(sums, few, state + constant, source);
              addFew(sums + 8, few, state + constant + 8, source);
              for (const row of rows) {
                const value = columns[column].groups[group][row];
                if (value !== value) continue;
                const at = 2 * numberOf(keys, { columns, group, row });
                expected[at]++;
                expected[at + 1] += Math.round(value * 10 ** decimals);
              }
              checkState();
              meet(`width ${segment.values?.width}`);
              if (segment.nullCount > 0) meet("nulls");
              if (segment.decimals < decimals) meet("more decimals");
              if (source.isSelected) meet("selected");
            }
          });
        }
        assert.deepEqual(
          all.filter((what) => !met.has(what)),
          [],
        );
      });
    },
  );

  test("the fold for few groups is not used for floats or for numbers with more decimals than requested", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = openMemory(random);
      const maker = new ColumnMaker(random, memory, [100], false);
      const of = (make: (row: number) => number) =>
        maker.exactly([Float64Array.from({ length: 100 }, (_, row) => make(row))]);
      const columns = [
        of((row) => row / 3),
        of((row) => row / 100),
        maker.exactly([Float64Array.from({ length: 100 }, (_, row) => row % 3)]),
      ];
      const key: NumberedKey = {
        kind: "whole",
        of: { kind: "column", column: 2 },
        base: 0,
        decimals: 0,
        cardinality: 4,
      };
      const { operator, source, openRowGroup } = compileOver(
        random,
        memory,
        columns,
        (compilation) => compileNumbering([key], compilation),
      );
      openRowGroup(0);
      operator.openRowGroup();
      source.openVector(0, 100);
      const isSummed = (column: number, decimals: number) =>
        fewSum({ of: { kind: "column", column }, decimals }, operator, source).canSum();
      assert.deepEqual(
        [isSummed(0, -1), isSummed(0, 2), isSummed(1, -1), isSummed(1, 1), isSummed(1, 2)],
        [false, false, false, false, true],
      );
      const call = { kind: "call", function: "abs", of: [{ kind: "column", column: 1 }] } as const;
      assert.equal(fewSum({ of: call, decimals: 2 }, operator, source).canSum(), false);
    });
  });
});
