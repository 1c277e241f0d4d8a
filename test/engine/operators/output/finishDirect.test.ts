import * as assert from "uvu/assert";
import { Memory } from "../../../../engine/memory/memory.ts";
import { Arena } from "../../../../engine/operators/task/arena.ts";
import { finishDirect, mergeVariance } from "../../../../engine/operators/output/finishDirect.ts";
import { cutAnswer } from "../../../../engine/operators/output/cutAnswer.ts";
import { layoutStates } from "../../../../engine/plan/stateLayout.ts";
import { Workspace } from "../../../../engine/operators/task/workspace.ts";
import type { BoundGrouping, BoundPlan } from "../../../../engine/plan/boundPlan.ts";
import { hashDoubles } from "../../../../engine/sketches/hashDoubles.ts";
import {
  estimateDistinct,
  foldHashes,
  sketchRegisters,
} from "../../../../engine/sketches/hyperLogLog.ts";
import { percentile } from "../../../../engine/sketches/quantile.ts";
import { addValue, digestDoubles } from "../../../../engine/sketches/tDigest.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const column = { of: { kind: "column", column: 0 }, decimals: 1 } as const;

/** The stored codes of 300 strings, by rank. */
const codesByRank = Int32Array.from({ length: 300 }, (_, rank) => (rank * 7) % 300);

/** A grouping with every kind of slot. Sums of doubles and variances depend on the order of rows, as digests do. */
const grouping: BoundGrouping = {
  mode: "direct",
  capacity: 60,
  keys: [
    { kind: "text", code: { kind: "byCode", column: 1 }, cardinality: 12 },
    { kind: "whole", of: column.of, base: -2, decimals: 1, cardinality: 5 },
  ],
  slots: [
    { kind: "rows" },
    { kind: "countSum", right: column, isExact: true },
    { kind: "extent", of: column },
    { kind: "rowsSum", right: { of: column.of, decimals: -1 }, isExact: false },
    { kind: "variance", of: column.of },
    { kind: "extent", of: { of: column.of, decimals: -1 } },
  ],
  rows: { slot: 0, lane: 0 },
  distincts: [{ kind: "code", code: { kind: "byCode", column: 1 }, cardinality: 300 }],
  quantiles: [
    {
      of: column.of,
      decimals: 0,
      low: 0,
      factor: 1,
      bucketCount: 3,
      shift: 0,
      fractions: [0.5, 0.9],
    },
  ],
  sketches: [column.of],
  digests: [column.of],
  outputs: [
    { kind: "key", key: 0 },
    { kind: "key", key: 1 },
    { kind: "count", count: { slot: 0, lane: 0 } },
    { kind: "sum", sum: { slot: 1, lane: 1 }, count: { slot: 1, lane: 0 }, decimals: 1 },
    { kind: "average", sum: { slot: 1, lane: 1 }, count: { slot: 1, lane: 0 }, decimals: 1 },
    { kind: "least", extent: 2, decimals: 1 },
    { kind: "greatest", extent: 2, decimals: 1 },
    { kind: "sum", sum: { slot: 3, lane: 1 }, count: { slot: 3, lane: 0 }, decimals: -1 },
    {
      kind: "weightedaverage",
      sum: { slot: 3, lane: 1 },
      weight: { slot: 1, lane: 1 },
      count: { slot: 3, lane: 0 },
    },
    { kind: "stddev", variance: 4 },
    { kind: "distinct", distinct: 0 },
    { kind: "percentile", quantile: 0, fraction: 0.9 },
    { kind: "least", extent: 5, decimals: -1, codesByRank },
    { kind: "greatest", extent: 5, decimals: -1, codesByRank },
    { kind: "approximatedistinct", sketch: 0 },
    { kind: "approximatepercentile", digest: 0, fraction: 0.25 },
  ],
};

const laneCount = 3;
const taskCount = 2;

/** Random rows, each with the task and the lane that folds it. */
interface FoldedRow {
  readonly group: number;
  readonly lane: number;
  readonly task: number;
  /** The row's value times ten; NaN for null. */
  readonly value: number;
  readonly code: number;
}

function randomRows(random: Random): FoldedRow[] {
  const share = random.pick([5, 200, 800]);
  return Array.from({ length: share }, () => ({
    group: random.below(grouping.capacity),
    lane: random.below(laneCount),
    task: random.below(taskCount),
    value: random.chance(0.2) ? NaN : random.below(200) - 100,
    code: random.below(301),
  }));
}

