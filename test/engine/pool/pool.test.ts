import * as assert from "uvu/assert";
import { Column } from "../../../engine/column/column.ts";
import type { BoundPlan } from "../../../engine/plan/boundPlan.ts";
import { Pool } from "../../../engine/pool/pool.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";

const count: BoundPlan = {
  rowCount: 0,
  columns: [],
  order: [],
  grouping: {
    mode: "direct",
    groupCapacity: 1,
    keys: [],
    states: [{ function: "rows" }],
    outputs: [{ kind: "aggregate", function: "rows", states: [0] }],
  },
};

/** A plan that its worker cannot carry out. */
const broken: BoundPlan = {
  rowCount: 10,
  columns: [],
  order: [],
  cells: [{ kind: "number", of: { kind: "column", column: 5 } }],
};

suite("engine/pool/pool", (test) => {
  test("a query that fails in a worker leaves the pool in order", async () => {
    const pool = new Pool({ workers: 1 });
    await rejects(pool.run(broken), "WORKER_FAILED");
    assert.equal([...(await pool.run(count)).columns[0]], [0]);
    await pool.close();
  });

  test("a query past a worker's heap is refused with QUERY_OUT_OF_MEMORY, and the next one is served", async () => {
    const pool = new Pool({ workers: 1, workerHeapMb: 16 });
    const column = new Column({ name: "x", type: "number" }, 0);
    const values = Float64Array.from({ length: 65_536 }, (_, row) => row);
    column.append({ type: "number", values }, 0, values.length);
    const members = new Set(Array.from({ length: 800_000 }, (_, index) => index + 0.5));
    const plan: BoundPlan = {
      ...count,
      rowCount: values.length,
      columns: [column.segments()],
      filter: { kind: "in", left: { kind: "column", column: 0 }, values: members },
    };
    await rejects(pool.run(plan), "QUERY_OUT_OF_MEMORY");
    assert.equal([...(await pool.run(count)).columns[0]], [0]);
    await pool.close();
  });

  test("queries past the queue are refused with STORE_BUSY, the others are answered", async () => {
    const pool = new Pool({ workers: 1, queueLength: 2 });
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => pool.run(count)));
    const codes = settled.map((result) =>
      result.status === "rejected" ? (result.reason as { code: string }).code : "answered",
    );
    assert.ok(codes.includes("answered"));
    assert.ok(codes.includes("STORE_BUSY"));
    assert.equal(new Set(codes).size, 2);
    await pool.close();
  });
});
