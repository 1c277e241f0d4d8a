import * as assert from "uvu/assert";
import { storeDialect } from "../../../connectors/clickhouse/store/storeDialect.ts";
import type { Query } from "../../../plugins/protocol/index.ts";
import { joinTables } from "../../../plugins/sql/joinTables.ts";
import { suite } from "../../support/suite.ts";

const tableOf = (name: string) => ({
  schema: "main",
  name,
  kind: "table" as const,
  columns: [
    { name: "n", nativeType: "Float64", type: "numeric" as const },
    { name: "t", nativeType: "String", type: "hierarchy" as const },
  ],
});

/** Joins the table `other` to the table `own` by the column `left`. */
function joined(left: string, right: string) {
  const columns = [{ id: "other.n", column_id: "n", type: "numeric" as const }];
  const query: Query = {
    id: "own",
    columns: [{ column_id: "n" }],
    filters: [],
    joins: [{ id: "other", left, right, columns }],
    options: { pushdown: false },
  };
  const [table, other] = [tableOf("own"), tableOf("other")];
  return joinTables({ query, table, joined: [other], dialect: storeDialect });
}

suite("plugins/sql/joinTables", (test) => {
  test("a joined table adds its columns to a query under the ids in the query", () => {
    const { table } = joined("t", "t");
    assert.equal(
      table.columns.map(({ name }) => name),
      ["n", "t", "other.n"],
    );
  });

  test("a join of columns with different types is refused, and the error names both types", () => {
    assert.throws(
      () => joined("n", "t"),
      /columns of the same type: n is numeric, but t is hierarchy/,
    );
  });
});