suite("engine/operators/output/finishDirect", (test) => {
  test("merging the states of all tasks and lanes returns one row per group", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 3, deep: 30 }); round++) {
        const memory = new Memory({ budgetBytes: 2 ** 26 });
        const workspace = new Workspace();
        const layout = layoutStates(grouping, workspace);
        const bases = Array.from(
          { length: taskCount },
          () => memory.allocateScratch(workspace.sizeBytes, 0).offset,
        );
        const orderedBytes = layout.slots[3].sizeBytes + layout.slots[4].sizeBytes;
        const laneBytes = orderedBytes + layout.digests[0].sizeBytes;
        const lanes = memory.allocateScratch(laneBytes * laneCount, 0).offset;
        const arena = new Arena(memory.arenas[0]);
        const { f64, u32 } = arena;
        for (const base of bases) {
          f64.fill(0, base / 8, (base + workspace.stateBytes) / 8);
          for (const slot of [2, 5]) {
            const extent = (base + layout.slots[slot].offset) / 8;
            f64.fill(Infinity, extent, extent + grouping.capacity * 2);
          }
        }
        f64.fill(0, lanes / 8, (lanes + laneBytes * laneCount) / 8);
        const rows = randomRows(random);
        for (const { group, lane, task, value, code } of rows) {
          const at = (slot: number) => (bases[task] + layout.slots[slot].offset) / 8 + group * 2;
          f64[at(0)]++;
          const isPresent = value === value;
          if (isPresent) {
            f64[at(1)]++;
            f64[at(1) + 1] += value;
            f64[at(2)] = Math.min(f64[at(2)], value);
            f64[at(2) + 1] = Math.min(f64[at(2) + 1], -value);
          }
          if (code > 0) {
            const { offset, wordsPerGroup } = layout.distincts[0];
            const bit = code - 1;
            u32[(bases[task] + offset) / 4 + group * wordsPerGroup + (bit >> 5)] |= 1 << (bit & 31);
          }
          if (code > 0) {
            f64[at(5)] = Math.min(f64[at(5)], code - 1);
            f64[at(5) + 1] = Math.min(f64[at(5) + 1], 1 - code);
            const hashes = new Uint32Array(2);
            hashDoubles(Float64Array.of(code), 1, hashes);
            const registers = bases[task] + layout.sketches[0].offset + group * sketchRegisters;
            foldHashes(hashes, 1, arena.u8.subarray(registers) as Uint8Array);
            const digest = (lanes + lane * laneBytes + orderedBytes) / 8 + group * digestDoubles;
            addValue(f64.subarray(digest, digest + digestDoubles) as Float64Array, code);
          }
          const sums = (lanes + lane * laneBytes) / 8 + group * 2;
          f64[sums]++;
          f64[sums + 1] += code / 3;
          if (!isPresent) continue;
          const variance = (lanes + lane * laneBytes + layout.slots[3].sizeBytes) / 8 + group * 4;
          mergeVariance(f64, variance, Float64Array.of(1, value, 0), 0);
        }
        const percentiles = [[0, 1].map(() => new Float64Array(grouping.capacity))];
        percentiles[0][1] = percentiles[0][1].map((_, group) => group * 7);
        const order = [{ output: random.pick([3, 4, 5, 6]), descending: random.chance(0.5) }];
        const limit = { offset: random.below(2), count: 1 + random.below(5) };
        const plan: BoundPlan = {
          rowCount: rows.length,
          laneCount,
          columns: [],
          grouping,
          order,
          ...(random.chance(0.6) && { limit }),
          ...(random.chance(0.3) && {
            having: {
              kind: "compare",
              left: { kind: "column", column: 2 },
              operator: ">",
              value: 2,
            },
          }),
        };
        const cuts = [0, random.below(61), 60].sort((left, right) => left - right);
        const parts = [0, 1].flatMap((part) => {
          const [from, to] = [cuts[part], cuts[part + 1]];
          if (from === to) return [];
          return [
            finishDirect(
              plan,
              grouping,
              { layout, states: { bases, lanes, laneBytes }, percentiles, pairCounts: [], arena },
              from,
              to,
            ),
          ];
        });
        const joined = parts[0].map((_, output) =>
          Float64Array.from(parts.flatMap((part) => [...part[output]])),
        );
        const found = cutAnswer(plan, joined);
        const expected = plainAnswer(rows, plan);
        assert.is(found[0].length, expected.length);
        expected.forEach((cells, row) =>
          cells.forEach((cell, output) => {
            const value = found[output][row];
            const isNear = Math.abs(value - cell) <= Math.abs(cell) * 1e-9;
            if (!isNear && !Object.is(value, cell))
              assert.equal(
                found.map((each) => each[row]),
                cells,
                `row ${row}, output ${output}`,
              );
          }),
        );
      }
    });
  });

  test("merging the variances of parts returns the variance of all values", () => {
    const states = [[1, 5, 9], [4], [], [2, 2]].map((values) => {
      const state = new Float64Array(3);
      for (const value of values) mergeVariance(state, 0, Float64Array.of(1, value, 0), 0);
      return state;
    });
    const merged = new Float64Array(3);
    for (const state of states) mergeVariance(merged, 0, state, 0);
    const all = [1, 5, 9, 4, 2, 2];
    const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
    const squares = all.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    assert.is(merged[0], all.length);
    assert.ok(Math.abs(merged[1] - mean) < 1e-12 && Math.abs(merged[2] - squares) < 1e-12);
  });
});

