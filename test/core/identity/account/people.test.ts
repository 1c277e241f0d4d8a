import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { eventually } from "../../../support/eventually.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { testOptions } from "../../../support/openTestHost.ts";

type Json = Record<string, unknown>;
type Row = Json & { readonly id: string };

const listIn = (row: Json | undefined, member: string) => (row?.[member] ?? []) as Json[];
const recordIn = (row: Json | undefined, member: string) => (row?.[member] ?? {}) as Json;

const secret = "a secret for tests only, and long enough";
const password = "a password of a test";

/** A source with OAuth2. A person grants access at `auth_url`, and the resulting code is exchanged for a token. */
async function openOauthSource(): Promise<{ url: string; tokens: unknown[]; server: Server }> {
  const tokens: unknown[] = [];
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
      const answers: Readonly<Record<string, unknown>> = {
        "/authorize": { auth_url: "https://provider.example.org/agree?state=1" },
        "/exchange":
          body.code === "good"
            ? { access_token: "short", refresh_token: "long" }
            : { error: "invalid_grant" },
        "/datasets": [],
      };
      if (request.url === "/datasets") tokens.push(request.headers["x-token"]);
      answer.setHeader("Content-Type", "application/json");
      answer.end(JSON.stringify(answers[request.url ?? ""] ?? null));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tokens, server };
}

