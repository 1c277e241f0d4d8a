import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { testOptions } from "../../../support/openTestHost.ts";

interface Answer {
  readonly cached: boolean;
  readonly data: readonly (readonly unknown[])[];
}

suite("core/host with cached catalog records", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-memory-"));
  let catalog: TestCatalog;
  let host: Host;
  let owner: Client;
  let embedded: Client;
  let datasetId = "";
  let columns: readonly { readonly id: string }[] = [];
  let query = {};
  const rows = [
    ["Ghent", 1],
    ["Lille", 2],
    ["Liège", 4],
  ];

  test.before(async () => {
    catalog = await openTestCatalog();
    const { databaseUrl } = catalog;
    const secret = "a secret for tests only, and long enough";
    host = await openHost({
      ...testOptions,
      dataDir,
      databaseUrl,
      secret,
    });
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    owner = createClient({ url: host.url, key, token });
    const pushed = await owner.create<{ rows: { id: string; columns: { id: string }[] }[] }>(
      "data",
      { type: "create", data: rows, options: { header: ["city", "km"] } },
    );
    const [dataset] = pushed.rows;
    datasetId = String(dataset?.id);
    columns = dataset?.columns ?? [];
    const aggregation = { type: "sum" };
    query = { measures: [{ dataset_id: datasetId, column_id: columns[1]?.id, aggregation }] };
    const pair = await owner.create<{ id: string; token: string }>("authorization", {
      type: "embed",
      username: "viewer",
      name: "Viewer",
      email: "viewer@example.org",
      role: "viewer",
      access: { datasets: [{ id: datasetId, rights: "use" }] },
    });
    embedded = createClient({ url: host.url, key: pair.id, token: pair.token });
  });
  test.after(async () => {
    await host.close();
    await catalog.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const runQuery = async (client: Client) => {
    const { cached, data } = await client.get<Answer>("data", query);
    return [cached, data[0]?.[0]];
  };
  /** Repeats a query often enough that all records are cached. */
  const warm = async () => {
    for (const client of [owner, embedded, owner, embedded]) await runQuery(client);
    assert.equal([(await runQuery(owner))[0], (await runQuery(embedded))[0]], [true, true]);
  };

  test("a query returns rows that were pushed just before it", async () => {
    await warm();
    await owner.create("data", { type: "append", securable_id: datasetId, data: [["Ghent", 8]] });
    assert.equal(
      [await runQuery(owner), await runQuery(embedded)],
      [
        [false, 15],
        [true, 15],
      ],
    );
    await owner.create("data", { type: "replace", securable_id: datasetId, data: rows });
    assert.equal(
      [await runQuery(owner), await runQuery(embedded)],
      [
        [false, 7],
        [true, 7],
      ],
    );
  });

  test("a query applies changes to the organization's filters that were made just before the query", async () => {
    await warm();
    const group = await owner.get<{ rows: { id: string }[] }>("embedfiltergroup", { where: {} });
    const id = group.rows[0]?.id ?? (await owner.create<{ id: string }>("embedfiltergroup", {})).id;
    const filter = {
      clause: "where",
      origin: "global",
      securable_id: datasetId,
      column_id: columns[0]?.id,
      expression: "? = ?",
      value: "Lille",
    };
    const role = { role: "Securables", id: datasetId };
    await owner.associate<object>("embedfiltergroup", id, role, { filters: [filter] });
    assert.equal(
      [await runQuery(embedded), await runQuery(owner)],
      [
        [false, 2],
        [true, 7],
      ],
    );
    await owner.dissociate("embedfiltergroup", id, role);
    assert.is((await runQuery(embedded))[1], 7);
  });

  test("within a second, a query sees a change that another host made", async () => {
    await warm();
    /** Repeats a query until its answer changes, for more than a second if it does not change. */
    const queryUntilChanged = async (before: string) => {
      const until = performance.now() + 1000;
      let found = before;
      for (let isLast = false; found === before && !isLast;) {
        await wait(20);
        isLast = performance.now() > until;
        found = await runQuery(embedded).then(
          (row) => String(row[1]),
          (failure: Error) => failure.message,
        );
      }
      return found;
    };
    await catalog.knex("securable").where({ id: datasetId }).update({ type: "dashboard" });
    const refusal = await queryUntilChanged("7");
    assert.match(refusal, "not a dataset");
    await catalog.knex("securable").where({ id: datasetId }).update({ type: "dataset" });
    assert.is(await queryUntilChanged(refusal), "7");
  });

  test("a query just after a dataset was deleted does not find the dataset", async () => {
    await warm();
    await owner.delete("securable", datasetId);
    for (const client of [owner, embedded])
      assert.is((await refused(client.get("data", query))).status, 404);
  });
});