/**
 * Returns the stored codes of the least and the greatest rank; 0 if there are none. Each number in `codes` is a rank
 * plus one.
 */
function rankExtremes(codes: ReadonlySet<number>): readonly number[] {
  if (codes.size === 0) return [0, 0];
  return [Math.min(...codes), Math.max(...codes)].map((code) => codesByRank[code - 1] + 1);
}

function registersOf(codes: ReadonlySet<number>): Uint8Array {
  const registers = new Uint8Array(sketchRegisters);
  const hashes = new Uint32Array(codes.size * 2);
  hashDoubles(Float64Array.from(codes), codes.size, hashes);
  foldHashes(hashes, codes.size, registers);
  return registers;
}

/** Returns the answer's rows, one per group, after sorting and limiting. */
function plainAnswer(rows: readonly FoldedRow[], { having, order, limit }: BoundPlan): number[][] {
  const answer: number[][] = [];
  for (let group = 0; group < grouping.capacity; group++) {
    const own = rows.filter((row) => row.group === group);
    if (own.length === 0) continue;
    const values = own.map(({ value }) => value).filter((value) => value === value);
    const sum = values.reduce((total, value) => total + value, 0);
    const size = values.length;
    const squares = values.reduce((total, value) => total + (value - sum / size) ** 2, 0);
    const whole = Math.floor(group / 12);
    const listed = Float64Array.from(own, ({ code }) => code).filter((code) => code > 0);
    const codes = new Set(own.map(({ code }) => code).filter((code) => code > 0));
    answer.push([
      group % 12,
      whole === 0 ? NaN : (whole - 3) / 10,
      own.length,
      size > 0 ? sum / 10 : NaN,
      size > 0 ? sum / 10 / size : NaN,
      size > 0 ? Math.min(...values) / 10 : NaN,
      size > 0 ? Math.max(...values) / 10 : NaN,
      own.reduce((total, { code }) => total + code / 3, 0),
      sum === 0 ? NaN : own.reduce((total, { code }) => total + code / 3, 0) / sum,
      size > 1 ? Math.sqrt(squares / (size - 1)) : NaN,
      codes.size,
      group * 7,
      ...rankExtremes(codes),
      estimateDistinct(registersOf(codes)),
      percentile(listed, 0, listed.length, 0.25),
    ]);
  }
  const kept = having ? answer.filter((cells) => cells[2] > 2) : answer;
  const [{ output, descending }] = order;
  const weigh = (cells: readonly number[]) =>
    Number.isNaN(cells[output]) ? Infinity : descending ? -cells[output] : cells[output];
  const sorted = kept
    .map((cells, place) => ({ cells, place }))
    .sort((left, right) => {
      const [a, b] = [weigh(left.cells), weigh(right.cells)];
      return a === b ? left.place - right.place : a - b;
    })
    .map(({ cells }) => cells);
  return limit ? sorted.slice(limit.offset, limit.offset + limit.count) : sorted;
}
