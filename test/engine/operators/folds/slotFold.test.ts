import assert from "node:assert/strict";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { choosePath } from "../../../../engine/operators/folds/accessPath.ts";
import { compileSlotFold } from "../../../../engine/operators/folds/slotFold.ts";
import { compileNumbering, type NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import type { Slot } from "../../../../engine/plan/boundPlan.ts";
import { slotBytes } from "../../../../engine/plan/stateLayout.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { makeFewTable } from "../fewTable.ts";
import { checkSlot } from "../plainSlot.ts";
import { makeTable } from "../randomBound.ts";
import { isSmall, randomKey, wholeKey } from "../randomKey.ts";
import { randomSlots } from "../randomSlots.ts";
import { compileOver, openMemory, randomRowCounts } from "../vectorRun.ts";

suite("engine/operators/folds/slotFold", (test) => {
  test.deep("random plans use every access path, with the same states as plain code", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const paths = new Set<string>();
      const taken = new Set<string>();
      for (let round = 0; round < 5 || (taken.size < paths.size && round < 400); round++) {
        const memory = openMemory(random);
        const rowCounts = randomRowCounts(random).slice(0, rounds({ quick: 1, deep: 5 }));
        const maker = new ColumnMaker(random, memory, rowCounts, random.chance(0.5));
        const hasNulls = random.chance(0.6);
        const table = random.chance(0.6)
          ? makeFewTable(random, maker, rowCounts, hasNulls)
          : makeTable(maker, hasNulls);
        // Columns for a key of 12 numbers, for floats without nulls, and for whole numbers of four bytes.
        const extra = [
          (row: number) => row % 12,
          (row: number) => row / 3,
          (row: number) => row * 2 ** 16,
        ].map((valueOf) =>
          maker.exactly(
            rowCounts.map((length) => Float64Array.from({ length }, (_, row) => valueOf(row))),
          ),
        );
        const [twelve, floats, wide] = extra.keys().map((index) => table.columns.length + index);
        const columns = [...table.columns, ...extra];
        const keys: NumberedKey[] = [];
        for (let count = random.below(3); count > 0; count--) {
          const key = random.chance(0.3) ? wholeKey(columns, twelve) : randomKey(random, table);
          if (isSmall([...keys, key], 5000)) keys.push(key);
        }
        const capacity = keys.reduce((product, key) => product * key.cardinality, 1);
        const sumOf = (column: number, decimals: number) => ({
          right: { of: { kind: "column", column }, decimals } as const,
          isExact: decimals >= 0,
        });
        const slots: readonly Slot[] = [
          ...randomSlots(random, table),
          { kind: "rowsSum", ...sumOf(floats, -1) },
          { kind: "countSum", ...sumOf(floats, -1) },
          { kind: "rowsSum", ...sumOf(wide, 0) },
          {
            kind: "pair",
            left: sumOf(floats, -1).right,
            right: sumOf(floats, -1).right,
            isExact: false,
          },
        ];
        const { operator, source, openRowGroup, openVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => {
            const states = slots.map((slot) => {
              const sizeBytes = capacity * slotBytes(slot);
              return { slot, sizeBytes, state: compilation.workspace.reserve(sizeBytes) };
            });
            compilation.workspace.endStates();
            const numbering = compileNumbering(keys, compilation);
            const folds = states.map((each) => ({
              ...each,
              ...compileSlotFold(each.slot, numbering, compilation, 0),
            }));
            return { numbering, folds, mask: compilation.workspace.reserve(vectorSize) };
          },
        );
        const { numbering, folds } = operator;
        for (const { slot, paths: own } of folds)
          for (const { name } of own) paths.add(`${slot.kind}: ${name}`);
        columns[0].groups.forEach(({ length }, rowGroup) => {
          openRowGroup(rowGroup);
          numbering.openRowGroup();
          for (let start = 0; start < length; start += vectorSize) {
            let rows = openVector(rowGroup, start);
            if (rows.length === 0) continue;
            if (source.isSelected && source.rowCount > 1 && random.chance(0.2)) {
              const mask = source.base + operator.mask;
              source.arena.u8.fill(1, mask, mask + source.rowCount);
              source.arena.u8[mask] = 0;
              source.narrow(mask);
              rows = rows.slice(1);
            }
            const looked = rows.map((row) => ({ columns, group: rowGroup, row }));
            for (const { slot, sizeBytes, state, paths: own } of folds) {
              const at = source.base + state;
              const empty = slot.kind === "extent" ? Infinity : 0;
              source.arena.f64.fill(empty, at / 8, (at + sizeBytes) / 8);
              const path = choosePath(own);
              path.fold(at + numbering.constant * slotBytes(slot));
              taken.add(`${slot.kind}: ${path.name}`);
              checkSlot(source.arena, at, slot, looked, { capacity, keys });
            }
          }
        });
      }
      assert.deepEqual(
        [...paths].filter((path) => !taken.has(path)),
        [],
      );
    });
  });
});
