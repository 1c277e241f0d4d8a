import * as assert from "uvu/assert";
import type { BoundTest } from "../../../../engine/expressions/boundValue.ts";
import { applyHaving, cutAnswer, cutPart } from "../../../../engine/operators/output/cutAnswer.ts";
import { testColumns } from "../../../../engine/operators/output/testColumns.ts";
import type { BoundOrder, BoundPlan } from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const texts = ["b", "a", "Z", ""];
/** Stored codes in the order of their strings: "", "Z", "a", "b". */
const ranks = Int32Array.from([3, 2, 1, 0]);

/** Returns columns of three kinds: a few distinct numbers with nulls, arbitrary numbers, and stored codes. */
function randomColumns(random: Random, rowCount: number): Float64Array[] {
  const make = (value: () => number) => Float64Array.from({ length: rowCount }, value);
  return [
    make(() => random.pick([NaN, -0, 0, 1, 2, -1.5])),
    make(() => random.below(1000) / 8),
    make(() => random.below(texts.length + 1)),
  ];
}

function randomTest(random: Random, depth = 2): BoundTest {
  const left = { kind: "column", column: random.below(2) } as const;
  const value = random.pick([0, 1, -1.5, 60, 2.5]);
  const leaves: readonly BoundTest[] = [
    { kind: "compare", left, operator: random.pick(["=", "<", "<=", ">", ">="] as const), value },
    { kind: "in", left, values: new Set(random.some([NaN, 0, 1, 60.5], 0.5)) },
    { kind: "isNull", left },
    { kind: "lookup", column: 2, passes: Uint8Array.from({ length: 5 }, () => random.below(2)) },
    computedTest(random.pick(texts)),
  ];
  const kind = depth > 0 ? random.below(8) : 0;
  if (kind < 5) return random.pick(leaves);
  if (kind === 5) return { kind: "not", of: randomTest(random, depth - 1) };
  const of = Array.from({ length: random.below(4) }, () => randomTest(random, depth - 1));
  return { kind: kind === 6 ? "and" : "or", of };
}

/** Returns a test that a computed string is before or equal to another string. */
function computedTest(value: string): BoundTest {
  const column = { kind: "column", name: "output 2" } as const;
  const when = { kind: "compare", left: column, operator: "<=", value } as const;
  const then = { kind: "literal", type: "number", value: 1 } as const;
  const code = { kind: "byCode", column: 2 } as const;
  return {
    kind: "compare",
    operator: "=",
    value: 1,
    left: {
      kind: "rows",
      type: "number",
      expression: { kind: "case", branches: [{ when, then }] },
      inputs: [
        { name: "output 2", join: undefined, of: { kind: "text", texts: [], textCount: 0, code } },
      ],
    },
  };
}

function passes(test: BoundTest, cells: readonly number[]): boolean {
  switch (test.kind) {
    case "and":
      return test.of.every((part) => passes(part, cells));
    case "or":
      return test.of.some((part) => passes(part, cells));
    case "not":
      return !passes(test.of, cells);
    case "lookup":
      return test.passes[cells[test.column]] === 1;
    case "lookupNumber":
      throw new RangeError("having may only test outputs");
    case "compare":
    case "in":
    case "isNull": {
      if (test.left.kind === "rows") {
        const { expression } = test.left;
        const when = expression.kind === "case" ? expression.branches[0].when : undefined;
        const limit = when?.kind === "compare" ? String(when.value) : "";
        return cells[2] > 0 && texts[cells[2] - 1] <= limit;
      }
      const value = test.left.kind === "column" ? cells[test.left.column] : NaN;
      if (test.kind === "isNull") return Number.isNaN(value);
      if (test.kind === "in") return test.values.has(value);
      const { operator, value: other } = test;
      if (operator === "=") return value === other;
      if (operator === "<") return value < other;
      if (operator === "<=") return value <= other;
      return operator === ">" ? value > other : value >= other;
    }
  }
}

const cellsOf = (columns: readonly Float64Array[], row: number) =>
  columns.map((column) => column[row]);

