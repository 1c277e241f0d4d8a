import assert from "node:assert/strict";
import { fewGroups, vectorSize } from "../../../../engine/kernels/kernels.ts";
import { compileNumbering, type NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { daysWithTimes } from "../daysWithTimes.ts";
import { makeFewTable } from "../fewTable.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { isSmall, numberOf, randomKey, wholeKey } from "../randomKey.ts";
import { cardinality, randomCode } from "../randomBound.ts";
import { compileOver, openMemory, randomRowCounts, readBytes } from "../vectorRun.ts";

suite("engine/operators/keys/fewNumbering", (test) => {
  test.deep("few-group numbering identifies the groups of the active rows", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const met = {
        text: 0,
        whole: 0,
        period: 0,
        several: 0,
        selected: 0,
        selectedPeriod: 0,
        nulls: 0,
        left: 0,
      };
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
        const { columns } = table;
        const keys: NumberedKey[] = [];
        for (let count = 1 + random.below(2); count > 0; count--) {
          const key = random.pick<() => NumberedKey>([
            () => randomKey(random, table),
            () => wholeKey(columns, 0),
            () => ({ kind: "text", code: randomCode(random, table, 0), cardinality }),
          ])();
          if (isSmall([...keys, key])) keys.push(key);
        }
        const { operator, source, openRowGroup, openVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => compileNumbering(keys, compilation),
        );
        columns[0].groups.forEach(({ length }, group) => {
          openRowGroup(group);
          operator.openRowGroup();
          for (let start = 0; start < length; start += vectorSize) {
            const rows = openVector(group, start);
            if (rows.length === 0) continue;
            if (operator.fewGroupCount() === 0) continue;
            const few = operator.few();
            assert.equal(few.groups.length, operator.fewGroupCount());
            assert.ok(few.groups.length <= fewGroups);
            const looked = new Set(rows);
            const numbers = new Set<number>();
            readBytes(source, few.address, source.vectorRowCount).forEach((number, index) => {
              const row = start + index;
              if (looked.has(row)) {
                const expected = numberOf(keys, { columns, group, row });
                assert.equal(operator.constant + few.groups[number], expected);
                numbers.add(number);
              } else assert.ok(number >= 128);
            });
            const isLeft = few.groups.map((_, index) => ((few.present >> index) & 1) === 1);
            if (source.isSelected) {
              assert.deepEqual(
                isLeft,
                few.groups.map((_, index) => numbers.has(index)),
              );
            } else assert.ok(isLeft.every((each) => each));
            for (const { kind } of keys) met[kind]++;
            // Periods can be numbered in 32 bits, but not for selected rows.
            if (source.isSelected && keys.some(({ kind }) => kind === "period"))
              met.selectedPeriod++;
            if (isLeft.includes(false)) met.left++;
            if (keys.length > 1) met.several++;
            if (source.isSelected) met.selected++;
            if (rows.some((row) => numberOf(keys, { columns, group, row }) === 0)) met.nulls++;
          }
        });
      }
      assert.ok(isMet(), JSON.stringify(met));
    });
  });

  test("few-group numbering identifies the years of datetimes that are stored as days and times", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = openMemory(random);
      const { columns, key } = daysWithTimes(random, memory, "UTC", "year");
      const { operator, source, openRowGroup } = compileOver(
        random,
        memory,
        columns,
        (compilation) => compileNumbering([key], compilation),
      );
      openRowGroup(0);
      operator.openRowGroup();
      source.openVector(0, vectorSize);
      assert.equal(operator.fewGroupCount(), 7);
      const few = operator.few();
      readBytes(source, few.address, vectorSize).forEach((number, row) => {
        const expected = numberOf([key], { columns, group: 0, row });
        assert.equal(operator.constant + few.groups[number], expected);
      });
    });
  });

  test("few-group numbering is skipped for many groups, row lists and very few rows", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = openMemory(random);
      const length = vectorSize;
      const maker = new ColumnMaker(random, memory, [length], false);
      const spread = (count: number) =>
        maker.exactly([Float64Array.from({ length }, (_, row) => (row * 7) % count)]);
      const columns = [spread(16), spread(17), spread(2), spread(300)];
      const keysOf = (...places: readonly number[]) =>
        places.map((column): NumberedKey => wholeKey(columns, column));
      const of = { kind: "call", function: "abs", of: [{ kind: "column", column: 2 }] } as const;
      const computed = (cardinality: number): NumberedKey[] => [
        { kind: "whole", of, base: 0, decimals: 0, cardinality },
      ];
      const { operator, source, openRowGroup } = compileOver(
        random,
        memory,
        columns,
        (compilation) => ({
          ways: [
            keysOf(0),
            keysOf(2),
            keysOf(2, 2),
            computed(16),
            keysOf(1),
            keysOf(3),
            keysOf(0, 2),
            computed(17),
          ].map((keys) => compileNumbering(keys, compilation)),
          mask: compilation.workspace.reserve(vectorSize),
        }),
      );
      const isFew = () => operator.ways.map((numbering) => numbering.fewGroupCount() > 0);
      openRowGroup(0);
      for (const numbering of operator.ways) numbering.openRowGroup();
      source.openVector(0, length);
      assert.deepEqual(isFew(), [true, true, true, true, false, false, false, false]);
      const mask = source.base + operator.mask;
      const select = (everyRows: number) => {
        source.openVector(0, length);
        source.arena.u8.set(
          Uint8Array.from({ length }, (_, row) => (row % everyRows === 0 ? 1 : 0)),
          mask,
        );
        source.select(mask);
      };
      select(2);
      assert.deepEqual(isFew(), [true, true, true, false, false, false, false, false]);
      select(100);
      assert.ok(isFew().every((few) => !few));
      select(2);
      source.arena.u8.fill(0, mask, mask + 1);
      source.narrow(mask);
      assert.ok(isFew().every((few) => !few));
    });
  });
});
