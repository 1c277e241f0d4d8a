import * as assert from "uvu/assert";
import { runOwnerCommand } from "../../core/runOwnerCommand.ts";
import { openTestCatalog, type TestCatalog } from "../support/catalog.ts";
import { suite } from "../support/suite.ts";
import { openPeople, type People, type Person } from "./openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
const password = "a kettle on a hill";

suite("core/host: addresses of an organization", (test) => {
  let catalog: TestCatalog;
  let people: People;
  let member: Person;
  let organizationId = "";
  test.before(async () => {
    catalog = await openTestCatalog();
    people = await openPeople({
      databaseUrl: catalog.databaseUrl,
      proxyCount: 1,
      failuresPerMinute: 0,
    });
    member = await people.add("Bo", { password });
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

  test("who would lock itself out is asked to confirm, and what is no list of networks is refused", async () => {
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

  test("people and api tokens call from the networks of their organization alone, IPv4 and IPv6, behind a trusted proxy", async () => {
    const viewer = await people.mint({ expiry: "1 hour" });
    const networks = ["203.0.113.0/24", "2001:db8:7::/48"];
    assert.is((await allow({ allowed_addresses: networks })).status, 200);
    for (const person of [people.owner, member]) {
      for (const inside of ["203.0.113.255", "::ffff:203.0.113.9", "2001:db8:7:ffff::1"])
        assert.is(await read(person, inside), 200, inside);
      for (const outside of ["203.0.114.0", "2001:db8:8::1", "::ffff:203.0.114.9", undefined])
        assert.is(await read(person, outside), 403, outside);
      // A caller adds addresses of its own before the one that the proxy writes.
      assert.is(await read(person, "203.0.113.7, 198.51.100.1"), 403);
    }
    const refused = await call(member, "198.51.100.1", "user", { action: "get" });
    assert.match(refused.text, "SOURCE_REFUSED");
    assert.match(refused.text, "its organization's allowed_addresses");
    assert.not(refused.text.includes("203.0.113.0/24"));
    const wrong = { ...member, pair: { ...member.pair, token: "wrong" } };
    assert.is(await read(wrong, "198.51.100.1"), 401);
    // Tokens of end users have lists of their own.
    const seen = { action: "get", find: { where: { id: viewer.pair.key } } };
    assert.is((await call(viewer, "198.51.100.1", "authorization", seen)).status, 200);
  });

  test("nobody signs in from elsewhere, and a session that leaves the networks is refused", async () => {
    const given = { email: "Bo@example.org", password };
    for (const path of ["/auth/vi", "/auth/session"]) {
      const outside = await post(path, "198.51.100.1", given, page());
      assert.is(outside.status, 403, path);
      assert.match(outside.text, "SOURCE_REFUSED");
      const wrong = await post(path, "198.51.100.1", { ...given, password: "x" }, page());
      assert.is(wrong.status, 401, path);
      assert.not(wrong.text.includes("SOURCE_REFUSED"));
    }
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

  test("a confirmed lockout holds, is audited, and ends with the recovery of the owner", async () => {
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
