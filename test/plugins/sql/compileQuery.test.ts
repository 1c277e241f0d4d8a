import * as assert from "uvu/assert";
import { dialect } from "../../../connectors/sqlite/dialect.ts";
import type { Query } from "../../../plugins/protocol/index.ts";
import { compileQuery, sql } from "../../../plugins/sql/index.ts";
import { suite } from "../../support/suite.ts";

const table = {
  schema: "main",
  name: "t",
  kind: "table" as const,
  columns: [{ name: "at", nativeType: "datetime", type: "datetime" as const }],
};

/** Returns the statement for plain rows of a column, in a dialect that has a cheaper form for cells. */
function plainRows(more: Partial<Query> = {}): string {
  const query = {
    id: "t",
    columns: [{ column_id: "at" }],
    filters: [],
    options: { pushdown: false },
    ...more,
  };
  const readPlain: typeof dialect.readPlain = (_, quoted) => sql`plain(${quoted})`;
  return compileQuery({ query, table, dialect: { ...dialect, readPlain } }).statement.text;
}

suite("plugins/sql/compileQuery", (test) => {
  test("a query for plain rows can contain the same column with and without a level", () => {
    assert.match(plainRows({ columns: [{ column_id: "at", level: "month" }] }), "manifold_months(");
    assert.not.match(plainRows(), "manifold_months(");
  });

  test("a column that is neither sorted nor tested is read in the cheaper form", () => {
    assert.match(plainRows(), 'plain("at")');
    const instant = "2024-01-01T00:00:00.000Z";
    const sorted = plainRows({ order: [{ column: 0, order: "asc" }] });
    const tested = plainRows({ having: [{ column: 0, expression: ">", value: [instant] }] });
    for (const text of [sorted, tested]) assert.not.match(text, "plain(");
  });
});
