import * as assert from "uvu/assert";
import { EngineError } from "../../../../engine/errors.ts";
import { endIfCancelled, workFor } from "../../../../engine/operators/task/cancellation.ts";
import { sort } from "../../../../engine/operators/output/sort.ts";
import { suite } from "../../../support/suite.ts";

suite("engine/operators/task/cancellation", (test) => {
  const rowCount = 200_000;
  const columns = [Float64Array.from({ length: rowCount }, (_, row) => Math.sin(row))];
  const order = [{ output: 0, descending: false }];
  const isCancellation = (thrown: unknown) =>
    thrown instanceof EngineError && thrown.code === "QUERY_CANCELLED";

  test.afterEach(() => void workFor(new Int32Array(1)));

  test("work for a query continues while the query is not cancelled", () => {
    workFor(new Int32Array(1));
    endIfCancelled();
    assert.is(sort(columns, order, rowCount).length, rowCount);
  });

  test("work for a cancelled query stops, however much of the work is done", () => {
    const flag = new Int32Array(1);
    workFor(flag);
    flag[0] = 1;
    assert.throws(endIfCancelled, isCancellation);
    assert.throws(() => sort(columns, order, rowCount), isCancellation);
    assert.throws(() => sort(columns, order, rowCount, 1000), isCancellation);
  });

  test("a cancelled query does not affect the next query in the same thread", () => {
    workFor(Int32Array.of(1));
    workFor(Int32Array.of(0));
    endIfCancelled();
  });
});