suite("core/host: people who sign up, sign in and open links", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-people-"));
  let catalog: TestCatalog;
  let host: Host;
  let owner: Client;
  const open = (signUp: boolean) =>
    openHost({
      ...testOptions,
      dataDir,
      databaseUrl: catalog.databaseUrl,
      secret,
      egressAllow: ["127.0.0.1"],
      failuresPerMinute: 20,
      signUp,
    });
  test.before(async () => {
    catalog = await openTestCatalog();
    host = await open(true);
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    owner = createClient({ url: host.url, key, token });
  });
  test.after(async () => {
    await host.close();
    await catalog.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const post = async (path: string, body: Json): Promise<Json & { status: number }> => {
    const answer = await fetch(`${host.url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: answer.status, ...((await answer.json()) as Json) };
  };
  const clientOf = ({ id, key, token }: Json) =>
    createClient({ url: host.url, key: String(key ?? id), token: String(token) });
  const signUp = (properties: Json) =>
    post("/0.1.0/user", { action: "create", version: "0.1.0", properties });

  test("a person who signs up owns a new organization and sees no other organization's records", async () => {
    await owner.create("securable", { type: "dashboard" });
    const email = "founder@example.org";
    const made = await signUp({
      email,
      name: "Fay",
      company: "Far",
      password,
      role: "x",
      parameter_overrides: {},
    });
    assert.is(made.status, 200);
    const fay = clientOf(made);
    const { rows } = await fay.get("user", { include: [{ model: "Organization" }] });
    assert.equal(
      rows.map((row) => row["email"]),
      [email],
    );
    const [organization] = listIn(rows[0], "organizations");
    const { flagOwn, flagEditor } = recordIn(organization, "organizationRole");
    assert.equal([organization?.["name"], flagOwn, flagEditor], [{ en: "Far" }, true, true]);
    assert.is((await fay.get("securable")).count, 0);
    assert.is((await fay.get("group")).count, 1, "the Public group of its own");
    const pair = await fay.create("authorization", { type: "api" });
    await clientOf(pair).create("user", { email: "second@example.org" });
    assert.is((await fay.get("auditevent", { where: { action: "create" } })).count, 4);
  });

  test("an incomplete sign-up creates no records", async () => {
    const count = async () =>
      Number((await catalog.knex("organization").count({ n: "*" }))[0]?.["n"]);
    const before = await count();
    for (const [properties, status] of [
      [{}, 400],
      [{ email: "x" }, 400],
      [{ email: "a@b.c", password: "short" }, 400],
      [{ email: "a@b.c", country_id: "??" }, 404],
    ] as const)
      assert.is((await signUp(properties)).status, status, JSON.stringify(properties));
    const wrong = { action: "create", key: "x", token: "y", properties: { email: "a@b.c" } };
    assert.is((await post("/0.1.0/user", wrong)).status, 401);
    for (const action of ["get", "update", "delete", "validate"])
      assert.is((await post("/0.1.0/user", { action })).status, 401, action);
    assert.is(await count(), before);
  });

  test("a person signs in with e-mail address and password, and creates an API token with the returned key pair", async () => {
    const email = "FOUNDER@example.org";
    const answer = await post("/auth/vi", { email, password, token: null, useRecoveryCode: false });
    assert.is(answer.status, 200);
    const raw = await fetch(`${host.url}/auth/vi`, {
      method: "POST",
      body: JSON.stringify({ email, password }),
    });
    assert.match(
      String(raw.headers.get("set-cookie")),
      /^manifold-device-\d+=[\w-]{43}; .*HttpOnly/,
    );
    const { id, token } = answer["user"] as { id: string; token: Json };
    const self = clientOf(token);
    assert.equal((await self.get("user", { where: { id: "me" } })).rows[0]?.["id"], id);
    const api = await self.create("authorization", { type: "api" });
    assert.is((await clientOf(api).get("user")).count, 2);
    const wrong = await post("/auth/vi", { email, password: "another password" });
    assert.equal([wrong.status, typeof wrong["message"]], [401, "string"]);
    assert.is((await post("/auth/vi", { email })).status, 400);
    const huge = await post("/auth/vi", { email, password: "x".repeat(20_000) });
    assert.is(huge.status, 413);
    assert.is((await fetch(`${host.url}/auth/vi`)).status, 404);
  });

  test("a private link shows its dashboard without a token, and the host counts visits", async () => {
    const pushed = await owner.create<{ rows: (Row & { columns: Row[] })[] }>("data", {
      type: "create",
      data: [
        ["Ghent", 3],
        ["Lille", 4],
      ],
      options: { header: ["city", "km"] },
    });
    const [dataset] = pushed.rows;
    const datasetId = String(dataset?.id);
    const km = { dataset_id: datasetId, column_id: dataset?.columns[1]?.id };
    const board = await owner.create<Row>("securable", {
      type: "dashboard",
      name: { en: "Board" },
      contents: { version: "0.1.99", views: [], datasetLinks: { [datasetId]: [] } },
    });
    const { id: key } = await owner.create<Row>("share", {}, [{ role: "Dashboard", id: board.id }]);
    const callOpenly = (resource: string, body: Json = {}) =>
      post(`/0.1.0/${resource}`, { action: "get", key, version: "0.1.0", ...body });
    assert.is((await callOpenly("share")).status, 403);
    const { rows: groups } = await owner.get("group", { where: { public: true } });
    const everyone = { role: "Groups", id: String(groups[0]?.["id"]) };
    await owner.associate("securable", board.id, everyone, { published: true });
    assert.is((await callOpenly("share")).status, 403, "the dataset is not public yet");
    await owner.associate("securable", datasetId, everyone, { published: true });
    const opened = await callOpenly("share", { find: { include: [{ model: "Securable" }] } });
    const [share] = opened["rows"] as Json[];
    assert.equal(recordIn(share, "securable")["id"], board.id);
    const find = { where: { id: board.id }, include: [{ model: "Securable", as: "Datasets" }] };
    const [seen] = (await callOpenly("securable", { find }))["rows"] as Json[];
    assert.equal(
      listIn(seen, "datasets").map(({ id }) => id),
      [datasetId],
    );
    const answer = await callOpenly("data", { find: { measures: [km] } });
    assert.equal(answer["data"], [[7]]);
    for (const [resource, action] of [
      ["securable", "delete"],
      ["share", "delete"],
      ["data", "create"],
      ["user", "get"],
      ["authorization", "create"],
    ] as const)
      assert.is(
        (await callOpenly(resource, { action, id: board.id })).status,
        403,
        `${resource} ${action}`,
      );
    const read = async () => {
      const include = [{ model: "ShareStatistic" }];
      return (await owner.get("share", { where: { id: key }, include })).rows[0];
    };
    await eventually(async () => (await read())?.["query_count"] === 1, "the query is counted");
    const counted = await read();
    assert.equal([counted?.["view_count"], counted?.["query_count"]], [1, 1]);
    assert.is(listIn(counted, "statistics").length, 1);
    await owner.dissociate("securable", datasetId, everyone);
    assert.is((await callOpenly("share")).status, 403);
    await owner.delete("share", key);
    assert.is((await callOpenly("share")).status, 401);
  });

  test("a connection with OAuth2 returns the URL for granting access, and exchanges the code for a token", async () => {
    const source = await openOauthSource();
    await owner.create("plugin", {
      slug: "oauth",
      name: { en: "OAuth" },
      base_url: source.url,
      authorize: "oauth2",
      protocol_version: "3.0.0",
    });
    const account = await owner.create<Row>("account", { provider: "oauth" });
    assert.is(account["auth_url"], "https://provider.example.org/agree?state=1");
    const bad = await refused(owner.update("account", account.id, { code: "bad" }));
    assert.match(bad.message, /must return refresh_token or access_token/);
    const agreed = await owner.update("account", account.id, { code: "good" });
    assert.not("code" in agreed || "token" in agreed || "auth_url" in agreed);
    await owner.get("dataprovider", { provider: "oauth", account_id: account.id });
    assert.equal(source.tokens, ["long"]);
    const [stored] = await catalog.knex("account").where({ id: account.id });
    assert.is(stored.code, null);
    source.server.closeAllConnections();
    source.server.close();
  });

  test("a deleted user's records are transferred to the chosen successor", async () => {
    const leaver = await owner.create<Row>("user", { email: "leaver@example.org" });
    const { rows } = await owner.get("user", { where: { id: "me" } });
    const me = String(rows[0]?.["id"]);
    const board = await owner.create<Row>("securable", { type: "dashboard" });
    await owner.associate("securable", board.id, { role: "Owner", id: leaver.id });
    const refusal = await refused(owner.delete("user", leaver.id));
    assert.match(refusal.message, new RegExp(`1 securable: ${board.id}`));
    await owner.delete("user", leaver.id, { successor_id: me });
    const found = await owner.get("securable", { where: { id: board.id } });
    assert.is(found.rows[0]?.["owner_id"], me);
  });

  test("sign-ups and wrong passwords from one address count towards the same limit", async () => {
    const statuses: number[] = [];
    // On a slow machine, the host allows further calls before the limit is reached. The test therefore calls until it
    // is reached.
    while (statuses.at(-1) !== 429 && statuses.length < 200) {
      const email = `x${statuses.length}@example.org`;
      statuses.push((await post("/auth/vi", { email, password })).status);
    }
    assert.is(statuses.at(-1), 429);
    assert.is((await signUp({ email: "late@example.org" })).status, 429);
  });

  test("on a host without open sign-up, signing up fails with the error for a wrong key pair", async () => {
    await host.close();
    host = await open(false);
    const { status, message } = await signUp({ email: "late@example.org" });
    assert.equal([status, String(message).startsWith("Unauthorized")], [401, true]);
  });
});
