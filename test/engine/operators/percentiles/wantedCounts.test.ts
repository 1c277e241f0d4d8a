import assert from "node:assert/strict";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { compileNumbering, type NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import type { CollectRequest } from "../../../../engine/operators/percentiles/percentiles.ts";
import { compileWantedCounts } from "../../../../engine/operators/percentiles/wantedCounts.ts";
import type { BoundQuantile } from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker, type GeneratedColumn } from "../columnMaker.ts";
import { compileOver, openMemory, randomRowCounts, readWords } from "../vectorRun.ts";

const shift = 4;
/** Size of the memory after that of the operator. The operator must not write there. */
const beyondBytes = 1024;

/** Returns percentiles of a column of whole numbers between 0 and `most`. */
const quantileOf = (column: number, most: number): BoundQuantile => ({
  of: { kind: "column", column },
  decimals: 0,
  low: 0,
  factor: 2 ** -shift,
  bucketCount: (most >> shift) + 2,
  shift,
  fractions: [0.5],
});

const keyOf = (column: number, cardinality: number): NumberedKey => ({
  kind: "text",
  code: { kind: "byCode", column },
  cardinality,
});

/** Returns a request for up to `most` buckets per group. */
function requestOf(
  random: Random,
  capacity: number,
  { bucketCount }: BoundQuantile,
  most: number,
): Extract<CollectRequest, { kind: "counts" }> {
  const table = new Uint32Array(capacity * bucketCount);
  let slotCount = 0;
  for (let group = 0; group < capacity; group++)
    for (let count = random.below(most + 1); count > 0; count--) {
      const at = group * bucketCount + 1 + random.below(bucketCount - 1);
      if (table[at] === 0) table[at] = ++slotCount;
    }
  return { kind: "counts", quantile: 0, table, counterCount: slotCount * 2 ** shift };
}

function compile(
  random: Random,
  memory: ReturnType<typeof openMemory>,
  columns: readonly GeneratedColumn[],
  keys: readonly NumberedKey[],
  quantile: BoundQuantile,
  request: CollectRequest,
) {
  return compileOver(random, memory, columns, (compilation) => {
    const { workspace } = compilation;
    const output = workspace.reserve(request.kind === "counts" ? request.counterCount * 4 : 64);
    const numbering = compileNumbering(keys, compilation);
    const table = workspace.table(request.table);
    const counts = compileWantedCounts(
      quantile,
      request,
      { table, output },
      numbering,
      compilation,
    );
    return { output, numbering, counts, beyond: workspace.reserve(beyondBytes) };
  });
}

