import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { testOptions } from "../../../support/openTestHost.ts";

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly columns: readonly { id: string }[] }[];
}
interface Answer {
  readonly data: readonly (readonly unknown[])[];
}

suite("core/host with linked datasets", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-joins-"));
  let catalog: TestCatalog;
  let host: Host;
  let owner: Client;
  test.before(async () => {
    catalog = await openTestCatalog();
    host = await openHost({
      ...testOptions,
      dataDir,
      databaseUrl: catalog.databaseUrl,
    });
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    owner = createClient({ url: host.url, key, token });
  });
  test.after(async () => {
    await host.close();
    await catalog.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Pushes rows and returns a reference to each column, by name. */
  const push = async (header: readonly string[], data: readonly (readonly unknown[])[]) => {
    const pushed = await owner.create<Pushed>("data", {
      type: "create",
      data,
      options: { header },
    });
    const [dataset] = pushed.rows;
    if (!dataset) throw new Error("nothing was pushed");
    const mention = (name: string) => ({
      dataset_id: dataset.id,
      column_id: String(dataset.columns[header.indexOf(name)]?.id),
    });
    return { id: dataset.id, mention };
  };

  test("a query joins pushed datasets over associated columns, limited to the rows and columns that the caller's token may see", async () => {
    const sales = await push(
      ["sku", "eur"],
      [
        ["p1", 10],
        ["p1", 20],
        ["p2", 40],
        ["p9", 80],
      ],
    );
    const products = await push(
      ["code", "brand"],
      [
        ["p1", "Žilina"],
        ["p2", "Lille"],
        ["p3", "unsold"],
      ],
    );
    const query = {
      dimensions: [products.mention("brand")],
      measures: [{ ...sales.mention("eur"), aggregation: { type: "sum" as const } }],
    };
    const unlinked = await refused(owner.get("data", query));
    assert.is(unlinked.status, 400);
    assert.match(unlinked.message, /no columns link .*role Joins/);
    await owner.associate("column", products.mention("code").column_id, {
      role: "Joins",
      id: sales.mention("sku").column_id,
    });
    const text = (id: string) => ({ id, name: { en: id } });
    const answer = await owner.get<Answer>("data", query);
    assert.equal(answer.data, [
      [text("Lille"), 40],
      [text("Žilina"), 30],
      [null, 80],
    ]);
    const embedded = async (properties: Record<string, unknown>) => {
      const pair = await owner.create<{ id: string; token: string }>("authorization", {
        type: "embed",
        username: "viewer",
        name: "Viewer",
        email: "viewer@example.org",
        role: "viewer",
        access: { datasets: [sales, products].map(({ id }) => ({ id, rights: "use" })) },
        ...properties,
      });
      return createClient({ url: host.url, key: pair.id, token: pair.token });
    };
    const filtered = await embedded({
      filters: [
        {
          clause: "where",
          origin: "global",
          securable_id: products.id,
          column_id: products.mention("brand").column_id,
          expression: "? = ?",
          value: "Lille",
        },
      ],
    });
    assert.equal((await filtered.get<Answer>("data", query)).data, [
      [text("Lille"), 40],
      [null, 110],
    ]);
    const blind = await embedded({
      hidden_columns: [products.mention("code").column_id],
    });
    const refusal = await refused(blind.get("data", query));
    assert.is(refusal.message, unlinked.message);
    await owner.create("data", {
      type: "append",
      securable_id: products.id,
      data: [["p1", "again"]],
    });
    assert.match((await refused(owner.get("data", query))).message, /match many to many/);
  });
});
