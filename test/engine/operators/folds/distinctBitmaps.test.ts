import * as assert from "uvu/assert";
import { compileDirectGroups } from "../../../../engine/operators/groups/directGroups.ts";
import type { NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import { Heap } from "../../../../engine/operators/task/heap.ts";
import { layoutStates } from "../../../../engine/plan/stateLayout.ts";
import type { BoundDistinct, BoundGrouping } from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { cardinality } from "../randomBound.ts";
import { numberOf } from "../randomKey.ts";
import { compileOver, openMemory, randomRowCounts } from "../vectorRun.ts";

/** Numbers of codes that are close to a multiple of the number of bits in a block. */
const codeCounts = [2, 127, 128, 129, 255, 256, 257];

/** No aggregate of these tests records pairs. */
const unused = { heap: new Heap(), rowCount: 0 };

suite("engine/operators/folds/distinctBitmaps", (test) => {
  test("a group's bitmap contains the group's codes except null, even if the codes fill the last block", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const codeCount of codeCounts) {
        const memory = openMemory(random);
        const maker = new ColumnMaker(random, memory, randomRowCounts(random), random.chance(0.5));
        const columns = [
          maker.codes(cardinality),
          maker.codes(codeCount + 1),
          maker.numbers([1, 3, 0]),
        ];
        const base = -1004;
        const distincts: BoundDistinct[] = [
          { kind: "code", code: { kind: "byCode", column: 1 }, cardinality: codeCount },
          {
            kind: "whole",
            of: { kind: "column", column: 2 },
            base,
            decimals: 0,
            cardinality: 2300,
          },
        ];
        const keys: NumberedKey[] = random.chance(0.3)
          ? []
          : [{ kind: "text", code: { kind: "byCode", column: 0 }, cardinality }];
        const grouping: BoundGrouping = {
          mode: "direct",
          capacity: keys.length > 0 ? cardinality : 1,
          keys,
          slots: [{ kind: "rows" }],
          rows: { slot: 0, lane: 0 },
          distincts,
          quantiles: [],
          sketches: [],
          digests: [],
          outputs: [],
        };
        const { operator, source, openRowGroup, openVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => {
            const layout = layoutStates(grouping, compilation.workspace);
            return { layout, groups: compileDirectGroups(grouping, layout, compilation, unused) };
          },
        );
        operator.groups.begin();
        const expected = distincts.map(() =>
          Array.from({ length: grouping.capacity }, () => new Set<number>()),
        );
        columns[0].groups.forEach(({ length }, group) => {
          openRowGroup(group);
          operator.groups.openRowGroup();
          for (let start = 0; start < length; start += 4096) {
            const rows = openVector(group, start);
            if (rows.length === 0) continue;
            operator.groups.fold();
            for (const row of rows) {
              const number = numberOf(keys, { columns, group, row });
              const code = columns[1].groups[group][row];
              if (code > 0) expected[0][number].add(code);
              const value = columns[2].groups[group][row];
              if (value === value) expected[1][number].add(value - base + 1);
            }
          }
        });
        operator.groups.finish();
        const { arena } = source;
        operator.layout.distincts.forEach(({ offset, wordsPerGroup }, index) => {
          const first = (source.base + offset) / 4;
          expected[index].forEach((codes, group) => {
            const found: number[] = [];
            for (let bit = 0; bit < wordsPerGroup * 32; bit++) {
              const word = arena.u32[first + group * wordsPerGroup + (bit >> 5)];
              if (((word >>> (bit & 31)) & 1) === 1) found.push(bit);
            }
            const sorted = [...codes].sort((left, right) => left - right);
            assert.equal(found, sorted, `${codeCount} codes, group ${group}`);
          });
        });
      }
    });
  });
});
