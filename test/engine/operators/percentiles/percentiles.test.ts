import * as assert from "uvu/assert";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { joinGathered } from "../../../../engine/operators/percentiles/gatheredValues.ts";
import {
  compileValueCollector,
  layoutCollect,
} from "../../../../engine/operators/percentiles/collectValues.ts";
import { compileDirectGroups } from "../../../../engine/operators/groups/directGroups.ts";
import type { NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import {
  addHistograms,
  locatePercentiles,
  readPercentiles,
  requestCounts,
  requestValues,
  selectPercentiles,
  wantValues,
} from "../../../../engine/operators/percentiles/percentiles.ts";
import type { VectorSource } from "../../../../engine/operators/rows/vectorSource.ts";
import { Heap } from "../../../../engine/operators/task/heap.ts";
import { layoutStates } from "../../../../engine/plan/stateLayout.ts";
import type { BoundGrouping, BoundQuantile } from "../../../../engine/plan/boundPlan.ts";
import { percentile } from "../../../../engine/sketches/quantile.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker, type GeneratedColumn } from "../columnMaker.ts";
import { cardinality, makeTable } from "../randomBound.ts";
import { numberOf } from "../randomKey.ts";
import { compileOver, openMemory, randomRowCounts } from "../vectorRun.ts";

const fractions = [0, 0.1, 0.5, 0.999, 1];

/**
 * Kinds of row groups: whole numbers in every width, whole numbers with a step, and numbers of at most three decimals.
 */
const wholeKinds = [0, 1, 3, 4, 5, 6, 9];
const decimalKinds = [0, 1, 2, 3, 4, 7, 8];

/** Returns a quantile of a column whose numbers are whole when multiplied by 10^decimals. */
function wholeQuantile(
  random: Random,
  { groups }: GeneratedColumn,
  column: number,
  decimals: number,
): BoundQuantile {
  const wholes = groups.flatMap((values) =>
    Array.from(
      values.filter((value) => value === value),
      (value) => Math.round(value * 10 ** decimals),
    ),
  );
  const low = wholes.length === 0 ? 0 : wholes.reduce((least, value) => Math.min(least, value));
  const range = wholes.reduce((most, value) => Math.max(most, value - low), 0);
  let shift = random.below(4);
  while (range / 2 ** shift > random.pick([60, 3000])) shift++;
  return {
    of: { kind: "column", column },
    decimals,
    low,
    factor: 2 ** -shift,
    bucketCount: Math.floor(range / 2 ** shift) + 2,
    shift,
    fractions,
  };
}

function randomGrouping(random: Random, columns: readonly GeneratedColumn[]): BoundGrouping {
  const keys: readonly NumberedKey[] = random.chance(0.3)
    ? []
    : [{ kind: "text", code: { kind: "byCode", column: 3 }, cardinality }];
  const rough = (column: number, bucketCount: number): BoundQuantile => ({
    of: { kind: "column", column },
    decimals: -1,
    low: -200_000,
    factor: (bucketCount - 1) / 800_000,
    bucketCount,
    shift: -1,
    fractions,
  });
  return {
    mode: "direct",
    capacity: keys.length > 0 ? cardinality : 1,
    keys,
    slots: [{ kind: "rows" }],
    rows: { slot: 0, lane: 0 },
    distincts: [],
    quantiles: [
      rough(0, random.pick([2, 17, 300])),
      rough(1, 65),
      wholeQuantile(random, columns[5], 5, 0),
      wholeQuantile(random, columns[6], 6, 3),
    ],
    sketches: [],
    digests: [],
    outputs: [],
  };
}

/** Opens a vector and narrows it to the rows that pass a row group's mask. Returns false if no row passes. */
function openSelected(
  source: VectorSource,
  place: number,
  start: number,
  mask: Uint8Array,
): boolean {
  const part = mask.subarray(start, start + vectorSize);
  source.openVector(start, part.length);
  source.arena.u8.set(part, source.base + place);
  return source.select(source.base + place) > 0;
}

/** No aggregate of these tests records pairs. */
const unused = { heap: new Heap(), rowCount: 0 };

suite("engine/operators/percentiles/percentiles", (test) => {
  test("two scans find the percentile of each group's sorted values, however tasks divide the rows", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 3, deep: 40 }); round++) {
        const memory = openMemory(random);
        const maker = new ColumnMaker(random, memory, randomRowCounts(random), random.chance(0.7));
        const columns = [
          ...makeTable(maker).columns,
          maker.numbers(wholeKinds),
          maker.numbers(decimalKinds),
        ];
        const grouping = randomGrouping(random, columns);
        const share = random.pick([1, 1, 0.5, 0.02]);
        const masks = columns[0].groups.map(({ length }) =>
          Uint8Array.from({ length }, () => (random.chance(share) ? 1 : 0)),
        );
        const { capacity, quantiles } = grouping;
        const keys = grouping.keys as readonly NumberedKey[];
        const taskOf = columns[0].groups.map(() => random.below(3));
        const seen = quantiles.map(() => Array.from({ length: capacity }, (): number[] => []));
        const places = quantiles.map(({ of }) => (of.kind === "column" ? of.column : 0));
        const rows = new Float64Array(capacity);
        const counted = new Float64Array(capacity);
        const histograms = [0, 1, 2].map((task) => {
          const { operator, source, openRowGroup } = compileOver(
            random,
            memory,
            columns,
            (compilation) => {
              const layout = layoutStates(grouping, compilation.workspace);
              const groups = compileDirectGroups(grouping, layout, compilation, unused);
              return { layout, groups, mask: compilation.workspace.reserve(vectorSize) };
            },
          );
          operator.groups.begin();
          columns[0].groups.forEach(({ length }, group) => {
            if (taskOf[group] !== task) return;
            openRowGroup(group);
            operator.groups.openRowGroup();
            for (let start = 0; start < length; start += vectorSize) {
              if (!openSelected(source, operator.mask, start, masks[group])) continue;
              operator.groups.fold();
              for (let row = start; row < Math.min(length, start + vectorSize); row++) {
                if (masks[group][row] === 0) continue;
                const number = numberOf(keys, { columns, group, row });
                rows[number]++;
                places.forEach((column, index) => {
                  const value = columns[column].groups[group][row];
                  if (value === value) seen[index][number].push(value);
                });
              }
            }
          });
          operator.groups.finish();
          const { arena, base } = source;
          const state = (base + operator.layout.slots[0].offset) / 8;
          for (let group = 0; group < capacity; group++)
            counted[group] += arena.f64[state + group * 2];
          return quantiles.map(({ bucketCount }, index) => {
            const from = (base + operator.layout.histograms[index].offset) / 4;
            return arena.u32.slice(from, from + capacity * bucketCount) as Uint32Array;
          });
        });
        assert.equal(counted, rows);
        const sums = quantiles.map((_, index) =>
          addHistograms(histograms.map((own) => own[index])),
        );
        const wanted = quantiles.map((quantile, index) =>
          wantValues(quantile, sums[index], capacity),
        );
        const isCounted = quantiles.map(
          ({ shift }, index) =>
            shift >= 0 &&
            wanted[index].buckets.length * 2 ** shift <= 2 ** 16 &&
            random.chance(0.5),
        );
        const brought = histograms.map((own, task) => {
          const requests = wanted.map((values, index) =>
            isCounted[index]
              ? requestCounts(index, values, quantiles[index].shift)
              : requestValues(index, values, own[index], quantiles[index].bucketCount),
          );
          const { operator, source, openRowGroup } = compileOver(
            random,
            memory,
            columns,
            (compilation) => {
              const layout = layoutCollect(requests, compilation.workspace);
              const collector = compileValueCollector(grouping, requests, layout, compilation);
              return { layout, collector, mask: compilation.workspace.reserve(vectorSize) };
            },
          );
          operator.collector.begin();
          columns[0].groups.forEach(({ length }, group) => {
            if (taskOf[group] !== task) return;
            openRowGroup(group);
            operator.collector.openRowGroup();
            for (let start = 0; start < length; start += vectorSize) {
              if (openSelected(source, operator.mask, start, masks[group]))
                operator.collector.fold();
            }
          });
          return { requests, layout: operator.layout, source };
        });
        quantiles.forEach((quantile, index) => {
          const outputs = brought.map(({ requests, layout, source }) => ({
            request: requests[index],
            at: source.base + layout[index].output,
            arena: source.arena,
          }));
          const found = isCounted[index]
            ? locatePercentiles(
                quantile,
                sums[index],
                capacity,
                wanted[index],
                addHistograms(
                  outputs.map(({ request, at, arena }) => {
                    assert.ok(request.kind === "counts");
                    return arena.u32.slice(at / 4, at / 4 + request.counterCount) as Uint32Array;
                  }),
                ),
              )
            : selectPercentiles(
                quantile,
                sums[index],
                capacity,
                wanted[index],
                joinGathered(
                  outputs.map(({ request, at, arena }) => {
                    assert.ok(request.kind === "values");
                    const { cursors, valueCount } = request;
                    const values = arena.f64.slice(at / 8, at / 8 + valueCount) as Float64Array;
                    return { cursors, values };
                  }),
                  wanted[index].buckets.length,
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

  test("a histogram with one value per bucket gives the percentiles of its values", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 7, deep: 60 }); round++) {
        const bucketCount = 2 + random.below(30);
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
          shift: 0,
          fractions,
        };
        const found = readPercentiles(quantile, histogram, capacity);
        for (let group = 0; group < capacity; group++) {
          const values = Float64Array.from(
            Array.from({ length: bucketCount - 1 }, (_, bucket) =>
              Array.from({ length: histogram[group * bucketCount + bucket + 1] }, () =>
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
