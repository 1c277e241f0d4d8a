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

/** Returns the statement that reads plain rows of a column, in a dialect with a cheaper form for cells. */
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
  test("a query for plain rows can contain one column both with and without a level", () => {
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

  test("sums and averages of a plain column read it in the wide form, whose sums are exact", () => {
    const readWide: typeof dialect.readWide = (_, quoted) => sql`wide(${quoted})`;
    const columns = [{ name: "km", nativeType: "integer", type: "numeric" as const }];
    const textOf = (column: Query["columns"][number]) => {
      const query: Query = { id: "t", columns: [column], filters: [], options: { pushdown: true } };
      return compileQuery({
        query,
        table: { ...table, columns },
        dialect: { ...dialect, readWide },
      }).statement.text;
    };
    for (const aggregation of ["sum", "average"] as const) {
      assert.match(textOf({ column_id: "km", aggregation }), 'wide("km")');
      const bin = { width: 5, origin: 0 };
      assert.not.match(textOf({ column_id: "km", aggregation, bin }), "wide(");
    }
    assert.not.match(textOf({ column_id: "km", aggregation: "max" }), "wide(");
  });

  test("a limit per group is compiled to row numbers within each group, and its values are bound as parameters", () => {
    const columns = [{ name: "a" }, { name: "b" }].map((column) => ({
      ...column,
      nativeType: "text",
      type: "hierarchy" as const,
    }));
    const query: Query = {
      id: "t",
      columns: [{ column_id: "a" }, { column_id: "b" }],
      filters: [],
      order: [{ column: 1, order: "desc" }],
      groupLimit: { columns: [0], by: 2, offset: 3 },
      options: { pushdown: true },
    };
    const { text, values } = compileQuery({
      query,
      table: { ...table, columns },
      dialect,
    }).statement;
    assert.match(text, /row_number\(\) over \(partition by "c0" order by "c1" desc/);
    assert.match(text, /where "cplace" > \S+ and "cplace" <= \S+ order by "c1" desc/);
    assert.equal(values.slice(-2).map(Number), [3, 5]);
    const none = { ...query, groupLimit: { columns: [0], by: 0, offset: 1 } };
    const { text: empty } = compileQuery({
      query: none,
      table: { ...table, columns },
      dialect,
    }).statement;
    assert.match(empty, "where 1 = 0");
    const wrong = { ...query, groupLimit: { columns: [2], by: 2 } };
    assert.throws(
      () => compileQuery({ query: wrong, table: { ...table, columns }, dialect }),
      /groupLimit refers to column 2, but the query has 2 columns/,
    );
  });
});
