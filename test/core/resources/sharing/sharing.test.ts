import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Luzmo from "@luzmo/nodejs-sdk";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { createCipher } from "../../../../core/catalog/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { createToken, hashToken } from "../../../../core/identity/access/index.ts";
import { testOptions } from "../../../support/openTestHost.ts";

type Json = Record<string, unknown>;
interface Found {
  readonly count: number;
  readonly rows: readonly (Json & { readonly id: string })[];
}

const secret = "a secret for tests only, and long enough";

suite("core/host: users and groups", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-sharing-"));
  let catalog: TestCatalog;
  let host: Host;
  let owner: Client;
  let member: Client;
  let published: InstanceType<typeof Luzmo>;
  let memberId: string;
  let datasetId: string;
  let query: Json;

  test.before(async () => {
    catalog = await openTestCatalog();
    const { databaseUrl } = catalog;
    host = await openHost({
      ...testOptions,
      dataDir,
      databaseUrl,
      secret,
    });
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    owner = createClient({ url: host.url, key, token });
    const { hostname, port } = new URL(host.url);
    published = new Luzmo({ api_key: key, api_token: token, host: `http://${hostname}`, port });
    const user = await owner.create<{ id: string }>("user", { email: "member@example.org" });
    memberId = user.id;
    const records = openRecords({ catalog, cipher: createCipher(secret) });
    const memberToken = createToken();
    const pair = await records.insert("authorization", {
      type: "api",
      user_id: memberId,
      token_hash: hashToken(memberToken),
    });
    member = createClient({ url: host.url, key: pair.id, token: memberToken });
    const pushed = await owner.create<{ rows: { id: string; columns: { id: string }[] }[] }>(
      "data",
      {
        type: "create",
        data: [
          ["Ghent", 3],
          ["Lille", 4],
        ],
        options: { header: ["city", "km"] },
      },
    );
    const [dataset] = pushed.rows;
    datasetId = String(dataset?.id);
    query = {
      measures: [
        { dataset_id: datasetId, column_id: dataset?.columns[1]?.id, aggregation: { type: "sum" } },
      ],
    };
  });
  test.after(async () => {
    await host.close();
    await catalog.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("a group's right lets its users run queries until they lose the right or leave the group", async () => {
    const answer = () => member.get<{ data: unknown[][] }>("data", query);
    assert.is((await refused(answer())).status, 404);
    const group = await owner.create<{ id: string }>("group", { name: "Analysts" });
    const share = { role: "Groups", id: group.id };
    await owner.associate("securable", datasetId, share, { flagUse: true });
    assert.is((await refused(answer())).status, 404);
    await owner.associate("group", group.id, { role: "Users", id: memberId });
    assert.equal((await answer()).data, [[7]]);
    const push = member.create("data", {
      type: "append",
      securable_id: datasetId,
      data: [["x", 1]],
    });
    assert.is((await refused(push)).status, 403);
    await owner.dissociate("group", group.id, { role: "Users", id: memberId });
    assert.is((await refused(answer())).status, 404);
    await owner.associate("group", group.id, { role: "Users", id: memberId });
    await owner.dissociate("securable", datasetId, share);
    assert.is((await refused(answer())).status, 404);
  });

  test("the published client can search for tags, create a tag and add it to a dataset", async () => {
    const find = { where: { tag: "stream" } };
    assert.is(((await published.get("tag", find)) as Found).count, 0);
    const made = (await published.create("tag", { tag: "stream" }, [
      { role: "Securables", id: datasetId },
    ])) as { id: string };
    const tagged = (await published.get("securable", {
      where: { id: datasetId },
      include: [{ model: "Tag", where: { tag: "stream" }, jointype: "inner" }],
    })) as Found;
    assert.is(tagged.count, 1);
    await published.dissociate("tag", made.id, { role: "Securables", id: datasetId });
    await published.delete("tag", made.id, {});
    assert.is(((await published.get("tag", find)) as Found).count, 0);
  });

  test("the published client can publish a dashboard's version and read countries", async () => {
    const board = (await published.create("securable", { type: "dashboard" })) as { id: string };
    await published.update("securable", board.id, { name: { en: "Board" } });
    const { rows } = (await published.get("securableversion" as never, {
      where: { securable_id: board.id },
      order: [["created_at", "desc"]],
    })) as Found;
    assert.is(rows.length, 2);
    const shown = (await published.update("securableversion" as never, String(rows[0]?.id), {
      environment: "production",
    })) as Json;
    assert.is(shown["environment"], "production");
    const countries = (await published.get("country", {
      limit: 2,
      order: [["id", "asc"]],
    })) as Found;
    assert.equal([countries.count, countries.rows.map(({ id }) => id)], [249, ["AD", "AE"]]);
    const refusal = await published.create("country", { name: { en: "Mine" } }).then(
      () => "made",
      (failure: { message?: string }) => String(failure.message),
    );
    assert.match(refusal, /country does not support the action create; it supports: get/);
  });

  test("without credentials, only countries and public data can be read", async () => {
    const callOpenly = async (resource: string, body: Json): Promise<Json> => {
      const answer = await fetch(`${host.url}/0.1.0/${resource}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ version: "0.1.0", ...body }),
      });
      return { status: answer.status, ...((await answer.json()) as Json) };
    };
    const open = await callOpenly("country", { action: "get", find: { where: { id: "BE" } } });
    assert.equal([open["status"], open["count"]], [200, 1]);
    const search = await callOpenly("country", { action: "search", find: { limit: 1 } });
    assert.equal([search["status"], search["count"]], [200, 249]);
    const wrong = { key: host.madeCredentials?.key, token: "wrong" };
    assert.is((await callOpenly("country", { action: "get", ...wrong }))["status"], 401);
    assert.is((await callOpenly("country", { action: "create" }))["status"], 401);
    for (const resource of ["locale", "currency", "timezone", "user", "theme", "data", "hierarchy"])
      assert.is((await callOpenly(resource, { action: "get" }))["status"], 401, resource);
    const joined = { include: [{ model: "User" }] };
    assert.is((await callOpenly("country", { action: "get", find: joined }))["status"], 400);
  });

  test("the labels of a hierarchy's values are updated under the id of the column", async () => {
    const columns = (await published.get("column", {
      where: { securable_id: datasetId, type: "hierarchy" },
    })) as Found;
    const id = String(columns.rows[0]?.id);
    await published.update("hierarchy", id, {
      updates: [{ id: "Ghent", name: { en: "Ghent", fr: "Gand" }, color: "#00f" }],
    });
    const { rows } = (await published.get("hierarchy", { where: { column_id: id } })) as Found;
    assert.equal([rows[0]?.id, rows[0]?.["name"]], ["Ghent", { en: "Ghent", fr: "Gand" }]);
  });
});
