import * as assert from "uvu/assert";
import { createNullSegment, type Segment } from "../../../../engine/column/segment/segment.ts";
import type { BoundTest } from "../../../../engine/expressions/boundValue.ts";
import { prune } from "../../../../engine/operators/filter/prune.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const operators = ["=", "<", "<=", ">", ">="] as const;

/** The rows of two columns: column 0 contains numbers or NaN, and column 1 stored codes. */
type Rows = readonly [readonly number[], readonly number[]];

function segmentOf(values: readonly number[], areCodes: boolean): Segment {
  const present = values.filter((value) => (areCodes ? value !== 0 : value === value));
  if (present.length === 0) return createNullSegment(values.length);
  const zone = {
    ...createNullSegment(values.length),
    nullCount: values.length - present.length,
    minimum: Math.min(...present),
    maximum: Math.max(...present),
  };
  return areCodes
    ? { ...zone, form: "code", values: { arena: 0, offset: 0, width: 4 } }
    : { ...zone, form: "float", values: { arena: 0, offset: 0, width: 8 } };
}

function randomTest(random: Random, depth = 0): BoundTest {
  const kind = random.below(depth > 2 ? 5 : 8);
  const left = { kind: "column", column: 0 } as const;
  const value = random.below(7) - 3;
  if (kind === 0) return { kind: "compare", left, operator: operators[random.below(5)], value };
  if (kind === 1)
    return { kind: "in", left, values: new Set([value, random.below(2) ? NaN : value + 1]) };
  if (kind === 2) return { kind: "isNull", left };
  if (kind === 3)
    return {
      kind: "lookup",
      column: 1,
      passes: Uint8Array.from({ length: 6 }, () => random.below(2)),
    };
  if (kind === 4)
    return {
      kind: "lookupNumber",
      of: left,
      base: random.below(7) - 4,
      passes: Uint8Array.from({ length: 1 + random.below(6) }, () => random.below(2)),
    };
  if (kind === 5) return { kind: "not", of: randomTest(random, depth + 1) };
  const of = Array.from({ length: random.below(3) + 1 }, () => randomTest(random, depth + 1));
  return { kind: kind === 6 ? "and" : "or", of };
}

function passes(predicate: BoundTest, rows: Rows, row: number): boolean {
  switch (predicate.kind) {
    case "and":
      return predicate.of.every((part) => passes(part, rows, row));
    case "or":
      return predicate.of.some((part) => passes(part, rows, row));
    case "not":
      return !passes(predicate.of, rows, row);
    case "lookup":
      return predicate.passes[rows[1][row]] === 1;
    case "lookupNumber": {
      const { base, passes: table } = predicate;
      return (table[rows[0][row] - base + 1] ?? table[0]) === 1;
    }
    case "isNull":
      return Number.isNaN(rows[0][row]);
    case "in":
      return predicate.values.has(rows[0][row]);
    case "compare": {
      const [value, other] = [rows[0][row], predicate.value];
      if (predicate.operator === "=") return value === other;
      if (predicate.operator.startsWith("<"))
        return value < other || (predicate.operator === "<=" && value === other);
      return value > other || (predicate.operator === ">=" && value === other);
    }
  }
}

suite("engine/operators/filter/prune", (test) => {
  test("pruning reports that all rows pass, or that no rows pass, only if that is true", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const found = { all: 0, none: 0, some: 0 };
      for (let round = 0; round < 20_000; round++) {
        const rowCount = 1 + random.below(4);
        const rows: Rows = [
          Array.from({ length: rowCount }, () =>
            random.below(5) === 0 ? NaN : random.below(7) - 3,
          ),
          Array.from({ length: rowCount }, () => random.below(6)),
        ];
        const segments = [segmentOf(rows[0], false), segmentOf(rows[1], true)];
        const predicate = randomTest(random);
        const pruned = prune(predicate, (column) => segments[column]);
        const passing = rows[0].filter((_, row) => passes(predicate, rows, row)).length;
        found[pruned]++;
        if (pruned === "all") assert.is(passing, rowCount, JSON.stringify([predicate, rows]));
        if (pruned === "none") assert.is(passing, 0, JSON.stringify([predicate, rows]));
        if (predicate.kind === "compare" && rowCount === 1)
          assert.is(pruned, passing === 1 ? "all" : "none", JSON.stringify([predicate, rows]));
      }
      assert.ok(found.all > 100 && found.none > 100 && found.some > 100);
    });
  });
});