suite("engine/operators/percentiles/wantedCounts", (test) => {
  test("every value in a bucket that its group's percentile needs is counted", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const met = { one: 0, codes: 0, beside: 0, nulls: 0, whole: 0, counted: 0 };
      const isMet = () => Object.values(met).every((count) => count > 0);
      for (let round = 0; round < 30 || (!isMet() && round < 1000); round++) {
        const memory = openMemory(random);
        const rowCounts = randomRowCounts(random);
        const maker = new ColumnMaker(random, memory, rowCounts, random.chance(0.3));
        const most = random.pick([200, 4000]);
        const nullShare = random.pick([0, 0.1]);
        const cardinality = random.pick([5, 60]);
        const columns = [
          maker.codes(cardinality),
          maker.codes(3, false),
          maker.exactly(
            rowCounts.map((length) =>
              Float64Array.from({ length }, () =>
                random.chance(nullShare) ? NaN : random.below(most + 1),
              ),
            ),
          ),
        ];
        const keys = random.pick([
          [],
          [keyOf(0, cardinality)],
          [keyOf(1, 3), keyOf(0, cardinality)],
        ]);
        const capacity = keys.reduce((product, key) => product * key.cardinality, 1);
        const quantile = quantileOf(2, most);
        const request = requestOf(random, capacity, quantile, random.pick([1, 4]));
        const compiled = compile(random, memory, columns, keys, quantile, request);
        const { operator, source, openRowGroup } = compiled;
        columns[0].groups.forEach(({ length }, group) => {
          openRowGroup(group);
          operator.numbering.openRowGroup();
          const output = source.base + operator.output;
          source.arena.u8.fill(0, output, output + request.counterCount * 4);
          const isWhole = source.isInOneArena && random.chance(0.5);
          const step = isWhole ? length : vectorSize;
          for (let start = 0; start < length; start += step) {
            source.openVector(start, Math.min(step, length - start));
            if (!operator.counts.canCount()) return;
            operator.counts.fold();
          }
          const expected = Array.from({ length: request.counterCount }, () => 0);
          for (let row = 0; row < length; row++) {
            const value = columns[2].groups[group][row];
            if (Number.isNaN(value)) continue;
            let number = 0;
            let stride = 1;
            for (const key of keys) {
              const column =
                key.kind === "text" && key.code.kind === "byCode" ? key.code.column : 0;
              number += columns[column].groups[group][row] * stride;
              stride *= key.cardinality;
            }
            const slot = request.table[number * quantile.bucketCount + (value >> shift) + 1];
            if (slot > 0) expected[(slot - 1) * 2 ** shift + (value % 2 ** shift)]++;
          }
          assert.deepEqual(readWords(source, output, request.counterCount), expected);
          if (expected.some((count) => count > 0)) met.counted++;
          if (operator.numbering.isConstant) met.one++;
          else if (keys.length === 1) met.codes++;
          else met.beside++;
          if (nullShare > 0) met.nulls++;
          if (isWhole && length > vectorSize) met.whole++;
        });
      }
      assert.ok(isMet(), JSON.stringify(met));
    });
  });

  test("needed buckets are not counted if there are too many buckets, layers or codes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const length = 300;
      const canCount = (
        most: number,
        code: number,
        change: (request: Extract<CollectRequest, { kind: "counts" }>) => CollectRequest,
      ): boolean => {
        const memory = openMemory(random);
        const maker = new ColumnMaker(random, memory, [length], false);
        const values = (make: (row: number) => number) =>
          maker.exactly([Float64Array.from({ length }, (_, row) => make(row))]);
        // Positive whole numbers are stored like codes.
        const codes = values((row) => 1 + (row % code));
        const numbers = values((row) => (row * 7) % (most + 1));
        const quantile = quantileOf(1, most);
        const keys = [keyOf(0, code + 1)];
        const request = requestOf(random, code + 1, quantile, 1);
        const { operator, source, openRowGroup } = compile(
          random,
          memory,
          [codes, numbers],
          keys,
          quantile,
          change(request),
        );
        openRowGroup(0);
        operator.numbering.openRowGroup();
        source.openVector(0, length);
        const beyond = source.arena.u8
          .subarray(source.base + operator.beyond)
          .subarray(0, beyondBytes);
        beyond.fill(7);
        const can = operator.counts.canCount();
        assert.ok(
          beyond.every((byte) => byte === 7),
          "the operator wrote outside of its memory",
        );
        return can;
      };
      const asTheyAre = (request: CollectRequest) => request;
      assert.equal(canCount(4000, 63, asTheyAre), true);
      assert.equal(canCount(4000, 64, asTheyAre), false);
      assert.equal(canCount(4000, 280, asTheyAre), false);
      assert.equal(canCount(255 * 16, 63, asTheyAre), false);
      const gathered = ({ table }: CollectRequest): CollectRequest => ({
        kind: "values",
        quantile: 0,
        table,
        cursors: new Uint32Array(64),
        valueCount: length,
      });
      assert.equal(canCount(4000, 63, gathered), false);
      const ofOneGroup = (count: number) => (request: CollectRequest) => {
        request.table.fill(0, 0, quantileOf(1, 4000).bucketCount);
        for (let bucket = 1; bucket <= count; bucket++) request.table[bucket] = bucket;
        return { ...request, kind: "counts", counterCount: count * 2 ** shift } as const;
      };
      assert.equal(canCount(4000, 63, ofOneGroup(4)), true);
      assert.equal(canCount(4000, 63, ofOneGroup(5)), false);
      assert.equal(canCount(4000, 63, ofOneGroup(12)), false);
    });
  });
});
