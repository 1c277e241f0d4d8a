import * as assert from "uvu/assert";
import { decodeNumbers } from "../../../engine/column/segment/decodeSegment.ts";
import type { ColumnDefinition, Scalar } from "../../../engine/index.ts";
import { Memory, type Lease } from "../../../engine/memory/memory.ts";
import { readColumn, segmentsOf } from "../../../engine/table/readColumn.ts";
import type { Snapshot } from "../../../engine/table/snapshot.ts";
import { Table } from "../../../engine/table/table.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import type { Row } from "../referenceEngine.ts";
import { toBatch } from "../tables.ts";

const dayMs = 86_400_000;

function randomCell(random: Random, { name, type }: ColumnDefinition): Scalar {
  if (name.endsWith("sparse") ? !random.chance(0.00001) : random.chance(0.05)) return null;
  if (type === "text") return `text ${random.below(name.includes("wide") ? 100_000 : 9)}`;
  if (type === "datetime")
    return name.includes("wide") ? random.below(2 ** 31) * 1001 : random.below(9) * dayMs;
  if (name.includes("price")) return random.below(100_000) / 100;
  return name.includes("wide") ? random.below(2 ** 31) / 7 : random.below(300);
}

const columns: readonly ColumnDefinition[] = [
  { name: "n", type: "number" },
  { name: "wide n", type: "number" },
  { name: "price", type: "number" },
  { name: "sparse", type: "number" },
  { name: "d", type: "datetime" },
  { name: "wide d", type: "datetime" },
  { name: "s", type: "text" },
  { name: "wide s", type: "text" },
];

function check(memory: Memory, snapshot: Snapshot, rows: readonly Row[]): void {
  assert.is(snapshot.rowCount, rows.length);
  for (const [name, column] of snapshot.columns) {
    const cells = readColumn(memory, column);
    assert.is(cells.length, rows.length);
    const wrong = cells.findIndex((cell, row) => !Object.is(cell, rows[row][name] ?? null));
    assert.is(wrong, -1, `row ${wrong} of ${name}: ${cells[wrong]} is not ${rows[wrong]?.[name]}`);
    const present = cells.filter((cell) => cell !== null);
    assert.is(column.nullCount, rows.length - present.length);
    assert.is(column.sealedCount, Math.floor(rows.length / 65_536));
    assert.is(column.tail?.rowCount ?? 0, rows.length % 65_536);
    if (column.dictionary) continue;
    const numbers = present as number[];
    const minimum = numbers.reduce((least, value) => Math.min(least, value), Infinity);
    const maximum = numbers.reduce((most, value) => Math.max(most, value), -Infinity);
    assert.equal(
      [column.minimum, column.maximum, column.largest],
      numbers.length
        ? [minimum, maximum, Math.max(Math.abs(minimum), Math.abs(maximum))]
        : [NaN, NaN, NaN],
    );
    for (const segment of segmentsOf(memory, column))
      for (const value of decodeNumbers(memory, segment))
        assert.not.ok(value < segment.minimum || value > segment.maximum);
  }
}

suite("engine/table", (test) => {
  test.deep(
    "every leased snapshot shows its own rows after rows and columns have changed",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const memory = new Memory({ budgetBytes: 2 ** 30 });
        const table = new Table("t", memory, false, 0);
        let present = [...columns];
        table.apply({ add: columns });
        let rows: Row[] = [];
        const kept: { snapshot: Snapshot; rows: Row[]; lease: Lease }[] = [];
        for (let step = 0; step < rounds({ quick: 5, deep: 14 }); step++) {
          const rowCount = random.pick([1, 10, 30_000, 65_536 - (rows.length % 65_536)]);
          const given = random.some(present, 0.9);
          const added = Array.from({ length: rowCount }, () =>
            Object.fromEntries(given.map((column) => [column.name, randomCell(random, column)])),
          );
          table.apply({ rows: toBatch(given, added) });
          rows = [...rows, ...added];
          if (step === 5) {
            present = [...present.slice(1), { name: "late price", type: "number" }];
            table.apply({ drop: ["n"], add: present.slice(-1) });
          }
          if (step % 4 === 0)
            kept.push({ snapshot: table.snapshot(), rows, lease: memory.lease() });
        }
        check(memory, table.snapshot(), rows);
        assert.is(table.snapshot().columns.get("price")?.decimals, 2);
        assert.is(table.snapshot().columns.get("wide n")?.decimals, -1);
        assert.is(table.snapshot().columns.get("d")?.decimals, 0);
        table.close();
        for (const { snapshot, rows: then, lease } of kept) {
          check(memory, snapshot, then);
          lease.end();
        }
        assert.is(memory.usedBytes, 0);
      });
    },
  );

  test("the memory that tables report equals the memory in use", () => {
    const memory = new Memory({ budgetBytes: 2 ** 28 });
    const table = new Table("t", memory, false, 0);
    table.apply({ add: columns });
    const random = createRandom(1);
    table.apply({
      rows: toBatch(
        columns,
        Array.from({ length: 70_000 }, () =>
          Object.fromEntries(columns.map((column) => [column.name, randomCell(random, column)])),
        ),
      ),
    });
    assert.is(table.memoryBytes, memory.usedBytes);
    assert.is(table.info().memoryBytes, memory.usedBytes);
    table.apply({ drop: ["wide s"] });
    assert.is(table.memoryBytes, memory.usedBytes);
    table.close();
    assert.is(memory.usedBytes, 0);
  });

  test("a row group's columns share an arena while it has space", () => {
    const memory = new Memory({ budgetBytes: 2 ** 28, arenaBytes: 2 ** 22 });
    const table = new Table("t", memory, false, 0);
    const names = ["a", "b", "c"];
    table.apply({ add: names.map((name) => ({ name, type: "number" })) });
    for (let group = 0; group < 12; group++)
      table.apply({
        rows: {
          names,
          batch: {
            rowCount: 65_536,
            columns: names.map(() => ({
              type: "number",
              values: Float64Array.from({ length: 65_536 }, (_, row) => row),
            })),
          },
        },
      });
    const segments = names.map((name) => segmentsOf(memory, table.snapshot().columns.get(name)!));
    assert.ok(memory.arenas.length > 1);
    const apart = segments[0].filter((segment, group) =>
      segments.some((others) => others[group].values?.arena !== segment.values?.arena),
    );
    assert.ok(
      apart.length <= memory.arenas.length,
      `${apart.length} row groups are split over arenas`,
    );
  });
});
