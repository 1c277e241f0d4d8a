import assert from "node:assert/strict";
import { canFoldRowGroup } from "../../../../engine/operators/folds/accessPath.ts";
import { compileSlotFold } from "../../../../engine/operators/folds/slotFold.ts";
import { compileNumbering, type NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import type { Slot, Summand } from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker, type GeneratedColumn } from "../columnMaker.ts";
import { cardinality } from "../randomBound.ts";
import { wholeKey } from "../randomKey.ts";
import { compileOver, openMemory } from "../vectorRun.ts";

suite("engine/operators/folds/accessPath", (test) => {
  test("whole row groups are not folded at once if values must be decoded or need 32-bit group numbers", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = openMemory(random);
      const length = 5000;
      const maker = new ColumnMaker(random, memory, [length], false);
      const of = (make: (row: number) => number) =>
        maker.exactly([Float64Array.from({ length }, (_, row) => make(row))]);
      const columns = [of((row) => row % 5), of((row) => row % 300), of((row) => row / 100)];
      const floats = of((row) => row / 3);
      const isOneCode = ({ segments: [{ minimum, maximum }] }: GeneratedColumn) =>
        minimum === maximum;
      let codes = maker.codes(20, false);
      while (isOneCode(codes)) codes = maker.codes(20, false);
      const byText: NumberedKey = {
        kind: "text",
        code: { kind: "byCode", column: 4 },
        cardinality,
      };
      const few = [wholeKey(columns, 0)];
      const many = [wholeKey(columns, 1)];
      const made: NumberedKey = {
        kind: "whole",
        of: { kind: "call", function: "abs", of: [{ kind: "column", column: 0 }] },
        base: 0,
        decimals: 0,
        cardinality: 6,
      };
      const summand = (column: number, decimals: number): Summand => ({
        of: { kind: "column", column },
        decimals,
      });
      const right = summand(2, 2);
      const computed: Summand = {
        of: { kind: "call", function: "abs", of: [{ kind: "column", column: 1 }] },
        decimals: 0,
      };
      const isExact = true;
      const sums = [right, summand(2, 1), summand(3, -1), computed];
      const left = summand(1, 0);
      const slots: readonly Slot[] = [
        { kind: "rows" },
        ...sums.map((each): Slot => ({ kind: "rowsSum", right: each, isExact })),
        ...sums.map((each): Slot => ({ kind: "countSum", right: each, isExact })),
        { kind: "pair", left, right, isExact },
        { kind: "pair", left, right: computed, isExact },
        { kind: "extent", of: right },
      ];
      const ofFew = [true, true, false, false, false];
      const never = [false, false, false, false, false];
      const ofSums = (kind: "rowsSum" | "countSum") => {
        const isByText = kind === "rowsSum";
        return [[...ofFew.slice(0, 4), isByText], never, never, never];
      };
      const { operator, source, openRowGroup } = compileOver(
        random,
        memory,
        [...columns, floats, codes],
        (compilation) =>
          [[], few, many, [made], [byText]].map((keys) => {
            const numbering = compileNumbering(keys, compilation);
            const folds = slots.map((slot) => compileSlotFold(slot, numbering, compilation, 0));
            return { numbering, folds };
          }),
      );
      openRowGroup(0);
      for (const { numbering } of operator) numbering.openRowGroup();
      source.openVector(0, length);
      const expected = [ofFew, ...ofSums("rowsSum"), ...ofSums("countSum"), ofFew, never, never];
      assert.deepEqual(
        slots.map((_, slot) => operator.map(({ folds }) => canFoldRowGroup(folds[slot].paths))),
        expected,
      );
    });
  });
});
