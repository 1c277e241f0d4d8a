import * as assert from "uvu/assert";
import { openSession, type SqliteReader } from "../../../connectors/sqlite/openSession.ts";
import { suite } from "../../support/suite.ts";

suite("connectors/sqlite/openSession", (test) => {
  test("a reader process that has described an SQL statement can be used again", async () => {
    let endedCount = 0;
    const reader: Pick<SqliteReader, "call"> = {
      async *call({ kind }) {
        if (kind === "rows") yield { kind, rows: [[1]] };
        else yield { kind, columns: [{ name: "city", declared: "text" }] };
        endedCount++;
      },
    };
    const file = { path: "trips.sqlite", identity: "1:2", valueBytes: 1024, lockMs: 0 };
    const { signal } = new AbortController();
    const deadline = { signal, lift: () => undefined, close: () => undefined };
    const session = await openSession(reader, { file, numbers: "none", deadline });
    assert.is(endedCount, 1);
    const columns = await session.columns("select city from trips", signal);
    assert.equal(columns, [{ name: "city", declared: "text" }]);
    assert.is(endedCount, 2);
  });
});
