import assert from "node:assert/strict";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import type { AccessPath } from "../../../../engine/operators/folds/accessPath.ts";
import { fewFloatPath, fewPairPath } from "../../../../engine/operators/folds/fewFloats.ts";
import { compileNumbering, type NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import type { Summand } from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { makeFewTable } from "../fewTable.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { cardinality, randomCode } from "../randomBound.ts";
import { numberOf } from "../randomKey.ts";
import { compileOver, openMemory, randomRowCounts, readDoubles } from "../vectorRun.ts";

const copyBytes = cardinality * 16;

/** Folds the rows to look at where the path applies, and returns whether it did. */
function foldBy(path: AccessPath, state: number): boolean {
  const canFold = path.canFold();
  if (canFold) path.fold(state);
  return canFold;
}

suite("engine/operators/folds/fewFloats", (test) => {
  test("selected floats are added in the order of rows, each to its copy, to the bit", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const met = { float: 0, narrow: 0, pair: 0, nulls: 0 };
      const isMet = () => Object.values(met).every((count) => count > 0);
      for (
        let round = 0;
        round < rounds({ quick: 8, deep: 40 }) || (!isMet() && round < 1000);
        round++
      ) {
        const memory = openMemory(random);
        const rowCounts = randomRowCounts(random);
        const maker = new ColumnMaker(random, memory, rowCounts, random.chance(0.5));
        const table = makeFewTable(random, maker, rowCounts);
        const floats = (nullShare: number, isNarrow: boolean) =>
          maker.exactly(
            rowCounts.map((length) =>
              Float64Array.from({ length }, () => {
                const value = (random.below(2 ** 20) - 2 ** 19) / 3;
                return random.chance(nullShare) ? NaN : isNarrow ? Math.fround(value) : value;
              }),
            ),
          );
        const columns = [
          ...table.columns,
          floats(random.pick([0, 0.1]), random.chance(0.3)),
          floats(0, random.chance(0.1)),
          floats(0, false),
        ];
        const [any, left, right] = [5, 6, 7].map((column): Summand => ({
          of: { kind: "column", column },
          decimals: -1,
        }));
        const code = randomCode(random, table, 0);
        const keys: NumberedKey[] = [{ kind: "text", code, cardinality }];
        const { operator, source, openRowGroup, openVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => ({
            state: compilation.workspace.reserve(copyBytes * 4),
            numbering: compileNumbering(keys, compilation),
          }),
        );
        columns[0].groups.forEach(({ length }, group) => {
          openRowGroup(group);
          operator.numbering.openRowGroup();
          for (let start = 0; start < length; start += vectorSize) {
            const rows = openVector(group, start);
            if (rows.length === 0) continue;
            const { numbering } = operator;
            const state = source.base + operator.state;
            const from = state + numbering.constant * 16;
            const twin = new Float64Array((copyBytes * 4) / 8);
            const slotOf = (index: number, row: number) =>
              ((index % 4) * copyBytes) / 8 + 2 * numberOf(keys, { columns, group, row });
            const clear = () => source.arena.f64.fill(0, state / 8, state / 8 + twin.length);
            const check = () => {
              assert.deepEqual(readDoubles(source, state, twin.length), [...twin]);
              twin.fill(0);
            };
            const { form, values, nullCount } = columns[5].segments[group];
            const isFew = source.isSelected && numbering.fewGroupCount() > 0;
            clear();
            const isFolded = foldBy(fewFloatPath(any, numbering, source, copyBytes), from);
            assert.equal(isFolded, isFew && form === "float");
            if (isFolded) {
              rows.forEach((row, index) => {
                const value = columns[5].groups[group][row];
                if (Number.isNaN(value)) return;
                twin[slotOf(index, row)]++;
                twin[slotOf(index, row) + 1] += value;
              });
              check();
              met.float++;
              if (values?.width === 4) met.narrow++;
              if (nullCount > 0) met.nulls++;
            }
            clear();
            const areDoubles = [6, 7].every(
              (column) =>
                columns[column].segments[group].form === "float" &&
                columns[column].segments[group].values?.width === 8,
            );
            const isPair = foldBy(fewPairPath(left, right, numbering, source, copyBytes), from);
            assert.equal(isPair, isFew && areDoubles);
            if (isPair) {
              rows.forEach((row, index) => {
                twin[slotOf(index, row)] += columns[6].groups[group][row];
                twin[slotOf(index, row) + 1] += columns[7].groups[group][row];
              });
              check();
              met.pair++;
            }
          }
        });
      }
      assert.ok(isMet(), JSON.stringify(met));
    });
  });

  test("what is computed, scaled or stored as a whole number is not folded as a float", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = openMemory(random);
      const length = 200;
      const maker = new ColumnMaker(random, memory, [length], false);
      const of = (make: (row: number) => number) =>
        maker.exactly([Float64Array.from({ length }, (_, row) => make(row))]);
      const columns = [of((row) => row / 3), of((row) => row), of((row) => row % 3)];
      const keys: NumberedKey[] = [
        {
          kind: "whole",
          of: { kind: "column", column: 2 },
          base: 0,
          decimals: 0,
          cardinality: 4,
        },
      ];
      const { operator, source, openRowGroup } = compileOver(
        random,
        memory,
        columns,
        (compilation) => ({
          state: compilation.workspace.reserve(64),
          mask: compilation.workspace.reserve(vectorSize),
          numbering: compileNumbering(keys, compilation),
        }),
      );
      openRowGroup(0);
      operator.numbering.openRowGroup();
      source.openVector(0, length);
      const mask = source.base + operator.mask;
      source.arena.u8.set(
        Uint8Array.from({ length }, (_, row) => row % 2),
        mask,
      );
      source.select(mask);
      const column = (index: number, decimals = -1): Summand => ({
        of: { kind: "column", column: index },
        decimals,
      });
      const state = source.base + operator.state;
      const isFolded = (summand: Summand) =>
        foldBy(fewFloatPath(summand, operator.numbering, source, 0), state);
      const call = { kind: "call", function: "abs", of: [column(0).of] } as const;
      assert.deepEqual(
        [column(0), column(0, 2), column(1), { of: call, decimals: -1 }].map(isFolded),
        [true, false, false, false],
      );
      const isPair = (left: Summand, right: Summand) =>
        foldBy(fewPairPath(left, right, operator.numbering, source, 0), state);
      assert.deepEqual(
        [isPair(column(0), column(0)), isPair(column(0), column(1)), isPair(column(1), column(0))],
        [true, false, false],
      );
    });
  });
});