function randomOrder(random: Random): BoundOrder[] {
  return random.some([0, 1, 2], 0.6).map((output) => ({
    output,
    descending: random.chance(0.5),
    ...(output === 2 && { ranks }),
  }));
}

/** Sorts rows cell by cell, with nulls last, and equal rows by row number. */
function plainSort(columns: readonly Float64Array[], order: readonly BoundOrder[]): number[] {
  return [...columns[0].keys()].sort((left, right) => {
    for (const { output, descending } of order) {
      const [a, b] = [left, right].map((row) => {
        const value = columns[output][row];
        return output === 2 ? (value === 0 ? NaN : ranks[value - 1]) : value;
      });
      if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
      return descending ? b - a : a - b;
    }
    return left - right;
  });
}

const planOf = (order: readonly BoundOrder[], more: Partial<BoundPlan> = {}): BoundPlan => ({
  rowCount: 0,
  laneCount: 1,
  columns: [],
  order,
  ...more,
});

suite("engine/operators/output/testColumns", (test) => {
  test("an output row passes a test if the test is true of its cells", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const rowCount = random.below(40);
        const columns = randomColumns(random, rowCount);
        const predicate = randomTest(random);
        const expected = Array.from({ length: rowCount }, (_, row) =>
          passes(predicate, cellsOf(columns, row)) ? 1 : 0,
        );
        const mask = testColumns(predicate, columns, rowCount, [undefined, undefined, texts]);
        assert.equal([...mask], expected);
        const kept = applyHaving(planOf([], { having: predicate }), columns, [
          undefined,
          undefined,
          texts,
        ]);
        const rows = [...expected.keys()].filter((row) => expected[row] === 1);
        assert.equal(
          kept.map((column) => [...column]),
          columns.map((column) => rows.map((row) => column[row])),
        );
      }
    });
  });

  test("a test of an expression that is not an output is an error", () => {
    const left = { kind: "literal", value: 1 } as const;
    const none = [new Float64Array(1)];
    assert.throws(
      () => testColumns({ kind: "isNull", left }, none, 1),
      /having may only test outputs/,
    );
  });

  test("without `having`, all rows are kept", () => {
    const columns = [Float64Array.of(1, NaN)];
    assert.is(applyHaving(planOf([]), columns), columns);
  });
});

suite("engine/operators/output/cutAnswer", (test) => {
  test("rows are first sorted, then accumulated, then limited", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const columns = randomColumns(random, random.pick([0, 1, 5, 60, 400]));
        const order = randomOrder(random);
        const limit = { offset: random.below(9), count: random.below(30) };
        const isRunning = random.chance(0.3);
        const place = { slot: 0, lane: 0 } as const;
        const sum = { kind: "cumulativesum", sum: place, count: place, decimals: 0 } as const;
        const key = { kind: "key", key: 0 } as const;
        const outputs = [isRunning ? sum : key, key, key];
        const grouping = { outputs } as unknown as NonNullable<BoundPlan["grouping"]>;
        const isLimited = random.chance(0.7);
        const plan = planOf(order, { grouping, ...(isLimited && { limit }) });
        const rows = plainSort(columns, order);
        const sorted = columns.map((column) => rows.map((row) => column[row]));
        if (isRunning) {
          let total = NaN;
          sorted[0] = sorted[0].map((value) => {
            if (!Number.isNaN(value)) total = Number.isNaN(total) ? value : total + value;
            return total;
          });
        }
        const end = isLimited ? limit.offset + limit.count : Infinity;
        const expected = sorted.map((column) => column.slice(isLimited ? limit.offset : 0, end));
        const found = cutAnswer(plan, columns).map((column) => [...column]);
        assert.equal(found, expected);
        const part = cutPart(plan, columns);
        assert.equal(
          cutAnswer(plan, part).map((column) => [...column]),
          expected,
        );
        const fits = isLimited && !isRunning;
        assert.is(part[0].length, fits ? Math.min(rows.length, end) : rows.length);
      }
    });
  });
});
