import * as assert from "uvu/assert";
import type { BoundTest } from "../../../../engine/expressions/boundValue.ts";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { compileFilter } from "../../../../engine/operators/filter/filter.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { plainTest } from "../plainTwin.ts";
import { makeTable, randomTest, type GeneratedTable } from "../randomBound.ts";
import { compileOver, openMemory, randomRowCounts } from "../vectorRun.ts";

/**
 * Shares of rows that pass a comparison of a column. `one` stands for a single row and the rows with the same value.
 */
const shares = ["none", "one", 0.01, 0.1, 0.5, 0.9, "all but one", "all"] as const;

/** Returns a comparison or a range. About the given share of a column's rows pass it. */
function testOfShare(random: Random, { columns, numbers, instants }: GeneratedTable): BoundTest {
  const column = random.pick([...numbers, ...instants]);
  const values = columns[column].groups
    .flatMap((group) => [...group])
    .filter((value) => value === value)
    .sort((left, right) => left - right);
  const last = values.length - 1;
  if (last < 0) return { kind: "isNull", left: { kind: "column", column } };
  const share = random.pick(shares);
  const left = { kind: "column", column } as const;
  const compare = (operator: "<" | "<=" | ">" | ">=" | "=", value: number): BoundTest => ({
    kind: "compare",
    left,
    operator,
    value,
  });
  switch (share) {
    case "none":
      return compare(">", values[last]);
    case "one":
      return compare("=", values[random.below(values.length)]);
    case "all but one":
      return compare(">", values[0]);
    case "all":
      return compare(">=", values[0]);
    case 0.01:
    case 0.1:
    case 0.5:
    case 0.9: {
      const from = random.below(Math.ceil(last * (1 - share)) + 1);
      const until = Math.min(last, from + Math.floor(last * share));
      return random.chance(0.5)
        ? compare(random.pick(["<", "<="] as const), values[Math.floor(last * share)])
        : { kind: "and", of: [compare(">=", values[from]), compare("<=", values[until])] };
    }
  }
}

function randomFilter(random: Random, table: GeneratedTable, depth = 3): BoundTest {
  const kind = random.below(depth === 0 ? 2 : 6);
  if (kind === 0) return testOfShare(random, table);
  if (kind === 1) return randomTest(random, table);
  const of = Array.from({ length: random.below(4) + 1 }, () =>
    randomFilter(random, table, depth - 1),
  );
  if (kind === 2) return { kind: "or", of };
  if (kind === 3) return { kind: "not", of: of[0] };
  return { kind: "and", of };
}

suite("engine/operators/filter/filter", (test) => {
  test.deep("a filter keeps exactly the rows that pass each of its tests", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const found = { none: 0, few: 0, many: 0, all: 0 };
      for (let round = 0; round < rounds({ quick: 20, deep: 40 }); round++) {
        const memory = openMemory(random);
        const rowCounts = randomRowCounts(random);
        const table = makeTable(new ColumnMaker(random, memory, rowCounts, random.chance(0.7)));
        const { columns } = table;
        for (let each = 0; each < 4; each++) {
          const bound = randomFilter(random, table);
          const { operator, source, openRowGroup } = compileOver(
            random,
            memory,
            columns,
            (compilation) => compileFilter({ filter: bound, rowCount: 0 }, compilation)!,
          );
          columns[0].groups.forEach(({ length }, group) => {
            openRowGroup(group);
            const pruning = operator.openRowGroup();
            for (let start = 0; start < length; start += vectorSize) {
              const count = Math.min(vectorSize, length - start);
              const rows = [...Array(count).keys()].filter((row) =>
                plainTest(bound, { columns, group, row: start + row }),
              );
              if (pruning !== "some") {
                assert.is(rows.length, pruning === "all" ? count : 0);
                continue;
              }
              source.openVector(start, count);
              assert.is(operator.apply(), rows.length);
              if (rows.length === 0) found.none++;
              else if (rows.length === count) found.all++;
              else found[rows.length < count / 4 ? "few" : "many"]++;
              if (rows.length === 0) continue;
              assert.is(source.rowCount, rows.length);
              assert.is(source.isSelected, rows.length < count);
              if (!source.isSelected) continue;
              const { buffer } = source.arena.memory;
              assert.equal([...new Uint16Array(buffer, source.selection, rows.length)], rows);
            }
          });
        }
      }
      for (const [name, count] of Object.entries(found)) assert.ok(count > 20, `${name}: ${count}`);
    });
  });

  test("an expensive test reads only the rows that pass the cheap tests", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = openMemory(random);
      const numbers = Float64Array.from({ length: 5000 }, (_, row) => row % 1000);
      const maker = new ColumnMaker(random, memory, [numbers.length]);
      const columns = [maker.exactly([numbers])];
      for (const least of [999, 990, 500]) {
        const left = { kind: "column", column: 0 } as const;
        const cheap = { kind: "compare", left, operator: ">=", value: least } as const;
        const values = new Set(Array.from({ length: 500 }, (_, index) => index * 2));
        const computed = { kind: "call", function: "floor", of: [left] } as const;
        const costly = { kind: "in", left: computed, values } as const;
        for (const of of [
          [cheap, costly],
          [costly, cheap],
        ]) {
          const { operator, source, openRowGroup } = compileOver(
            random,
            memory,
            columns,
            (compilation) =>
              compileFilter({ filter: { kind: "and", of }, rowCount: 0 }, compilation)!,
          );
          openRowGroup(0);
          operator.openRowGroup();
          const { kernels } = source;
          const computedCounts: number[] = [];
          const floor: typeof kernels.floor = (from, rowCount, to) => {
            computedCounts.push(rowCount);
            return kernels.floor(from, rowCount, to);
          };
          source.kernels = Object.create(kernels, { floor: { value: floor } }) as typeof kernels;
          source.openVector(0, vectorSize);
          const passed = numbers.subarray(0, vectorSize).filter((value) => value >= least);
          assert.is(operator.apply(), passed.filter((value) => value % 2 === 0).length);
          assert.equal(computedCounts, [passed.length]);
        }
      }
    });
  });
});
