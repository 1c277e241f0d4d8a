import * as assert from "uvu/assert";
import { createClient, type Client, type Query } from "../../../core/web/client/index.ts";
import type { Host } from "../../../core/host.ts";
import { hostileShapes, type ShapeColumns } from "../../bench/hostile/shapes.ts";
import { joinSharedHost } from "../../support/joinSharedHost.ts";
import { rounds } from "../../support/layer.ts";
import { refused } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly columns: readonly { id: string }[] }[];
}

const rowCount = rounds({ quick: 3_000, deep: 30_000 });
const rowsPerPush = Math.min(rowCount, 10_000);

suite("core/queries/workBudgets", (test) => {
  let host: Host;
  let owner: Client;
  let columns: ShapeColumns;
  let visitor: { readonly id: string; readonly token?: string };

  test.before(async () => {
    host = await joinSharedHost();
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    owner = createClient({ url: host.url, key, token });
    const rows = (from: number) =>
      Array.from({ length: rowsPerPush }, (_, index) => {
        const row = from + index;
        const at = new Date(1.2e12 + row * 15_000_000).toISOString();
        return [`person né ${row}`, `city ${row % 2_000}`, `region ${row % 40}`, row, at];
      });
    const made = await owner.create<Pushed>("data", {
      type: "create",
      data: rows(0),
      options: { header: ["name", "city", "region", "km", "at"] },
    });
    const { id, columns: created } = made.rows[0]!;
    for (let from = rowsPerPush; from < rowCount; from += rowsPerPush)
      await owner.create("data", { type: "append", securable_id: id, data: rows(from) });
    const [name, city, region, km, at] = created.map((each) => ({
      dataset_id: id,
      column_id: each.id,
    }));
    if (!name || !city || !region || !km || !at) throw new Error("a column is missing");
    columns = { name, city, region, km, at };
    visitor = await owner.create("authorization", {
      type: "embed",
      username: "visitor",
      access: { datasets: [{ id, rights: "use" }] },
    });
  });
  test.after(async () => host.close());

  const likes = (column: object, count: number): Query => ({
    measures: [{ ...columns.km, aggregation: "count" }],
    where: [
      {
        or: Array.from({ length: count }, (_, index) => ({
          expression: "? like ?",
          parameters: [column, `e n${index}`],
        })),
      },
    ],
  });

  test.deep(
    "a `like` test counts each distinct string of a stored column, but each row of a computed column",
    async () => {
      const failure = await refused(owner.get("data", likes(columns.name, 7_000)));
      assert.equal([failure.status, failure.code], [413, "QUERY_TOO_MUCH_WORK"]);
      assert.match(failure.message, "budget string_tests");
      assert.match(failure.message, `need ${7_000 * rowCount}.`);
      assert.ok(await owner.get("data", likes(columns.region, 1_000)));
    },
  );

  const none = { name: {}, city: {}, region: {}, km: {}, at: {} };
  const shapeNames = Object.keys(hostileShapes(none));
  /**
   * Names of the calls that the quick layer runs. The answers to the other calls have a size of many MiB, or take
   * seconds.
   */
  const quick = /deep|nested|100 lists|two columns, replaced/;

  test("at least 25 kinds of expensive calls are tested", () => {
    assert.ok(shapeNames.length >= 25);
  });

  for (const name of shapeNames) {
    const define = quick.test(name) ? test : test.deep;
    define(
      `a call of less than 64 KiB with an embed token is answered or fails with a 4xx: ${name}`,
      async () => {
        const shape = hostileShapes(columns)[name];
        if (!shape) throw new Error(`there is no shape ${name}`);
        const text = JSON.stringify({ ...shape.body, key: visitor.id, token: visitor.token });
        assert.ok(Buffer.byteLength(text) < 2 ** 16, `${text.length} characters`);
        const answer = await fetch(`${host.url}/0.1.0/${shape.resource}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: text,
        });
        const refusal = answer.ok ? "" : await answer.text();
        if (answer.ok) await answer.body?.pipeTo(new WritableStream());
        assert.ok(answer.status < 500, refusal);
        if (name.includes("nested")) assert.match(refusal, "QUERY_TOO_MUCH_WORK");
      },
    );
  }
});
