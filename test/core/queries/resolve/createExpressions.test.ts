import * as assert from "uvu/assert";
import { clockIn, watchNow } from "../../../../core/queries/resolve/clock.ts";
import { createExpressions } from "../../../../core/queries/resolve/createExpressions.ts";
import { suite } from "../../../support/suite.ts";

suite("core/queries/resolve/createExpressions", (test) => {
  test("only expressions that use the instant of the call read it", () => {
    for (const [source, isRead] of [
      ["1 + 1", false],
      ["length('now()')", false],
      ["now()", true],
      ["today()", true],
    ] as const) {
      const now = watchNow(Date.UTC(2024, 0, 1));
      createExpressions([], clockIn("UTC", now)).derived(source, "a", "path");
      assert.is(now.isRead, isRead, source);
    }
  });
});
