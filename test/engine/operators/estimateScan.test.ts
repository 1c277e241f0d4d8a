import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { estimateScan } from "../../../engine/operators/estimateScan.ts";
import { MainArenas } from "../../../engine/pool/mainArenas.ts";
import type { AggregateFunction } from "../../../engine/aggregates.ts";
import type { Expression, Output, Plan, Predicate } from "../../../engine/types.ts";
import { suite } from "../../support/suite.ts";
import { bind, computed, count, makeTable } from "../pool/numbersTable.ts";

const x: Expression = { kind: "column", name: "x" };
const rowCount = 140_000;
const memory = new Memory({ budgetBytes: 2 ** 27 });
const table = makeTable(memory, rowCount);
const arenas = new MainArenas(memory);
const before = arenas.view().map(({ u8 }) => u8.slice());

const estimate = (plan: Partial<Plan>, most = Infinity) =>
  estimateScan(bind({ ...count, ...plan } as Plan, table, memory), arenas.view(), most);
const aggregate = (name: AggregateFunction, of: Expression): Output => ({
  kind: "aggregate",
  function: name,
  of,
});
const below = (value: number, left: Expression = x): Predicate => ({
  kind: "compare",
  left,
  operator: "<",
  value,
});

suite("engine/operators/estimateScan", (test) => {
  test("an answer from zone maps takes less time than a sum of floats, and a filter more", () => {
    const counted = estimate({});
    assert.ok(counted < 20_000);
    assert.is(estimate({ outputs: [aggregate("max", x)], filter: below(-1) }), counted);
    const summed = estimate({ outputs: [aggregate("sum", x)] });
    assert.ok(summed > counted);
    const filtered = estimate({ outputs: [aggregate("sum", x)], filter: below(rowCount / 2) });
    assert.ok(filtered > summed / 2 && filtered < 2 * rowCount);
  });

  test("estimating stops once the limit is exceeded", () => {
    const outputs = [aggregate("sum", x)];
    const partial = estimate({ outputs }, 1000);
    assert.ok(partial > 1000 && partial < estimate({ outputs }));
  });

  test("plans that compute values or deviations, or read rows, are not estimated", () => {
    const members = Array.from({ length: 9 }, (_, value) => value);
    for (const plan of [
      { outputs: [aggregate("sum", computed)] },
      { outputs: [aggregate("stddev", x)] },
      { filter: below(1, computed) },
      { filter: { kind: "in", left: x, values: members } },
      { grouped: false, outputs: [{ kind: "key", of: x }] },
    ] satisfies Partial<Plan>[])
      assert.is(estimate(plan), Infinity, JSON.stringify(plan));
  });

  test("estimating writes nothing", () => {
    estimate({ outputs: [aggregate("sum", x)], filter: below(rowCount / 2) });
    const after = arenas.view();
    before.forEach((bytes, index) => {
      assert.is(Buffer.compare(bytes, after[index].u8.subarray(0, bytes.length)), 0);
    });
  });
});
