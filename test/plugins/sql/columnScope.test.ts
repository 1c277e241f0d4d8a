import * as assert from "uvu/assert";
import { dialect } from "../../../connectors/sqlite/dialect.ts";
import { createColumnScope } from "../../../plugins/sql/columnScope.ts";
import { writeStatement } from "../../../plugins/sql/writeStatement.ts";
import { suite } from "../../support/suite.ts";

const table = {
  columns: [{ name: "at", nativeType: "datetime", type: "datetime" as const }],
};

function monthIn(timezone_id?: string): string {
  const options = { pushdown: true, ...(timezone_id && { timezone_id }) };
  const scope = createColumnScope({ query: { id: "t", options }, table, dialect });
  const { expression } = scope.valueOf({ column_id: "at", level: "month" });
  return writeStatement(expression, dialect).text;
}

suite("plugins/sql/columnScope", (test) => {
  test("truncating to a level in UTC needs no zone offsets", () => {
    assert.match(monthIn(), /manifold_months\(/);
    assert.is(monthIn("UTC"), monthIn());
  });

  test("truncating to a level in another time zone is refused if the zone's offsets are missing", () => {
    assert.throws(() => monthIn("Europe/Brussels"), /levels in the time zone Europe\/Brussels/);
  });
});
