import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { runQuotaCommand } from "../../../../core/cli/runQuotaCommand.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { testOptions } from "../../../support/openTestHost.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

interface Explained {
  readonly id: string;
  readonly quotas: readonly {
    readonly name: string;
    readonly hard: number | null;
    readonly used: number;
  }[];
}

suite("core/host with quotas", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-quotas-"));
  let catalog: TestCatalog;
  let host: Host;
  let owner: Client;
  let pair = { key: "", token: "" };
  test.before(async () => {
    catalog = await openTestCatalog();
    host = await openHost({
      ...testOptions,
      dataDir,
      databaseUrl: catalog.databaseUrl,
      warmUp: false,
      quotas: "rows=40/100 pushes=1000",
    });
    pair = host.madeCredentials ?? pair;
    owner = createClient({ url: host.url, ...pair });
  });
  test.after(async () => {
    await host.close();
    await catalog.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const call = (given: object, members: Readonly<Record<string, unknown>>, resource = "data") =>
    fetch(`${host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...members, ...given, version: "0.1.0" }),
    });
  const explained = async () => {
    const answer = await call(pair, { action: "explain" }, "organization");
    const { id, quotas } = (await answer.json()) as Explained;
    return { id, of: (name: string) => quotas.find((each) => each.name === name) };
  };
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => [`row ${index}`, index]);
  const create = (given: object, count: number) =>
    call(given, { action: "create", properties: { type: "create", data: rows(count) } });

  test("concurrent pushes of several users and tokens together never exceed the storage limit", async () => {
    const grace = await owner.create<{ key: string; token: string }>("user", {
      name: "Grace",
      email: "grace@example.org",
      suborganization: "north",
    });
    const other = await owner.create<{ id: string; token: string }>("authorization", {
      type: "api",
    });
    const { key, token } = grace;
    const pairs = [pair, { key: other.id, token: other.token }, { key, token }];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => create(pairs[index % pairs.length] ?? pair, 15)),
    );
    const taken = answers.filter(({ status }) => status === 200);
    assert.is(taken.length, 6);
    const refusals = answers.filter(({ status }) => status === 403);
    assert.is(refusals.length, 10);
    const body = (await refusals[0]!.json()) as { type: { code: string }; message: string };
    assert.is(body.type.code, "QUOTA_FULL");
    assert.match(body.message, /stored rows: it has \d+ of at most 100, and this call adds 15/);
    assert.is((await explained()).of("rows")?.used, 90);
    assert.ok(answers.some(({ headers }) => headers.get("X-Quota-Warning")?.startsWith("rows ")));
  });

  test("deleting a dataset frees its share of the quota, and replacing rows counts only the difference", async () => {
    const { rows: datasets } = await owner.get("securable", { where: { type: "dataset" } });
    const [first, second] = datasets.map(({ id }) => String(id));
    const replaced = { type: "replace" as const, securable_id: second, data: rows(26) };
    const tooMany = await refused(owner.create("data", replaced));
    assert.match(tooMany.message, /this call adds 11/);
    await owner.delete("securable", first!);
    await owner.create("data", replaced);
    assert.is((await explained()).of("rows")?.used, 86);
    assert.ok(Number((await explained()).of("bytes")?.used) > 0);
  });

  test("updates count the rows that they insert or delete, and are refused if the new rows could exceed the quota", async () => {
    const { rows: made } = await owner.create<{ rows: { id: string }[] }>("data", {
      type: "create",
      data: rows(4),
      options: { header: ["id", "n"] },
    });
    const id = String(made[0]?.id);
    const update = (data: unknown[][], more: object = {}) =>
      owner.update("data", id, { data, options: { header: ["id", "n"], key: ["id"], ...more } });
    const used = async () => {
      const { of } = await explained();
      return { rows: of("rows")?.used ?? 0, bytes: of("bytes")?.used ?? 0 };
    };
    const before = await used();
    assert.is(before.rows, 90);
    const tooMany = await refused(update(rows(11)));
    assert.match(tooMany.message, /it has 90 of at most 100, and this call adds 11/);
    assert.equal(await used(), before);
    await update(rows(11), { missing: "ignore" });
    assert.equal(await used(), before, "only stored rows were changed");
    await update(rows(8));
    const after = await used();
    assert.is(after.rows, 94);
    assert.ok(after.bytes > before.bytes);
    await update([["row 6"], ["row 7"], ["none"]], { header: ["id"], delete: true });
    assert.is((await used()).rows, 92);
    await update(
      rows(8).map(([row]) => [row]),
      { header: ["id"], delete: true },
    );
    const emptied = await used();
    assert.is(emptied.rows, 86);
    assert.ok(emptied.bytes < before.bytes);
    await owner.delete("securable", id);
    assert.equal(await used(), emptied, "a dataset without rows has no size");
  });

  test("the operator can limit an organization and see its usage with `manifold quota`", async () => {
    const lines: string[] = [];
    const run = (...args: string[]) =>
      runQuotaCommand([...args, "--data-dir", dataDir], {}, (line) => void lines.push(line));
    const { id } = await explained();
    const { rows: datasets } = await owner.get<{
      rows: { id: string; columns: { id: string; type: string }[] }[];
    }>("securable", { where: { type: "dataset" }, include: [{ model: "Column" }] });
    const [dataset] = datasets;
    const text = dataset?.columns.find(({ type }) => type === "hierarchy");
    const column = { dataset_id: dataset?.id, column_id: text?.id };
    const queryStatus = async (value: string) => {
      const where = [{ expression: "? != ?", parameters: [column, value] }];
      const queries = [{ dimensions: [column], where }];
      return (await call(pair, { action: "get", find: { queries } })).status;
    };
    await run("set", id, "scanned_rows=1000000", "queries=3");
    assert.match(lines.join("\n"), /scanned_rows\s+0 of 800000\/1000000/);
    assert.is(await queryStatus("a"), 200);
    // Every dataset of this test has more rows than the limit.
    await run("set", id, "scanned_rows=5");
    assert.is(await queryStatus("b"), 413);
    assert.is(await queryStatus("a"), 200, "a cached answer reads no rows");
    await run("unset", id, "scanned_rows", "queries");
    assert.is(await queryStatus("b"), 200);
    const wrong = await run("set", id, "row=5").then(
      () => "",
      (failure: Error) => failure.message,
    );
    assert.match(wrong, /the quotas are rows, bytes/);
    await run("list");
    assert.ok(lines.some((line) => line.startsWith(id)));
  });

  test("only owners of the whole organization can see its quotas, and no API call can set them", async () => {
    const made = await owner.create<{ id: string; token: string }>("authorization", {
      type: "embed",
      username: "viewer",
    });
    const seen = await call(
      { key: made.id, token: made.token },
      { action: "explain" },
      "organization",
    );
    assert.is(seen.status, 403);
    const { id } = await explained();
    const properties = { name: { en: "Acme" }, quotas: { rows: 1e9 } };
    const update = owner.update<unknown>("organization", id, properties);
    assert.match((await refused(update)).message, /properties\.quotas is unknown/);
    assert.is((await explained()).of("rows")?.hard, 100);
  });
});
