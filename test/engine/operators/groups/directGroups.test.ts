import * as assert from "uvu/assert";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { compileDirectGroups } from "../../../../engine/operators/groups/directGroups.ts";
import type { NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import { isOrdered } from "../../../../engine/plan/orderedStates.ts";
import { Heap } from "../../../../engine/operators/task/heap.ts";
import { layoutStates, slotBytes } from "../../../../engine/plan/stateLayout.ts";
import type {
  BoundDistinct,
  BoundGrouping,
  BoundQuantile,
  Slot,
} from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { makeFewTable } from "../fewTable.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { checkSlot } from "../plainSlot.ts";
import { cardinality, makeTable, type GeneratedTable } from "../randomBound.ts";
import { isSmall, numberOf, randomKey, wholeKey } from "../randomKey.ts";
import { randomSlots } from "../randomSlots.ts";
import { compileOver, openMemory, randomRowCounts } from "../vectorRun.ts";
import { plainCode, type PlainRow, plainValue } from "../plainTwin.ts";

function isExactSum(slot: Slot): boolean {
  return slot.kind !== "extent" && !isOrdered(slot);
}

/**
 * Returns a grouping by at most two keys with up to `largest` groups. Many of these groupings can be folded directly
 * from stored values.
 */
function randomGrouping(random: Random, table: GeneratedTable, largest: number): BoundGrouping {
  const keys: NumberedKey[] = [];
  for (let count = random.below(3); count > 0; count--) {
    const key = randomKey(random, table);
    if (isSmall([...keys, key], largest)) keys.push(key);
  }
  const capacity = keys.reduce((product, key) => product * key.cardinality, 1);
  const whole = wholeKey(table.columns, 0);
  const isStored = random.chance(0.4);
  const distincts: BoundDistinct[] =
    !isStored && random.chance(0.4)
      ? [{ kind: "code", code: { kind: "byCode", column: 3 }, cardinality }]
      : [];
  if (distincts.length > 0 && whole.cardinality * capacity < 2 ** 24)
    distincts.push({ ...whole, cardinality: whole.cardinality - 1 });
  const quantiles: BoundQuantile[] = [];
  if (!isStored && random.chance(0.3))
    quantiles.push({
      of: { kind: "column", column: 1 },
      decimals: -1,
      low: -300_000,
      factor: 1 / 10_000,
      bucketCount: 33,
      shift: -1,
      fractions: [0.5],
    });
  else if (random.chance(0.5) && whole.cardinality < 2 ** 30) {
    const shift = Math.max(0, Math.ceil(Math.log2(whole.cardinality)) - random.pick([3, 6]));
    quantiles.push({
      of: whole.of,
      decimals: whole.decimals,
      low: whole.base,
      factor: 2 ** -shift,
      bucketCount: 2 + (whole.cardinality >> shift),
      shift,
      fractions: [0.5],
    });
  }
  const slots = randomSlots(random, table);
  return {
    mode: "direct",
    capacity,
    keys,
    slots: isStored ? slots.filter(isExactSum) : slots,
    rows: { slot: 0, lane: 0 },
    distincts,
    quantiles,
    sketches: [],
    digests: [],
    outputs: [],
  };
}

/** No aggregate of these tests records pairs. */
const unused = { heap: new Heap(), rowCount: 0 };

suite("engine/operators/groups/directGroups", (test) => {
  test.deep(
    "the states of groups are correct whether rows are folded by vector, by row group or from zone maps",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const all = ["summary", "whole", "whole of some vectors", "whole with histogram"];
        const met = new Set<string>();
        for (
          let round = 0;
          round < rounds({ quick: 8, deep: 45 }) || (met.size < all.length && round < 1500);
          round++
        ) {
          const memory = openMemory(random);
          const rowCounts = randomRowCounts(random);
          const maker = new ColumnMaker(random, memory, rowCounts, random.chance(0.7));
          const hasNulls = random.chance(0.6);
          const table = random.chance(0.4)
            ? makeFewTable(random, maker, rowCounts, hasNulls)
            : makeTable(maker, hasNulls);
          const { columns } = table;
          const grouping = randomGrouping(random, table, random.pick([50, 5000, 60_000]));
          const { capacity, slots, distincts, quantiles } = grouping;
          const { operator, source, openRowGroup, openVector } = compileOver(
            random,
            memory,
            columns,
            (compilation) => {
              const layout = layoutStates(grouping, compilation.workspace);
              return { layout, groups: compileDirectGroups(grouping, layout, compilation, unused) };
            },
          );
          const { layout, groups } = operator;
          groups.begin();
          const looked: PlainRow[] = [];
          let inLane: PlainRow[] = [];
          const checkLane = () => {
            const ordered = slots.filter(isOrdered);
            let index = 0;
            groups.endLane((arena, address, sizeBytes) => {
              const slot = ordered[index++];
              assert.is(sizeBytes, capacity * slotBytes(slot));
              checkSlot(arena, address, slot, inLane, grouping);
            });
            assert.is(index, ordered.length);
            inLane = [];
          };
          columns[0].groups.forEach(({ length }, group) => {
            openRowGroup(group);
            groups.openRowGroup();
            const add = (rows: readonly number[]) => {
              const places = rows.map((row) => ({ columns, group, row }));
              looked.push(...places);
              inLane.push(...places);
            };
            if (random.chance(0.5) && groups.foldSummary(length)) {
              met.add("summary");
              add(Array.from({ length }, (_, row) => row));
              if (random.chance(0.3)) checkLane();
              return;
            }
            source.openVector(0, length);
            if (groups.canFoldRowGroup()) {
              const arenas = columns.map(({ segments }) => segments[group].values?.arena);
              assert.is(new Set(arenas.filter((arena) => arena !== undefined)).size, 1);
              met.add("whole");
              if (length > vectorSize) met.add("whole of some vectors");
              if (quantiles.length > 0) met.add("whole with histogram");
              groups.fold();
              add(Array.from({ length }, (_, row) => row));
            } else
              for (let start = 0; start < length; start += vectorSize) {
                const rows = openVector(group, start);
                if (rows.length === 0) continue;
                groups.fold();
                add(rows);
              }
            if (random.chance(0.3)) checkLane();
          });
          checkLane();
          groups.finish();
          const { arena, base } = source;
          slots.forEach((slot, index) => {
            const { offset } = layout.slots[index];
            checkSlot(arena, base + offset, slot, isOrdered(slot) ? [] : looked, grouping);
          });
          const numbers = looked.map((at) => numberOf(grouping.keys as NumberedKey[], at));
          distincts.forEach((distinct, index) => {
            if (distinct.kind === "number" || distinct.kind === "computed") return;
            const { offset, wordsPerGroup } = layout.distincts[index];
            const expected = new Set<number>();
            looked.forEach((at, row) => {
              const code =
                distinct.kind === "code"
                  ? plainCode(distinct.code, at)
                  : numberOf([{ ...distinct, cardinality: distinct.cardinality + 1 }], at);
              if (code > 0) expected.add(numbers[row] * wordsPerGroup * 32 + code);
            });
            const found = new Set<number>();
            const words = arena.u32.subarray((base + offset) / 4);
            for (let word = 0; word < capacity * wordsPerGroup; word++)
              for (let bit = 0; words[word] >>> bit > 0 && bit < 32; bit++)
                if ((words[word] >>> bit) & 1) found.add(word * 32 + bit);
            assert.equal([...found].sort(), [...expected].sort());
          });
          quantiles.forEach(({ of, decimals, low, factor, bucketCount, shift }, index) => {
            const expected = new Uint32Array(capacity * bucketCount);
            looked.forEach((at, row) => {
              const value = plainValue(of, at);
              const unit = decimals > 0 ? 10 ** decimals : 1;
              const place =
                shift >= 0
                  ? Math.floor((Math.round(value * unit) - low) / 2 ** shift)
                  : Math.max(0, Math.min(bucketCount - 2, Math.floor((value - low) * factor)));
              const bucket = Number.isNaN(value) ? 0 : 1 + place;
              expected[numbers[row] * bucketCount + bucket]++;
            });
            const from = (base + layout.histograms[index].offset) / 4;
            assert.equal(arena.u32.slice(from, from + expected.length), expected);
          });
        }
        assert.equal(
          all.filter((what) => !met.has(what)),
          [],
        );
      });
    },
  );
});
