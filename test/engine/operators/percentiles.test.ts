import * as assert from "uvu/assert";
import { vectorSize } from "../../../engine/kernels/kernels.ts";
import { compileValueCollector, layoutCollect } from "../../../engine/operators/collectValues.ts";
import { compileDirectGroups } from "../../../engine/operators/directGroups.ts";
import type { NumberedKey } from "../../../engine/operators/numbering.ts";
import {
  addHistograms,
  readPercentiles,
  requestValues,
  selectPercentiles,
  wantValues,
} from "../../../engine/operators/percentiles.ts";
import { layoutStates } from "../../../engine/operators/stateLayout.ts";
import type { BoundGrouping, BoundQuantile } from "../../../engine/plan/boundPlan.ts";
import { percentile } from "../../../engine/sketches/quantile.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { ColumnMaker } from "./madeColumns.ts";
import { cardinality, makeTable } from "./randomBound.ts";
import { numberOf } from "./randomKey.ts";
import { compileOver, openMemory, randomRowCounts } from "./vectorRun.ts";

const fractions = [0, 0.1, 0.5, 0.999, 1];

function randomGrouping(random: Random): BoundGrouping {
  const keys: readonly NumberedKey[] = random.chance(0.3)
    ? []
    : [{ kind: "text", code: { kind: "byCode", column: 3 }, cardinality }];
  const rough = (column: number, bucketCount: number): BoundQuantile => ({
    of: { kind: "column", column },
    decimals: -1,
    low: -200_000,
    factor: bucketCount / 800_000,
    bucketCount,
    isExact: false,
    fractions,
  });
  return {
    mode: "direct",
    capacity: keys.length > 0 ? cardinality : 1,
    keys,
    slots: [{ kind: "rows" }],
    rows: { slot: 0, lane: 0 },
    distincts: [],
    quantiles: [rough(0, random.pick([1, 16, 300])), rough(1, 64)],
    sketches: [],
    digests: [],
    outputs: [],
  };
}

suite("engine/operators/percentiles", (test) => {
  test("two scans give the percentile that the sorted values of a group have, whichever task saw them", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 40; round++) {
        const memory = openMemory(random);
        const maker = new ColumnMaker(random, memory, randomRowCounts(random), random.chance(0.7));
        const table = makeTable(maker);
        const { columns } = table;
        const grouping = randomGrouping(random);
        const { capacity, quantiles } = grouping;
        const keys = grouping.keys as readonly NumberedKey[];
        const taskOf = columns[0].groups.map(() => random.below(3));
        const seen = quantiles.map(() => Array.from({ length: capacity }, (): number[] => []));
        const histograms = [0, 1, 2].map((task) => {
          const { operator, source, openGroup } = compileOver(
            random,
            memory,
            columns,
            (compilation) => {
              const layout = layoutStates(grouping, compilation.workspace);
              return { layout, groups: compileDirectGroups(grouping, layout, compilation) };
            },
          );
          operator.groups.begin();
          columns[0].groups.forEach(({ length }, group) => {
            if (taskOf[group] !== task) return;
            openGroup(group);
            operator.groups.openGroup();
            for (let start = 0; start < length; start += vectorSize) {
              // Both scans look at the same rows, so none is left out here.
              source.openVector(start, Math.min(vectorSize, length - start));
              operator.groups.fold();
              for (let row = start; row < Math.min(length, start + vectorSize); row++) {
                const number = numberOf(keys, { columns, group, row });
                for (const index of [0, 1]) {
                  const value = columns[index].groups[group][row];
                  if (value === value) seen[index][number].push(value);
                }
              }
            }
          });
          operator.groups.finish();
          const { arena, base } = source;
          return quantiles.map(({ bucketCount }, index) => {
            const from = (base + operator.layout.histograms[index].offset) / 4;
            return arena.u32.slice(from, from + capacity * bucketCount) as Uint32Array;
          });
        });
        const sums = quantiles.map((_, index) =>
          addHistograms(histograms.map((own) => own[index])),
        );
        const wanted = quantiles.map((quantile, index) =>
          wantValues(quantile, sums[index], capacity),
        );
        const brought = histograms.map((own, task) => {
          const requests = wanted.map((values, index) =>
            requestValues(index, values, own[index], quantiles[index].bucketCount),
          );
          const { operator, source, openGroup } = compileOver(
            random,
            memory,
            columns,
            (compilation) => {
              const layout = layoutCollect(requests, compilation.workspace);
              const collector = compileValueCollector(grouping, requests, layout, compilation);
              return { layout, collector };
            },
          );
          operator.collector.begin();
          columns[0].groups.forEach(({ length }, group) => {
            if (taskOf[group] !== task) return;
            openGroup(group);
            operator.collector.openGroup();
            for (let start = 0; start < length; start += vectorSize) {
              source.openVector(start, Math.min(vectorSize, length - start));
              operator.collector.fold();
            }
          });
          return { requests, layout: operator.layout, source };
        });
        quantiles.forEach((quantile, index) => {
          const found = selectPercentiles(
            quantile,
            sums[index],
            capacity,
            wanted[index],
            (bucket) =>
              Float64Array.from(
                brought.flatMap(({ requests, layout, source }) => {
                  const { cursors, valueCount } = requests[index];
                  const at = (source.base + layout[index].values) / 8;
                  const until = cursors[bucket + 1] ?? valueCount;
                  return [...source.arena.f64.subarray(at + cursors[bucket], at + until)];
                }),
              ),
          );
          seen[index].forEach((values, group) =>
            fractions.forEach((fraction, place) => {
              const all = Float64Array.from(values);
              const expected = percentile(all, 0, all.length, fraction);
              assert.is(String(found[place][group] + 0), String(expected + 0), `${fraction}`);
            }),
          );
        });
      }
    });
  });

  test("a histogram whose buckets hold one value each has the percentiles of its values", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 100; round++) {
        const bucketCount = 1 + random.below(30);
        const capacity = 1 + random.below(5);
        const decimals = random.pick([-1, 0, 2]);
        const low = random.below(100) - 50;
        const histogram = Uint32Array.from({ length: capacity * bucketCount }, () =>
          random.chance(0.4) ? random.below(4) : 0,
        );
        const quantile: BoundQuantile = {
          of: { kind: "column", column: 0 },
          decimals,
          low,
          factor: 1,
          bucketCount,
          isExact: true,
          fractions,
        };
        const found = readPercentiles(quantile, histogram, capacity);
        for (let group = 0; group < capacity; group++) {
          const values = Float64Array.from(
            Array.from({ length: bucketCount }, (_, bucket) =>
              Array.from({ length: histogram[group * bucketCount + bucket] }, () =>
                decimals > 0 ? (low + bucket) / 100 : low + bucket,
              ),
            ).flat(),
          );
          fractions.forEach((fraction, index) => {
            const expected = percentile(values, 0, values.length, fraction);
            assert.is(String(found[index][group]), String(expected));
          });
        }
      }
    });
  });
});
