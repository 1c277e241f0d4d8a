import * as assert from "uvu/assert";
import type { Plan, BatchColumn } from "../../../engine/index.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import { bindPlan } from "../../../engine/plan/bindPlan.ts";
import { Table } from "../../../engine/table/table.ts";
import { suite } from "../../support/suite.ts";

function tableOf(memory: Memory, name: string, texts: Readonly<Record<string, string[]>>): Table {
  const table = new Table(name, memory, true, 0);
  const names = Object.keys(texts);
  const [first] = Object.values(texts);
  const columns = Object.values(texts).map((dictionary): BatchColumn => ({
    type: "text",
    codes: Int32Array.from(dictionary.keys()),
    dictionary,
  }));
  table.apply({
    add: names.map((column) => ({ name: column, type: "text" })),
    rows: { names, batch: { rowCount: first.length, columns } },
  });
  return table;
}

suite("engine/plan/bindPlan", (test) => {
  test("binding a plan creates no JavaScript strings for a dictionary", () => {
    const memory = new Memory({ budgetBytes: 2 ** 26 });
    const facts = tableOf(memory, "t", { s: ["b", "a", "c"], other: ["x", "y", "z"] });
    const dimension = tableOf(memory, "d", { id: ["c", "b"], class: ["k", "l"], next: ["n", "m"] });
    const last = tableOf(memory, "e", { id: ["m", "n"], name: ["p", "o"] });
    const tables = [facts, dimension, last];
    for (const { columns } of tables)
      for (const { dictionary } of columns)
        Object.defineProperty(dictionary, "texts", {
          get: () => assert.unreachable("strings were created"),
        });
    const s = { kind: "column", name: "s" } as const;
    const joined = { kind: "column", name: "class", join: "d" } as const;
    const plan: Plan = {
      table: "t",
      joins: [
        { name: "d", table: "d", left: { name: "s" }, right: "id" },
        { name: "e", table: "e", left: { name: "next", join: "d" }, right: "id" },
      ],
      grouped: true,
      outputs: [
        { kind: "key", of: s },
        { kind: "key", of: joined },
        { kind: "key", of: { kind: "column", name: "name", join: "e" } },
        { kind: "aggregate", function: "min", of: { kind: "column", name: "other" } },
      ],
      filter: {
        kind: "and",
        of: [
          { kind: "in", left: s, values: ["a", "b", null] },
          { kind: "match", left: s, match: "contains", text: "a" },
          { kind: "compare", left: joined, operator: "=", value: "k" },
          { kind: "isNull", left: joined },
        ],
      },
      having: { kind: "compare", output: 1, operator: "=", value: "k" },
      order: [0, 1, 2, 3].map((output) => ({ output, descending: false })),
    };
    const snapshots = new Map(tables.map((table) => [table.name, table.snapshot()]));
    const { plan: bound, answer } = bindPlan(plan, snapshots, memory);
    assert.equal(
      bound.order.map(({ ranks }) => Array.from(ranks ?? [])),
      [
        [1, 0, 2],
        [0, 1],
        [1, 0],
        [0, 1, 2],
      ],
    );
    assert.ok(answer.every(({ dictionary }) => dictionary));
  });
});
