import type { Static } from "typebox";
import { Value } from "typebox/value";
import * as assert from "uvu/assert";
import {
  batchOfRows,
  type ColumnarAnswer,
  columnarOfBatch,
  type ErrorBody,
  messages,
  type NamedBatch,
  PluginError,
  type ProbedCapabilities,
  type Query,
  type QueryRequest,
  type User,
  type Write,
  type WriteAction,
  type WriteResult,
  type WrittenRows,
} from "../../../plugins/protocol/index.ts";
import { presentWrite } from "../../../plugins/protocol/parseWrite.ts";
import { errorBody } from "../../../plugins/sdk/errorBody.ts";
import { suite } from "../../support/suite.ts";

/** True if each of two types is assignable to the other. */
type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
/** A write in which the rows have another type. */
type WithRows<Action, Rows> = Action extends { readonly rows: unknown }
  ? Omit<Action, "rows"> & { readonly rows: Rows }
  : Action;

// The compiler checks that the schemas of messages have the types that the code uses.
const types: readonly true[] = [
  true satisfies Same<Static<(typeof messages)["QueryAnswer"]>, ColumnarAnswer>,
  true satisfies Same<Static<(typeof messages)["ErrorAnswer"]>, ErrorBody>,
  true satisfies Same<Static<(typeof messages)["WriteAnswer"]>, WriteResult>,
  true satisfies Same<Static<(typeof messages)["ProbeAnswer"]>, ProbedCapabilities>,
  true satisfies Same<Omit<QueryRequest, "user">, Query>,
  true satisfies Same<QueryRequest["user"], User | undefined>,
  true satisfies Same<WithRows<Write, WrittenRows>, WithRows<WriteAction, WrittenRows>>,
  true satisfies Same<Extract<Write, { action: "append" }>["rows"], NamedBatch>,
];

suite("plugins/protocol/messages", (test) => {
  const columns = [
    { id: "city", type: "hierarchy" },
    { id: "km", type: "numeric" },
  ] as const;
  const batch = batchOfRows(columns, [
    ["Ghent", 3.5],
    [null, null],
  ]);

  test("the schemas of answers and writes accept what the code sends", () => {
    assert.is(types.length, 8);
    const rows = { columnIds: ["city", "km"], batch };
    const samples = [
      ["QueryAnswer", columnarOfBatch({ ...batch, applied: [0] })],
      ["ErrorAnswer", errorBody(new PluginError("PLUGIN_UNKNOWN_COLUMN", ["trips", "speed"]))],
      ["ErrorAnswer", errorBody(new Error("unexpected"))],
      ["WriteRequest", { write: presentWrite({ action: "append", id: "trips", rows }) }],
      ["WriteRequest", { write: presentWrite({ action: "replace", id: "trips", rows, columns }) }],
    ] as const;
    for (const [name, sample] of samples) assert.ok(Value.Check(messages[name], sample), name);
  });

  test("the schemas of answers refuse NaN, unknown codes and columns without a type", () => {
    const wrong = [
      ["QueryAnswer", { rowCount: 1, columns: [{ type: "numeric", values: [Number.NaN] }] }],
      ["QueryAnswer", { rowCount: 1, columns: [{ values: [1] }] }],
      ["ErrorAnswer", { type: { code: 200, description: "" }, message: "" }],
      ["ErrorAnswer", { type: { code: 422, description: "" }, message: "", code: "PLUGIN_OOPS" }],
      ["NotifyRequest", { event: "changed" }],
    ] as const;
    for (const [name, sample] of wrong) assert.not(Value.Check(messages[name], sample), name);
  });
});
