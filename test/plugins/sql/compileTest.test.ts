import * as assert from "uvu/assert";
import { dialect } from "../../../connectors/sqlite/dialect.ts";
import {
  PluginError,
  type Cell,
  type DataType,
  type Operator,
} from "../../../plugins/protocol/index.ts";
import { trusted } from "../../../plugins/sql/index.ts";
import { compileTest } from "../../../plugins/sql/compileTest.ts";
import { writeStatement } from "../../../plugins/sql/writeStatement.ts";
import { suite } from "../../support/suite.ts";

/** Returns the SQL that tests whether a column's value is in a list. */
function isIn(type: DataType, cells: readonly Cell[]): string {
  const column = { name: "c", nativeType: "text", type };
  const value = { expression: trusted("read(c)"), type, label: "c", column };
  return writeStatement(compileTest(value, "in", cells, dialect), dialect).text;
}

suite("plugins/sql/compileTest", (test) => {
  test("a test against a list of instants also tests their range, for which the database can use an index", () => {
    const text = isIn("datetime", ["2024-02-03T00:00:00.000Z", "2024-01-02T00:00:00.000Z"]);
    assert.match(text, /^\(\("c" >= .* and "c" < .*\) and read\(c\) in/);
  });

  test("a test against a list of strings or numbers has no range test", () => {
    for (const text of [isIn("hierarchy", ["a", "b"]), isIn("numeric", [1, 2])])
      assert.not.match(text, /"c" >= /);
  });

  test("the error for an unknown operator names the operator", () => {
    const value = { expression: trusted("x"), type: "hierarchy", label: "x" } as const;
    for (const operator of ["=; drop table t", "constructor", "IN", ""])
      assert.throws(
        () => compileTest(value, operator as Operator, ["a"], dialect),
        (thrown: unknown) =>
          thrown instanceof PluginError &&
          thrown.message.includes(`the operator ${operator} is unknown`),
      );
  });
});
