import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { ClientError } from "../../../../core/web/client/index.ts";
import { runAuditCommand } from "../../../../core/cli/runAuditCommand.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
const secret = "a secret for tests only, and long enough";
const wrongToken = "a-wrong-token-that-nobody-has-0123456789";
const wrongPassword = "hunter2-hunter2-hunter2";

suite("core/host and the audit", (test) => {
  let catalog: TestCatalog;
  let people: People;
  let dataset: Dataset;
  let ada: Person;
  test.before(async () => {
    catalog = await openTestCatalog();
    people = await openPeople({ databaseUrl: catalog.databaseUrl, auditReads: true });
    dataset = await people.push();
    ada = await people.add("ada", { password: "the right one, and long" });
  });
  test.after(async () => {
    await people?.close();
    await catalog?.close();
  });
  const events = async (where: Json) => catalog.knex("auditevent").where(where).orderBy("place");
  const refused = async (
    path: string,
    body: Json,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await fetch(`${people.host.url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    assert.ok(answer.status === 401 || answer.status === 403, `${path}: ${answer.status}`);
    await answer.text();
  };
  /** Returns the newest refusal of a record. The host writes it while it responds, so it may appear a moment later. */
  const refusalOf = async (record_id: string, code: string): Promise<Json> => {
    for (let turn = 0; turn < 2_000; turn++) {
      const found = await events({ action: "refuse", record_id });
      const [event] = found.filter(({ members }) => members.includes(code));
      if (event) return event;
    }
    throw new Error(`the refusal of ${record_id} was not audited`);
  };
  const command = async (...args: string[]) => {
    const lines: string[] = [];
    const environment = { DATABASE_URL: catalog.databaseUrl, MANIFOLD_SECRET: secret };
    const status = await runAuditCommand(args, { environment, write: (line) => lines.push(line) });
    return { status, lines };
  };

  test("refused credentials of every kind are audited with the caller's address but no secrets", async () => {
    await refused("/auth/vi", { email: "ada@example.org", password: wrongPassword });
    const failed = await events({ action: "sign_in_failed", record_id: ada.id });
    assert.ok(failed.length <= 1, "the audit of sign-ins contains it within a moment");
    await refused("/auth/vi", { email: "nobody@example.org", password: wrongPassword });
    const byPassword = await refusalOf("", "password");
    await refused("/0.1.0/securable", { action: "get", key: ada.pair.key, token: wrongToken });
    const byPair = await refusalOf(ada.pair.key, "UNAUTHORIZED");
    const embedded = await people.mint({
      access: { datasets: [{ id: dataset.id, rights: "read" }] },
      allowed_origins: ["https://shop.example"],
    });
    await refused(
      "/0.1.0/securable",
      { action: "get", ...embedded.pair },
      { Origin: "https://evil.example" },
    );
    const byEmbed = await refusalOf(embedded.pair.key, "SOURCE_REFUSED");
    const config = randomUUID();
    await refused(`/scim/v2/${config}/Users`, {}, { Authorization: `Bearer ${wrongToken}` });
    const byScim = await refusalOf(config, "UNAUTHORIZED");
    const provider = randomUUID();
    const returned = await fetch(`${people.host.url}/auth/sso/${provider}/callback?code=x&state=y`);
    assert.is(returned.ok, false);
    const body: { readonly type: { readonly code: string } } = JSON.parse(await returned.text());
    const byProvider = await refusalOf(provider, body.type.code);
    const [{ organization_id: own }] = await events({
      resource: "authorization",
      action: "create",
    });
    assert.equal(
      [byPassword, byPair, byEmbed, byScim, byProvider].map((event) => [
        event["resource"],
        Array.isArray(event["members"]) && event["members"][0],
        event["organization_id"] === own,
        typeof event["address"] === "string" && event["address"] !== "",
      ]),
      [
        ["user", "password", false, true],
        ["authorization", "pair", true, true],
        ["authorization", "pair", true, true],
        ["ssoconfig", "scim", false, true],
        ["ssoconfig", "provider", false, true],
      ],
    );
    const all = JSON.stringify(await events({}));
    for (const text of [wrongToken, wrongPassword, "nobody@example.org"])
      assert.not(all.includes(text));
    const seen = await people.owner.get("auditevent", { where: { action: "refuse" } });
    assert.ok(seen.rows.length >= 2, "owners can read the refusals of their organization");
    assert.not(seen.rows.some((row) => row["record_id"] === config));
  });

  test("each call that only reads causes one audit event with its datasets and its caller's address", async () => {
    const column_id = dataset.columns["km"];
    const queries = [{ measures: [{ dataset_id: dataset.id, column_id }] }];
    const before = (await events({ action: "get", resource: "data" })).length;
    await ada.get("data", { queries }).catch((failure: unknown) => {
      assert.instance(failure, ClientError);
    });
    await people.owner.get("data", { queries });
    const read = (await events({ action: "get", resource: "data" })).slice(before);
    assert.equal(
      read.map(({ user_id, record_id, times }) => [user_id, record_id, times]),
      [
        [ada.id, dataset.id, 1],
        [people.owner.id, dataset.id, 1],
      ],
    );
    assert.ok(read.every(({ address }) => address));
    const { id } = await people.owner.create<{ id: string }>("tag", { tag: "read me" });
    const changes = await events({ record_id: id });
    assert.equal(
      changes.map(({ action, address }) => [action, address]),
      [["create", "127.0.0.1"]],
    );
  });

  test("the audit of a call names the datasets of its innermost query", async () => {
    const of = { dataset_id: "from", column_id: "n", aggregation: "sum" };
    let query: Json = {
      measures: [{ dataset_id: dataset.id, column_id: "*", aggregation: "count" }],
    };
    for (let depth = 0; depth < 8; depth++)
      query = { from: { query, columns: ["n"] }, measures: [of] };
    const before = (await events({ action: "get", resource: "data" })).length;
    await people.owner.get("data", { queries: [query] });
    const read = (await events({ action: "get", resource: "data" })).slice(before);
    assert.equal(
      read.map(({ record_id }) => record_id),
      [dataset.id],
    );
  });

  test("the audit records when a sign-on provider reads users and when a person opens a file link", async () => {
    const scim_token = "a-token-of-scim-with-32-characters-or-more";
    const { id: config } = await people.owner.create<{ id: string }>("ssoconfig", {
      name: "Corp",
      type: "openid",
      active: true,
      config: { issuer: "https://login.example.com", client_id: "manifold", scim_token },
    });
    const read = async (path: string) => {
      const headers = { Authorization: `Bearer ${scim_token}` };
      return (await fetch(`${people.host.url}/scim/v2/${config}/${path}`, { headers })).status;
    };
    const one = randomUUID();
    const statuses = [await read("Users"), await read(`Groups/${one}`), await read("Schemas")];
    assert.equal(statuses, [200, 404, 200]);
    const byProvider = await events({ action: "get", authorization_id: config });
    assert.equal(
      byProvider.map(({ resource, record_id, address }) => [resource, record_id, address]),
      [
        ["user", "", "127.0.0.1"],
        ["group", one, "127.0.0.1"],
      ],
    );
    const { id } = await people.owner.create<{ id: string }>("export", {
      type: "csv",
      query: { measures: [{ dataset_id: dataset.id, column_id: dataset.columns["km"] }] },
      deliver: "link",
    });
    const linkOf = async (): Promise<string> => {
      const { rows } = await people.owner.get("export", { where: { id } });
      assert.not.equal(rows[0]?.["status"], "failed", JSON.stringify(rows));
      return rows[0]?.["status"] === "done" ? String(rows[0]["url"]) : linkOf();
    };
    const { pathname } = new URL(await linkOf());
    const before = (await events({ action: "get", resource: "export", record_id: id })).length;
    assert.is((await fetch(people.host.url + pathname)).status, 200);
    const opened = (await events({ action: "get", resource: "export", record_id: id })).slice(
      before,
    );
    assert.equal(
      opened.map(({ user_id, address }) => [user_id, address]),
      [[people.owner.id, "127.0.0.1"]],
    );
  });

  test("calls that only read are audited only with MANIFOLD_AUDIT_READS", async () => {
    const other = await openPeople({});
    const { rows } = await other.owner.get("auditevent", { where: { action: "get" } });
    await other.owner.get("securable");
    const after = await other.owner.get("auditevent", { where: { action: "get" } });
    await other.close();
    assert.equal([rows, after.rows], [[], []]);
  });

  test("`manifold audit` verifies, exports and removes events, and returns status 1 if an event was changed by hand", async () => {
    const verified = await command("verify");
    assert.is(verified.status, 0, verified.lines.join("\n"));
    const [ends] = verified.lines.filter((line) => !line.includes("00000000-0000-0000"));
    const noted = /^ok (\S+) /.exec(ends ?? "")?.[1] ?? "";
    assert.is((await command("verify", "--noted", noted)).status, 0);
    const exported = await command("export");
    const parsed = exported.lines.map((line): Json => JSON.parse(line));
    assert.is(parsed.length, (await events({})).length);
    assert.ok(parsed.every(({ hash, digest, place }) => hash && digest && place));
    const [first] = await events({ action: "create", resource: "tag" });
    await catalog.knex("auditevent").where({ id: first.id }).update({ user_id: randomUUID() });
    const broken = await command("verify");
    assert.is(broken.status, 1);
    assert.match(broken.lines.join("\n"), new RegExp(`BROKEN .* event ${first.id}: the content`));
    await catalog.knex("auditevent").where({ id: first.id }).update({ user_id: first.user_id });
    assert.is((await command("verify")).status, 0);
    assert.equal((await command("remove", "--before", "2001-01-01")).lines, ["0 events removed"]);
    for (const [args, problem] of [
      [["check"], /verify, export or remove/],
      [["verify", "--before", "2001-01-01"], /does not accept "before"/],
      [["verify", "--noted", "x"], /ORGANIZATION:PLACE:HASH/],
      [["export", "--organization", "x"], /id .* of an organization/],
      [["remove"], /--before/],
    ] as const) {
      const failure = await command(...args).catch((thrown: unknown) => thrown);
      assert.match(String(failure), problem);
    }
  });
});
