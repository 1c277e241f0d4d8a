import * as assert from "uvu/assert";
import type { Connection } from "../../../../core/base/contracts/index.ts";
import { createMoves } from "../../../../core/operating/move/index.ts";
import type { Plugin } from "../../../../plugins/protocol/index.ts";
import { createMemoryRecords } from "../../../support/memoryRecords.ts";
import { connectionOf } from "../../../support/plainConnections.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const columns = [{ id: "n", type: "numeric" as const }];
const rows = [[1], [2], [null]];

/** Returns a connection whose scan returns all rows of a query in one batch. */
function scanned(name: string, plugin: Plugin): Connection {
  const connection = connectionOf(name, plugin);
  return {
    ...connection,
    scan: async (query, dataset, caller, take) =>
      take(await connection.query(query, dataset, caller)),
  };
}

suite("core/operating/move/createMoves", (test) => {
  test("if the copy differs, the move fails, the error names the column, and the dataset stays in its store", async () => {
    const [from, to] = [createPlainPlugin(), createPlainPlugin()];
    from.fill("D", columns, rows);
    const records = createMemoryRecords();
    const version = { shared_storage_version: "1" };
    await records.insert("securable", { id: "away", type: "dataset", storage: "from", ...version });
    await records.insert("securable", {
      id: "D",
      type: "dataset",
      storage: "from",
      rows: 3,
      ...version,
    });
    const source = scanned("from", from);
    const written: string[] = [];
    const target: Connection = {
      ...scanned("to", to),
      datasets: async () => [],
      async write(change) {
        written.push(change.action);
        // This store drops the last row of each dataset.
        if (change.action === "append") to.fill("D", columns, rows.slice(0, 2));
        return { rowCount: 0, version: "1" };
      },
    };
    const elsewhere = new Map([["D", source]]);
    const undone: unknown[] = [];
    const moves = createMoves({
      records,
      connections: { store: target, elsewhere },
      outbox: {
        async guard(undo, { prepare, write }) {
          try {
            await write(await prepare());
          } catch (failure) {
            undone.push(undo);
            throw failure;
          }
          throw new Error("it must not commit");
        },
      },
      stores: ["from", "to"],
      questionMs: 1,
      onSwitched: () => undefined,
    });
    const left = [
      { id: "away", store: "from", rowCount: 0 },
      { id: "D", store: "from", rowCount: 3 },
    ];
    assert.equal(await moves.left(), left);
    const { code, message } = await refusal(moves.move("D"));
    assert.is(code, "CONFLICT");
    assert.match(
      message,
      /the copy of the dataset D in to differs from from in count; the dataset stays/,
    );
    assert.equal(written, ["create", "append"]);
    assert.equal(undone, [{ action: "drop", securableId: "D" }]);
    assert.equal(await moves.left(), left);
    const away = await refusal(moves.move("away"));
    assert.is(away.code, "CONFLICT");
    assert.match(
      away.message,
      /are in from, and this host cannot read them; run the move on the host/,
    );
    assert.is(undone.length, 1);
  });
});
