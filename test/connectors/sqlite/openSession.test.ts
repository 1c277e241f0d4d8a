import * as assert from "uvu/assert";
import { openSession, type SqliteReader } from "../../../connectors/sqlite/openSession.ts";
import { suite } from "../../support/suite.ts";

suite("connectors/sqlite/openSession", (test) => {
  test("after a statement was described, its process can be used again", async () => {
    let endedCount = 0;
    const reader: Pick<SqliteReader, "call"> = {
      async *call({ kind }) {
        if (kind === "rows") yield { kind, rows: [[1]] };
        else yield { kind, columns: [{ name: "city", declared: "text" }] };
        endedCount++;
      },
    };
    const file = { path: "trips.sqlite", identity: "1:2", valueBytes: 1024, lockMs: 0 };
    const deadline = AbortSignal.timeout(60_000);
    const session = await openSession(reader, { file, numbers: "none", deadline });
    assert.is(endedCount, 1);
    const columns = await session.columns("select city from trips", deadline);
    assert.equal(columns, [{ name: "city", declared: "text" }]);
    assert.is(endedCount, 2);
  });
});
