import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { connect } from "../../../../core/sources/connections/connect.ts";
import { finish } from "../../../../core/queries/finish/finish.ts";
import { openLoading } from "../../../../core/queries/finish/openLoading.ts";
import type { Residual } from "../../../../core/queries/queryPlan.ts";
import type { Plugin, Write } from "../../../../plugins/protocol/index.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { eventually } from "../../../support/eventually.ts";
import { failureOf } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const residual: Residual = {
  columns: [{ id: "km", type: "numeric" }],
  vectors: [0],
  query: {
    id: "",
    columns: [{ column_id: "km", aggregation: "sum" }],
    filters: [],
    options: { pushdown: true },
  },
};
const answer = {
  rowCount: 2,
  columns: [{ type: "numeric", values: Float64Array.of(1, 2) }],
} as const;

suite("core/queries/finish/finish", (test) => {
  /** Connects to a slow plugin that reports each step that it reaches. */
  const openScratch = (onStep: (step: string) => void) => {
    const plain = createPlainPlugin();
    const done: Write["action"][] = [];
    const plugin: Plugin = {
      ...plain,
      async query(requested) {
        onStep("query");
        await wait(20);
        return plain.query(requested);
      },
      async write(requested) {
        onStep(requested.write.action);
        await wait(20);
        const result = await plain.write?.(requested);
        done.push(requested.write.action);
        return result as NonNullable<typeof result>;
      },
    };
    const bound = { credentials: { properties: {} }, fingerprint: "", sizeBytes: 1e9 };
    return { done, connection: connect({ ...bound, name: "scratch", plugin, timeoutMs: 60_000 }) };
  };

  test("the temporary dataset is dropped after the query is answered", async () => {
    const { done, connection } = openScratch(() => undefined);
    const caller = { signal: new AbortController().signal };
    const batch = await finish(residual, answer, connection, caller);
    assert.equal(batch.columns, [{ type: "numeric", values: Float64Array.of(3) }]);
    assert.equal(done, ["create", "append", "drop"]);
  });

  test("rows that arrive before the answer is complete become the first rows of the temporary dataset", async () => {
    const { done, connection } = openScratch(() => undefined);
    const caller = { signal: new AbortController().signal };
    const loading = openLoading(residual, connection, caller);
    await loading.append({
      rowCount: 1,
      columns: [{ type: "numeric", values: Float64Array.of(4) }],
    });
    const batch = await finish(residual, answer, connection, caller, loading);
    assert.equal(batch.columns, [{ type: "numeric", values: Float64Array.of(7) }]);
    assert.equal(done, ["create", "append", "append", "drop"]);
  });

  test("rows that arrive after the temporary dataset was dropped are rejected and create no dataset", async () => {
    const { done, connection } = openScratch(() => undefined);
    const loading = openLoading(residual, connection, { signal: new AbortController().signal });
    await loading.append(answer);
    const late = loading.append(answer);
    await Promise.all([loading.drop(), failureOf(late).catch(() => undefined)]);
    const failure = await failureOf(loading.append(answer));
    assert.is(failure.code, "PLUGIN_TIMEOUT");
    assert.equal(
      done.filter((action) => action !== "append"),
      ["create", "drop"],
    );
  });

  for (const step of ["create", "append", "query"])
    test(`a caller that disconnects during ${step} leaves no temporary dataset`, async () => {
      const leaving = new AbortController();
      const { done, connection } = openScratch((reached) => {
        if (reached === step) setTimeout(() => leaving.abort(), 5);
      });
      const failure = await failureOf(
        finish(residual, answer, connection, { signal: leaving.signal }),
      );
      assert.is(failure.code, "PLUGIN_TIMEOUT");
      await eventually(() => done.includes("drop"), "the dataset is dropped");
      assert.equal(
        done.toSorted(),
        step === "create" ? ["create", "drop"] : ["append", "create", "drop"],
      );
      assert.is(done[0], "create");
      assert.is(done.at(-1), "drop");
    });
});
