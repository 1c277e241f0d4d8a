import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { bindPlan } from "../../../engine/plan/bindPlan.ts";
import { Table } from "../../../engine/table/table.ts";
import type { BatchColumn, Join } from "../../../engine/types.ts";
import { suite } from "../../support/suite.ts";

const memory = new Memory({ budgetBytes: 2 ** 26 });

type Values = readonly string[] | readonly number[] | readonly Date[];

function tableOf(name: string, columns: Readonly<Record<string, Values>>): Table {
  const table = new Table(name, memory, true, 0);
  const names = Object.keys(columns);
  const batch = Object.values(columns).map(columnOf);
  table.apply({
    add: names.map((each, index) => ({ name: each, type: batch[index].type })),
    rows: { names, batch: { rowCount: Object.values(columns)[0].length, columns: batch } },
  });
  return table;
}

function columnOf(values: Values): BatchColumn {
  if (values.every((value) => value instanceof Date))
    return { type: "datetime", values: Float64Array.from(values, Number) };
  if (values.every((value) => typeof value === "number"))
    return { type: "number", values: Float64Array.from(values) };
  const texts = values.map(String);
  const dictionary = [...new Set(texts)];
  const codes = Int32Array.from(texts, (each) => dictionary.indexOf(each));
  return { type: "text", codes, dictionary };
}

const tables = [
  tableOf("sales", { shop: [1, 2, 3, 4, 9], label: ["x", "y", "x", "z", "y"] }),
  tableOf("shops", {
    id: [1, 2, 3, 4],
    name: ["Anna", "Bea", "Cora", "Bea"],
    street: ["North", "South", "West", "East"],
    size: [0.5, 2.5, 0.5, 2.5],
    region: [7, 7, 8, 8],
    opened: [1, 2, 3, 100].map((day) => new Date(day * 86_400_000)),
  }),
  tableOf("regions", { id: [7, 8], head: ["Una", "Vic"] }),
];
const joins: readonly Join[] = [
  { name: "shop", table: "shops", left: { name: "shop" }, right: "id" },
  { name: "region", table: "regions", left: { name: "region", join: "shop" }, right: "id" },
];

/**
 * Returns the number of keys that form groups. Keys of joined tables are written `join.column`, and quarters of their
 * instants `join.column:quarter`.
 */
function countKeys(...keys: readonly string[]): number {
  const outputs = keys.map((key) => {
    const [path, period] = key.split(":");
    const [name, join] = path.split(".").toReversed();
    const column = { kind: "column", name, ...(join !== undefined && { join }) } as const;
    const of =
      period === "quarter"
        ? ({ kind: "period", of: column, period, timezone: "UTC" } as const)
        : column;
    return { kind: "key", of } as const;
  });
  const snapshots = new Map(tables.map((table) => [table.name, table.snapshot()]));
  const { plan } = bindPlan({ table: "sales", joins, outputs, grouped: true }, snapshots, memory);
  assert.is(plan.grouping?.outputs.length, keys.length);
  return plan.grouping?.keys.length ?? 0;
}

suite("engine/plan/dependentKey", (test) => {
  test("a column of a dimension that determines the other keys of the dimension is the only key", () => {
    assert.is(countKeys("shop.name", "shop.id", "shop.size"), 1);
    assert.is(countKeys("shop.name", "shop.street"), 1);
    assert.is(countKeys("region.head", "shop.street", "shop.region"), 1);
    assert.is(countKeys("shop.region", "region.id", "region.head"), 1);
  });

  test("columns of a dimension that determine nothing remain keys", () => {
    assert.is(countKeys("shop.name", "shop.region"), 2);
    assert.is(countKeys("label", "shop.id"), 2);
    assert.is(countKeys("shop.size", "shop.region"), 2);
  });

  test("a period of a joined instant remains a key, although the instant itself is determined", () => {
    assert.is(countKeys("shop.street", "shop.opened"), 1);
    assert.is(countKeys("shop.street", "shop.opened:quarter"), 2);
  });

  test("a key column of the facts determines the columns that it joins", () => {
    assert.is(countKeys("shop.name", "region.head", "shop", "shop.size"), 1);
    assert.is(countKeys("shop", "label", "shop.street"), 2);
  });
});
