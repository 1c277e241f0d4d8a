import * as assert from "uvu/assert";
import { compileRowCollector } from "../../../../engine/operators/output/collectRows.ts";
import type { BoundCell, BoundOrder, BoundPlan } from "../../../../engine/plan/boundPlan.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { plainCode, plainValue, type PlainRow } from "../plainTwin.ts";
import { cardinality, makeTable, randomCode, randomValue } from "../randomBound.ts";
import { compileOver, openMemory, randomRowCounts } from "../vectorRun.ts";

const texts = Array.from({ length: cardinality }, (_, code) => `${code % 5}.${code % 3}`);
const ranks = Int32Array.from({ length: cardinality }, (_, code) => (code * 17) % cardinality);

suite("engine/operators/output/collectRows", (test) => {
  test.deep(
    "a lane returns its rows in order, or with a limit at least the rows that may be among the first",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        let dropped = 0;
        for (let round = 0; round < rounds({ quick: 12, deep: 45 }); round++) {
          const memory = openMemory(random);
          const rowCounts = random.chance(0.3) ? [5000, 9000, 4096, 7000] : randomRowCounts(random);
          const maker = new ColumnMaker(random, memory, rowCounts, random.chance(0.7));
          const table = makeTable(maker);
          const { columns } = table;
          const inputs = table.codes.map((code) => ({
            name: `c${code}`,
            join: undefined,
            of: {
              kind: "text" as const,
              texts,
              textCount: cardinality,
              code: { kind: "byCode" as const, column: code },
            },
          }));
          const of = inputs.map(({ name }) => ({ kind: "column" as const, name }));
          const expression = { kind: "call", function: "concat", of } as const;
          const cells: BoundCell[] = [
            { kind: "number", of: { kind: "column", column: 0 } },
            {
              kind: "text",
              code: random.chance(0.5)
                ? { kind: "byCode", column: 3 }
                : randomCode(random, table, 1),
            },
            { kind: "computed", of: { kind: "rows", type: "text", expression, inputs } },
            { kind: "number", of: randomValue(random, table, 1) },
          ];
          const order = random.some([0, 1, 2, 3], 0.4).map((output): BoundOrder => ({
            output,
            descending: random.chance(0.5),
            ...(output === 1 && { ranks }),
          }));
          if (random.chance(0.5)) order.reverse();
          const limit = { offset: random.below(4), count: random.pick([0, 1, 7, 300, 5000]) };
          const plan: BoundPlan = {
            rowCount: 0,
            laneCount: 1,
            columns: [],
            order,
            ...(random.chance(0.8) && { limit }),
          };
          const wanted = plan.limit ? limit.offset + limit.count : Infinity;
          const { operator, openRowGroup, openVector } = compileOver(
            random,
            memory,
            columns,
            (compilation) => compileRowCollector(plan, cells, compilation),
          );
          const show = (at: PlainRow) =>
            cells.map((cell) => {
              if (cell.kind === "text") return plainCode(cell.code, at);
              if (cell.kind === "number") return plainValue(cell.of, at) + 0;
              const parts = cell.of.inputs.map((input) =>
                input.of.kind === "text" ? texts[plainCode(input.of.code, at) - 1] : undefined,
              );
              return parts.includes(undefined) ? null : parts.join("");
            });
          let lane: (number | string | null)[][] = [];
          const all: (number | string | null)[][] = [];
          const brought: (number | string | null)[][] = [];
          const endLane = () => {
            const { rows, texts: made } = operator.take(0);
            const found = Array.from(rows[0], (_, row) =>
              rows.map((column, cell) => {
                if (cell === 2) return made[cell]?.[column[row] - 1] ?? null;
                return column[row] + 0;
              }),
            );
            if (order.length === 0) {
              const expected = lane.slice(0, wanted);
              assert.is(String(found), String(expected));
            } else if (plan.limit) assert.ok(found.length <= wanted);
            else assert.is(String(found), String(lane));
            if (found.length < lane.length) dropped++;
            brought.push(...found);
            all.push(...lane);
            lane = [];
          };
          columns[0].groups.forEach(({ length }, group) => {
            openRowGroup(group);
            const isSkipped = operator.canSkip();
            for (let start = 0; start < length; start += 4096) {
              const rows = openVector(group, start);
              lane.push(...rows.map((row) => show({ columns, group, row })));
              if (rows.length === 0 || isSkipped || operator.isFull()) continue;
              operator.add();
            }
            if (random.chance(0.2)) endLane();
          });
          endLane();
          const sorted = sortPlainly(all, order).slice(0, wanted);
          const found = sortPlainly(brought, order).slice(0, wanted);
          assert.is(String(found), String(sorted), JSON.stringify({ order, limit: plan.limit }));
        }
        assert.ok(dropped > 0);
      });
    },
  );

  test("a group limit keeps the first rows of each group over all lanes of a task", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      let leftOut = 0;
      for (let round = 0; round < rounds({ quick: 12, deep: 200 }); round++) {
        const memory = openMemory(random);
        const rowCounts = [9000, 4096, 7000, 300];
        const maker = new ColumnMaker(random, memory, rowCounts);
        const positions = rowCounts.map((count, group) =>
          Float64Array.from({ length: count }, (_, row) => group * 10_000 + row),
        );
        const columns = [maker.numbers(), maker.codes(cardinality), maker.exactly(positions)];
        const code = { kind: "byCode", column: 1 } as const;
        const cells: BoundCell[] = [
          { kind: "number", of: { kind: "column", column: 0 } },
          { kind: "text", code },
          { kind: "number", of: { kind: "column", column: 2 } },
        ];
        const isByText = random.chance(0.2);
        const order: BoundOrder[] = [
          ...(isByText ? [{ output: 1, descending: random.chance(0.5), ranks }] : []),
          { output: 0, descending: random.chance(0.5) },
        ];
        const groupLimit = { outputs: [1], count: 1 + random.below(4), offset: random.below(3) };
        const isNumbered = random.chance(0.8);
        const plan: BoundPlan = {
          rowCount: 0,
          laneCount: 1,
          columns: [],
          order,
          groupLimit,
          ...(isNumbered && { leaderKeys: [{ kind: "text", code, cardinality }] }),
        };
        const { operator, openRowGroup, openVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => compileRowCollector(plan, cells, compilation),
        );
        const all: number[][] = [];
        const found: number[][] = [];
        rowCounts.forEach((length, group) => {
          openRowGroup(group);
          operator.openRowGroup?.();
          for (let start = 0; start < length; start += 4096) {
            const rows = openVector(group, start);
            all.push(...rows.map((row) => columns.map(({ groups }) => groups[group]![row]! + 0)));
            if (rows.length > 0) operator.add();
          }
          for (const column of operator.take(group).rows) assert.is(column.length, 0);
        });
        for (const { lane, rows } of operator.finish?.() ?? [])
          for (const [row, position] of rows[2]!.entries()) {
            assert.is(Math.floor(position / 10_000), lane);
            found.push(rows.map((column) => column[row]! + 0));
          }
        const places = new Map<number, number>();
        const kept = sortPlainly(all, order.slice(isByText ? 1 : 0)).filter(([, group]) => {
          const place = places.get(Number(group)) ?? 0;
          places.set(Number(group), place + 1);
          return place < groupLimit.count + groupLimit.offset;
        });
        const expected = kept.toSorted((one, other) => Number(one[2]) - Number(other[2]));
        assert.is(String(found), String(expected), JSON.stringify({ order, groupLimit }));
        if (isNumbered && found.length < all.length) leftOut++;
      }
      assert.ok(leftOut > 0);
    });
  });
});

/** Sorts rows. Nulls are last, codes are ordered by rank, and equal rows stay in their original order. */
function sortPlainly(
  rows: readonly (readonly (number | string | null)[])[],
  order: readonly BoundOrder[],
) {
  const weigh = (row: readonly (number | string | null)[], output: number) => {
    const cell = row[output];
    if (output === 1) return cell === 0 ? null : ranks[Number(cell) - 1];
    return Number.isNaN(cell) ? null : cell;
  };
  const weighed = rows.map((row, place) => ({
    row,
    place,
    weights: order.map(({ output }) => weigh(row, output)),
  }));
  weighed.sort((left, right) => {
    for (const [index, { descending }] of order.entries()) {
      const [a, b] = [left.weights[index], right.weights[index]];
      if (a === b) continue;
      if (a === null || b === null) return a === null ? 1 : -1;
      return (a < b ? -1 : 1) * (descending ? -1 : 1);
    }
    return left.place - right.place;
  });
  return weighed.map(({ row }) => row);
}
