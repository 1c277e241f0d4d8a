import * as assert from "uvu/assert";
import { dialect } from "../../../connectors/sqlite/dialect.ts";
import type { QueryColumn } from "../../../plugins/protocol/index.ts";
import { compileQuery } from "../../../plugins/sql/index.ts";
import { suite } from "../../support/suite.ts";

const table = {
  schema: "main",
  name: "t",
  kind: "table" as const,
  columns: [{ name: "at", nativeType: "datetime", type: "datetime" as const }],
};

/** The statement for plain rows of a column. */
function plainRows(column: QueryColumn): string {
  const query = { id: "t", columns: [column], filters: [], options: { pushdown: false } };
  return compileQuery({ query, table, dialect }).statement.text;
}

suite("plugins/sql/compileQuery", (test) => {
  test("plain rows have a column at its level, and as it is without one", () => {
    assert.match(plainRows({ column_id: "at", level: "month" }), "manifold_months(");
    assert.not.match(plainRows({ column_id: "at" }), "manifold_months(");
  });
});
