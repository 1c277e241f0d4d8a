import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { type Host, openHost } from "../../../../core/host.ts";
import { openTestDatabase } from "../../../support/catalog.ts";
import { testOptions } from "../../../support/openTestHost.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const key = "5f0c2b5e-3a71-4c1e-9c55-0d3f6b0a4e11";
const token = "a-token-of-this-test-only";

suite("core/host over a damaged dataset", (test) => {
  let dataDir: string;
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let host: Host;
  let client: Client;
  const open = async () => {
    const { databaseUrl } = database;
    host = await openHost({ ...testOptions, dataDir, databaseUrl, key, token });
    client = createClient({ url: host.url, key, token });
  };
  test.before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "manifold-damaged-"));
    database = await openTestDatabase();
    await open();
  });
  test.after(async () => {
    await host.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("a damaged dataset is repaired by replacing its rows without a header, but not by appending", async () => {
    const created = await client.create<{ rows: { id: string; columns: { id: string }[] }[] }>(
      "data",
      {
        type: "create",
        data: [["Ghent", 3, "x"]],
        options: { header: ["city", "km", "note"], name: { en: "Trips" } },
      },
    );
    const { id, columns } = created.rows[0]!;
    const km = { dataset_id: id, column_id: columns[1]!.id };
    const sendQuery = async () =>
      (await client.get<{ data: unknown[][] }>("data", { measures: [km] })).data;
    const push = (type: string) =>
      client.create<unknown>("data", {
        type,
        securable_id: id,
        data: [
          ["Lille", 5.5, null],
          ["Ghent", 1, "y"],
        ],
      });
    await host.close();
    const folder = join(dataDir, "strata");
    const logs = (await readdir(folder)).filter((name) => name.endsWith(".log"));
    assert.ok(logs.length > 0);
    for (const name of logs) await writeFile(join(folder, name), "nonsense");
    await open();
    assert.is((await refused(sendQuery())).status, 502);
    assert.is((await refused(push("append"))).status, 502);
    await push("replace");
    assert.equal(await sendQuery(), [[6.5]]);
    await push("append");
    assert.equal(await sendQuery(), [[13]]);
    const [record] = (
      await client.get<{ rows: { columns: { id: string }[] }[] }>("securable", {
        where: { id },
        include: [{ model: "Column" }],
      })
    ).rows;
    assert.equal(
      record!.columns.map((column) => column.id).toSorted(),
      columns.map((column) => column.id).toSorted(),
    );
  });
});
