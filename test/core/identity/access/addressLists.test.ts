import * as assert from "uvu/assert";
import { runOwnerCommand } from "../../../../core/cli/runOwnerCommand.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { createCookieJar } from "../../../support/cookieJar.ts";
import { openLyingProvider } from "../../../support/lyingProvider.ts";
import { createSoftPasskey } from "../../../support/softPasskey.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
const password = "a kettle on a hill";
const [inside, outside] = ["203.0.113.9", "198.51.100.1"];
const publicUrl = "http://localhost";

suite("core/host: addresses of an organization", (test) => {
  let catalog: TestCatalog;
  let people: People;
  let member: Person;
  let cy: Person;
  let organizationId = "";
  test.before(async () => {
    catalog = await openTestCatalog();
    people = await openPeople({
      databaseUrl: catalog.databaseUrl,
      proxyCount: 1,
      failuresPerMinute: 0,
      publicUrl,
    });
    member = await people.add("Bo", { password });
    cy = await people.add("Cy", { password });
    const { rows } = await people.owner.get("organization");
    organizationId = String(rows[0]?.["id"]);
  });
  test.after(async () => {
    await people?.close();
    await catalog?.close();
  });

  const post = async (
    path: string,
    address: string | undefined,
    body: Json,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const response = await fetch(`${people.host.url}${path}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(address !== undefined && { "X-Forwarded-For": address }),
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, cookie: response.headers.get("set-cookie") ?? "" };
  };
  const page = () => ({ Origin: people.host.url, "X-Manifold-Console": "1" });
  const call = (person: Person, address: string | undefined, resource: string, body: Json) =>
    post(`/0.1.0/${resource}`, address, { version: "0.1.0", ...person.pair, ...body });
  const read = async (person: Person, address: string | undefined) =>
    (await call(person, address, "user", { action: "get", find: { where: { id: "me" } } })).status;
  const allow = (properties: Json, address = "203.0.113.7", by = people.owner) =>
    call(by, address, "organization", { action: "update", id: organizationId, properties });

  /**
   * Returns the failed sign-ins of a person, with their steps and addresses. Failed sign-ins are written after the
   * response.
   */
  const failuresOf = async (person: Person) => {
    for (;;) {
      const { text } = await post("/auth/account/history", inside, person.pair);
      const read = JSON.parse(text) as { rows: { outcome: string; ways: []; address: string }[] };
      const failed = read.rows.filter(({ outcome }) => outcome === "failed");
      if (failed.length > 0) return failed.map(({ ways, address }) => [ways, address]);
    }
  };
  /** Starts a session, and returns the headers that pages of this session send. */
  const enter = async (given: Json) => {
    const begun = await post("/auth/session", inside, given, page());
    assert.is(begun.status, 200, begun.text);
    return { Cookie: begun.cookie.split(";")[0] ?? "", ...page() };
  };
  const codeOf = ({ status, text }: { readonly status: number; readonly text: string }) => {
    const { type } = JSON.parse(text) as { type?: { code?: string } };
    return [status, type?.code];
  };
  const refusal = [403, "SOURCE_REFUSED"];

  test("an address list is refused if it is invalid, or if it locks out the caller and the caller did not confirm the lockout", async () => {
    const networks = ["198.51.100.0/24"];
    for (const [action, status] of [
      ["update", 400],
      ["validate", 200],
    ] as const) {
      const refused = await call(people.owner, "203.0.113.7", "organization", {
        action,
        id: organizationId,
        properties: { allowed_addresses: networks },
      });
      assert.is(refused.status, status, action);
      assert.match(refused.text, "203.0.113.7");
      assert.match(refused.text, "confirm_lockout: true");
    }
    for (const wrong of [[], ["*"], ["10.0.0.0/33"], ["example.com"], "10.0.0.1", [5], [""]])
      assert.is((await allow({ allowed_addresses: wrong, confirm_lockout: true })).status, 400);
    assert.is(await read(people.owner, "203.0.113.7"), 200);
    const byMember = await allow({ allowed_addresses: ["0.0.0.0/0"] }, "203.0.113.7", member);
    assert.ok([403, 404].includes(byMember.status));
  });

  test("people and API tokens can call only from their organization's networks, even behind a trusted proxy", async () => {
    const viewer = await people.mint({ expiry: "1 hour" });
    const networks = ["203.0.113.0/24", "2001:db8:7::/48"];
    assert.is((await allow({ allowed_addresses: networks })).status, 200);
    for (const person of [people.owner, member]) {
      for (const address of ["203.0.113.255", "::ffff:203.0.113.9", "2001:db8:7:ffff::1"])
        assert.is(await read(person, address), 200, address);
      for (const address of ["203.0.114.0", "2001:db8:8::1", "::ffff:203.0.114.9", undefined])
        assert.is(await read(person, address), 403, address);
      // A caller can send addresses, which come before the address that the proxy adds.
      assert.is(await read(person, "203.0.113.7, 198.51.100.1"), 403);
    }
    const refused = await call(member, "198.51.100.1", "user", { action: "get" });
    assert.match(refused.text, "SOURCE_REFUSED");
    assert.match(refused.text, "the allowed_addresses of its organization");
    assert.not(refused.text.includes("203.0.113.0/24"));
    const wrong = { ...member, pair: { ...member.pair, token: "wrong" } };
    assert.is(await read(wrong, "198.51.100.1"), 401);
    // Lists of the organization do not apply to tokens of end users.
    const seen = { action: "get", find: { where: { id: viewer.pair.key } } };
    assert.is((await call(viewer, "198.51.100.1", "authorization", seen)).status, 200);
    // Tokens of end users cannot read the organization's lists either.
    const find = { where: { id: "me" }, include: [{ model: "Organization" }] };
    const own = await call(viewer, outside, "user", { action: "get", find });
    assert.not(own.text.includes("203.0.113.0"), own.text);
    const denied = await call(viewer, outside, "organization", { action: "get" });
    assert.is(denied.status, 403);
  });

  test("nobody can sign in or use a session from outside the organization's networks", async () => {
    const given = { email: "Bo@example.org", password };
    for (const path of ["/auth/vi", "/auth/session"]) {
      const refused = await post(path, outside, given, page());
      assert.is(refused.status, 403, path);
      assert.match(refused.text, "SOURCE_REFUSED");
      const wrong = await post(path, outside, { ...given, password: "x" }, page());
      assert.is(wrong.status, 401, path);
      assert.not(wrong.text.includes("SOURCE_REFUSED"));
    }
    assert.equal(await failuresOf(member), [[["password", "address"], outside]]);
    const begun = await post("/auth/session", "203.0.113.9", given, page());
    assert.is(begun.status, 200, begun.text);
    const headers = { Cookie: begun.cookie.split(";")[0] ?? "", ...page() };
    const me = { version: "0.1.0", action: "get", find: { where: { id: "me" } } };
    assert.is((await post("/0.1.0/user", "203.0.113.9", me, headers)).status, 200);
    assert.is((await post("/0.1.0/user", "198.51.100.1", me, headers)).status, 403);
    const pair = { key: member.pair.key, token: member.pair.token };
    const byPair = await post("/auth/session", "198.51.100.1", pair, page());
    assert.is(byPair.status, 403);
  });

  test("MCP calls, the account page, console sessions and one-time links fail outside the organization's networks", async () => {
    const { key, token } = member.pair;
    const message = { jsonrpc: "2.0", id: 1, method: "ping" };
    const bearer = {
      Authorization: `Bearer ${key}:${token}`,
      Accept: "application/json, text/event-stream",
    };
    assert.equal(codeOf(await post("/mcp", outside, message, bearer)), refusal);
    assert.is((await post("/mcp", inside, message, bearer)).status, 200);
    const cookie = await enter({ email: "Bo@example.org", password });
    for (const path of ["overview", "sessions", "history", "app/begin", "sessions/end"]) {
      const url = `/auth/account/${path}`;
      assert.equal(codeOf(await post(url, outside, { key, token })), refusal, path);
      assert.equal(codeOf(await post(url, outside, {}, cookie)), refusal, path);
    }
    const who = await fetch(`${people.host.url}/auth/session`, {
      headers: { ...cookie, "X-Forwarded-For": outside },
    });
    assert.equal(codeOf({ status: who.status, text: await who.text() }), refusal);
    // The program of the host creates links, and has no address. The user of a link is on this machine, whose address
    // is outside the organization's networks.
    const link = (await people.host.createSignInLink(people.owner.pair)).split("sign-in=")[1];
    const opened = await post("/auth/session", undefined, { link }, page());
    assert.equal(codeOf(opened), refusal);
    assert.is(opened.cookie, "");
    assert.equal((await failuresOf(people.owner))[0]?.[0], ["key_pair", "address"]);
  });

  test("passkeys and providers start no session outside the organization's networks, and the history shows the attempt", async () => {
    const cookie = await enter({ email: "Cy@example.org", password });
    const passkey = createSoftPasskey(publicUrl);
    const sendSigned = async (path: string, body: Json = {}, address = inside) => {
      const { text } = await post(path, address, body, cookie);
      return JSON.parse(text) as { ticket: string; options: Json };
    };
    const begun = await sendSigned("/auth/account/passkey/begin");
    await sendSigned("/auth/account/passkey/add", {
      ticket: begun.ticket,
      passkey: passkey.create(begun.options),
      name: "Key",
    });
    const { ticket, options } = await sendSigned("/auth/passkey", {}, outside);
    const given = { ticket, passkey: passkey.use(options) };
    assert.equal(codeOf(await post("/auth/session", outside, given, page())), refusal);
    assert.equal(await failuresOf(cy), [[["passkey", "address"], outside]]);

    const provider = await openLyingProvider("a secret of the client");
    try {
      const config = { issuer: provider.issuer, client_id: "manifold" };
      const properties = { name: "Corp", type: "openid", active: true, config };
      const made = await call(people.owner, inside, "ssoconfig", { action: "create", properties });
      const { id } = JSON.parse(made.text) as { id: string };
      const finish = async (address: string) => {
        const jar = createCookieJar();
        const from = { headers: { "X-Forwarded-For": address } };
        const begin = await jar.open(`${people.host.url}/auth/sso/${id}`, from);
        const back = await jar.open(String(begin.headers.get("Location")));
        const path = String(back.headers.get("Location")).slice(publicUrl.length);
        return jar.open(people.host.url + path, from);
      };
      const refused = await finish(outside);
      assert.equal(codeOf({ status: refused.status, text: await refused.text() }), refusal);
      assert.not.match(refused.headers.get("set-cookie") ?? "", "manifold-session");
      assert.is((await finish(inside)).status, 303);
    } finally {
      await provider.close();
    }
  });

  test("only an export that an embed token created can be downloaded outside the organization's networks", async () => {
    const pushed = await call(people.owner, inside, "data", {
      action: "create",
      properties: {
        type: "create",
        data: [["north", 1]],
        options: { header: ["region", "km"] },
      },
    });
    const [made] = (JSON.parse(pushed.text) as { rows: { id: string; columns: Json[] }[] }).rows;
    const dataset = {
      id: String(made?.id),
      columns: Object.fromEntries(
        (made?.columns ?? []).map((each) => [each["source_name"], String(each["id"])]),
      ),
    };
    const issued = await call(people.owner, inside, "authorization", {
      action: "create",
      properties: {
        type: "embed",
        username: "u-9",
        access: { datasets: [{ id: dataset.id, rights: "use" }] },
      },
    });
    const { id: key, token } = JSON.parse(issued.text) as { id: string; token: string };
    const viewer: Person = { ...member, pair: { key, token } };
    const linkOf = async (by: Person) => {
      const properties = { type: "csv", query: sumOf(dataset), deliver: "link" };
      const sent = await call(by, inside, "export", { action: "create", properties });
      const { id } = JSON.parse(sent.text) as { id: string };
      for (;;) {
        const { text } = await call(by, inside, "export", {
          action: "get",
          find: { where: { id } },
        });
        const [job] = (JSON.parse(text) as { rows: { status: string; url: string }[] }).rows;
        if (job?.status === "done") return { id, path: job.url.slice(publicUrl.length) };
        assert.not.equal(job?.status, "failed", text);
      }
    };
    const open = async (path: string, address: string) =>
      (await fetch(people.host.url + path, { headers: { "X-Forwarded-For": address } })).status;
    const [own, ofViewer] = [await linkOf(people.owner), await linkOf(viewer)];
    assert.equal([await open(own.path, inside), await open(own.path, outside)], [200, 404]);
    assert.is(await open(ofViewer.path, outside), 200);
    // Export files created by schedules do not refer to a token.
    await catalog.knex("exportfile").where({ id: own.id }).update({ authorization_id: null });
    assert.equal([await open(own.path, inside), await open(own.path, outside)], [200, 404]);
  });

  test("a confirmed lockout takes effect and is audited, and recovering the first owner undoes the lockout", async () => {
    const confirmed = { allowed_addresses: ["192.0.2.1"], confirm_lockout: true };
    assert.is((await allow(confirmed)).status, 200);
    assert.is(await read(people.owner, "203.0.113.7"), 403);
    assert.is(await read(people.owner, "192.0.2.1"), 200);
    const events: readonly { members: readonly string[] }[] = await catalog
      .knex("auditevent")
      .where({ resource: "organization", action: "update" });
    assert.ok(events.some(({ members }) => members.includes("allowed_addresses")));
    const settings = {
      databaseUrl: catalog.databaseUrl,
      secret: "a secret for tests only, and long enough",
      logLevel: "silent",
    };
    const lines: string[] = [];
    const run = (args: string[], environment = {}) =>
      runOwnerCommand(args, environment, (line) => lines.push(line), settings);
    await run(["recovery-key"]);
    await run(["recover"], {
      MANIFOLD_RECOVERY_KEY: lines[1]?.trim(),
      MANIFOLD_NEW_PASSWORD: "a lamp in the window",
    });
    const given = { email: "owner@localhost", password: "a lamp in the window" };
    const begun = await post("/auth/session", "198.51.100.1", given, page());
    assert.is(begun.status, 200, begun.text);
  });
});
