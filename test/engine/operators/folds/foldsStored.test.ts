import assert from "node:assert/strict";
import { foldsStored } from "../../../../engine/operators/folds/foldsStored.ts";
import { compileNumbering, type NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import type { Slot, Summand } from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker, type GeneratedColumn } from "../columnMaker.ts";
import { cardinality } from "../randomBound.ts";
import { wholeKey } from "../randomKey.ts";
import { compileOver, openMemory } from "../vectorRun.ts";

suite("engine/operators/folds/foldsStored", (test) => {
  test("what must be decoded, or numbered in 32 bits, is not folded from what is stored", async () => {
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
      const { operator, source, openRowGroup } = compileOver(
        random,
        memory,
        [...columns, floats, codes],
        (compilation) =>
          [[], few, many, [made], [byText]].map((keys) => compileNumbering(keys, compilation)),
      );
      openRowGroup(0);
      for (const numbering of operator) numbering.openRowGroup();
      const summand = (column: number, decimals: number): Summand => ({
        of: { kind: "column", column },
        decimals,
      });
      const right = summand(2, 2);
      const computed: Summand = {
        of: { kind: "call", function: "abs", of: [{ kind: "column", column: 1 }] },
        decimals: 0,
      };
      const answers = (slot: Slot) =>
        operator.map((numbering) => foldsStored(slot, numbering, source));
      const isExact = true;
      const ofFew = [true, true, false, false, false];
      const never = [false, false, false, false, false];
      assert.deepEqual(answers({ kind: "rows" }), ofFew);
      for (const kind of ["rowsSum", "countSum"] as const) {
        const isByText = kind === "rowsSum";
        assert.deepEqual(answers({ kind, right, isExact }), [...ofFew.slice(0, 4), isByText]);
        assert.deepEqual(answers({ kind, right: summand(2, 1), isExact }), never);
        assert.deepEqual(answers({ kind, right: summand(3, -1), isExact }), never);
        assert.deepEqual(answers({ kind, right: computed, isExact }), never);
      }
      const left = summand(1, 0);
      assert.deepEqual(answers({ kind: "pair", left, right, isExact }), ofFew);
      assert.deepEqual(answers({ kind: "pair", left, right: computed, isExact }), never);
      assert.deepEqual(answers({ kind: "extent", of: right }), never);
    });
  });
});
