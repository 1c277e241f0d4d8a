import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { Pool } from "../../../engine/pool/pool.ts";
import { Table } from "../../../engine/table/table.ts";
import type { Expression, Plan } from "../../../engine/types.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";
import { bind, count, makeTable } from "./numbersTable.ts";

const memoryBytes = 2 ** 28;
const x: Expression = { kind: "column", name: "x" };

/** Rows whose groups need more than the scratch memory. */
const wideRows = 200_000;
/** Worker counts to test: one, several, and more than there are processors. */
const workerCounts = rounds({ quick: [2], deep: [1, 2, 3] });

suite("engine/pool/runPlan", (test) => {
  test("a query that exceeds the scratch memory fails with QUERY_OUT_OF_MEMORY", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes, scratchBytes: 2 ** 20 });
    const pool = new Pool({ workers: 2, memory });
    const table = makeTable(memory, wideRows);
    const wide: Plan = {
      ...count,
      outputs: [
        {
          kind: "key",
          of: { kind: "bin", of: { kind: "column", name: "x" }, width: 2, origin: 0 },
        },
        { kind: "aggregate", function: "rows" },
      ],
    };
    await rejects(pool.run(bind(wide, table, memory)), "QUERY_OUT_OF_MEMORY");
    assert.equal([...(await pool.run(bind(count, table, memory))).columns[0]], [wideRows]);
    assert.is(memory.scratchUsedBytes, 0);
    await pool.close();
  });

  test("queries succeed after the memory has grown or gained a second arena", async () => {
    const memory = new Memory({ budgetBytes: memoryBytes, arenaBytes: 2 ** 21 });
    const pool = new Pool({ workers: 2, memory });
    const sum: Plan = {
      ...count,
      outputs: [
        { kind: "aggregate", function: "sum", of: { kind: "column", name: "x" } },
        { kind: "aggregate", function: "median", of: { kind: "column", name: "x" } },
      ],
    };
    const table = makeTable(memory, 1);
    let rowCount = 1;
    const rows = 200_000;
    for (let round = 0; round < 5; round++) {
      const { columns } = await pool.run(bind(sum, table, memory));
      const added = (rowCount - 1) / rows;
      const expected = 0.5 + added * (rows / 2) * (rows - 1) + (added * rows) / 1024;
      assert.is(columns[0][0], expected);
      const values = Float64Array.from({ length: rows }, (_, row) => row + 1 / 1024);
      table.apply({
        rows: { names: ["x"], batch: { rowCount: rows, columns: [{ type: "number", values }] } },
      });
      rowCount += rows;
    }
    assert.ok(memory.arenas.length > 1);
    await pool.close();
  });

  test.deep(
    `large answers with ${workerCounts.join(", ")} workers equal those of plain code`,
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const memory = new Memory({ budgetBytes: memoryBytes });
        const rowCount = 140_000;
        const values = Float64Array.from({ length: rowCount }, () => random.below(45_000));
        const table = new Table("t", memory, true, 0);
        table.apply({
          add: [{ name: "x", type: "number" }],
          rows: { names: ["x"], batch: { rowCount, columns: [{ type: "number", values }] } },
        });
        const groups = new Map<number, number>();
        for (const value of values) groups.set(value, (groups.get(value) ?? 0) + 1);
        const pairs = [...groups].sort(([left], [right]) => left - right);
        const byCount = pairs.toSorted(([, left], [, right]) => right - left);
        const descending = Float64Array.from(values).sort().toReversed();
        const grouped = (of: Expression, ordered: boolean): Plan => ({
          ...count,
          outputs: [{ kind: "key", of }, ...count.outputs],
          order: ordered
            ? [
                { output: 1, descending: true },
                { output: 0, descending: false },
              ]
            : [{ output: 0, descending: false }],
        });
        const halved: Expression = {
          kind: "call",
          function: "divide",
          of: [x, { kind: "literal", type: "number", value: 2 }],
        };
        const half = (rows: readonly (readonly [number, number])[]) =>
          rows.map(([key, rows]) => [key / 2, rows] as const);
        const cases: readonly (readonly [
          Plan,
          readonly (readonly number[])[],
          "direct" | "hash" | undefined,
        ])[] = [
          [grouped(x, false), pairs, "direct"],
          [grouped(x, true), byCount, "direct"],
          [grouped(halved, false), half(pairs), "hash"],
          [grouped(halved, true), half(byCount), "hash"],
          [
            {
              table: "t",
              grouped: false,
              outputs: [{ kind: "key", of: x }],
              order: [{ output: 0, descending: true }],
            },
            [...descending].map((value) => [value]),
            undefined,
          ],
          [
            { table: "t", grouped: false, outputs: [{ kind: "key", of: x }] },
            [...values].map((value) => [value]),
            undefined,
          ],
        ];
        for (const workers of workerCounts) {
          const pool = new Pool({ workers, memory });
          const check = async ([plan, expected, mode]: (typeof cases)[number]) => {
            const bound = bind(plan, table, memory);
            assert.is(bound.grouping?.mode, mode);
            const { columns, scannedRowCount } = await pool.run(bound);
            assert.is(scannedRowCount, rowCount);
            columns.forEach((column, index) => {
              assert.is(column.length, expected.length);
              const wrong = column.findIndex((value, row) => value !== expected[row][index]);
              assert.is(wrong, -1, `${workers} workers, mode ${mode}, column ${index}`);
            });
          };
          for (const each of cases) await check(each);
          await Promise.all([...cases, ...cases].map(check));
          assert.is(memory.scratchUsedBytes, 0);
          await pool.close();
        }
      });
    },
  );
});
