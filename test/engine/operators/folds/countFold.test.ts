import assert from "node:assert/strict";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { choosePath } from "../../../../engine/operators/folds/accessPath.ts";
import { compileCountFold } from "../../../../engine/operators/folds/countFold.ts";
import { compileNumbering, type NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import type { BoundValue } from "../../../../engine/expressions/boundValue.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { makeFewTable } from "../fewTable.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { plainValue } from "../plainTwin.ts";
import { isSmall, numberOf, randomKey } from "../randomKey.ts";
import { compileOver, openMemory, randomRowCounts } from "../vectorRun.ts";

suite("engine/operators/folds/countFold", (test) => {
  test.deep("the count fold counts the active rows with a value in each group", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const met = { few: 0, constant: 0, wide: 0, listed: 0, nulls: 0, full: 0, computed: 0 };
      const isMet = () => Object.values(met).every((count) => count > 0);
      for (
        let round = 0;
        round < rounds({ quick: 4, deep: 40, soak: 300 }) || (!isMet() && round < 1000);
        round++
      ) {
        const memory = openMemory(random);
        const rowCounts = randomRowCounts(random);
        const maker = new ColumnMaker(random, memory, rowCounts, random.chance(0.5));
        const table = makeFewTable(random, maker, rowCounts);
        const columns = [...table.columns, maker.numbers()];
        const keys: NumberedKey[] = [];
        for (let count = random.below(3); count > 0; count--) {
          const key = randomKey(random, table);
          if (isSmall([...keys, key], 5000)) keys.push(key);
        }
        const capacity = keys.reduce((product, key) => product * key.cardinality, 1);
        const column = random.pick([0, 1, 2, columns.length - 1]);
        const stored: BoundValue = { kind: "column", column };
        const isComputed = random.chance(0.2);
        const of: BoundValue = isComputed
          ? { kind: "call", function: "add", of: [stored, stored] }
          : stored;
        const copyBytes = random.pick([0, capacity * 16]);
        const { operator, source, openRowGroup, openVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => {
            const state = compilation.workspace.reserve(capacity * 16 + 3 * copyBytes);
            const numbering = compileNumbering(keys, compilation);
            const fold = compileCountFold(of, numbering, compilation, copyBytes);
            return { state, numbering, fold, mask: compilation.workspace.reserve(vectorSize) };
          },
        );
        const { fold, numbering } = operator;
        columns[0].groups.forEach(({ length }, group) => {
          openRowGroup(group);
          numbering.openRowGroup();
          const state = source.base + operator.state;
          const from = state + numbering.constant * 16;
          const clear = () =>
            source.arena.f64.fill(0, state / 8, state / 8 + 2 * capacity + (3 * copyBytes) / 8);
          const check = (rows: readonly number[]) => {
            const expected = new Float64Array(capacity);
            for (const row of rows) {
              const at = { columns, group, row };
              if (!Number.isNaN(plainValue(of, at))) expected[numberOf(keys, at)]++;
            }
            const found = expected.map((_, number) => {
              let sum = 0;
              for (let copy = 0; copy < (copyBytes > 0 ? 4 : 1); copy++)
                sum += source.arena.f64[(state + copy * copyBytes) / 8 + 2 * number];
              return sum;
            });
            assert.deepEqual(found, expected);
          };
          clear();
          assert.equal(fold.summary.canFold(), !isComputed);
          if (numbering.isConstant && fold.summary.canFold()) {
            fold.summary.fold(from, length);
            check([...Array(length).keys()]);
          }
          for (let start = 0; start < length; start += vectorSize) {
            let rows = openVector(group, start);
            if (rows.length > 1 && source.isSelected && random.chance(0.3)) {
              const mask = source.base + operator.mask;
              const kept = rows.map((_, index) => (index === 0 || random.chance(0.5) ? 1 : 0));
              source.arena.u8.set(kept, mask);
              source.narrow(mask);
              rows = rows.filter((_, index) => kept[index] === 1);
              met.listed++;
            }
            if (rows.length === 0) continue;
            clear();
            choosePath(fold.paths).fold(from);
            check(rows);
            const { nullCount } = columns[column].segments[group];
            if (isComputed) met.computed++;
            else if (nullCount === 0) met.full++;
            else if (nullCount < length) {
              met.nulls++;
              if (numbering.isConstant) met.constant++;
              else if (numbering.fewGroupCount() > 0) met.few++;
              else met.wide++;
            }
          }
        });
      }
      assert.ok(isMet(), JSON.stringify(met));
    });
  });
});
