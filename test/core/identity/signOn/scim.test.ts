import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { runOwnerCommand } from "../../../../core/cli/runOwnerCommand.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { createCookieJar } from "../../../support/cookieJar.ts";
import { clientSecret } from "../../../support/openProvider.ts";
import { openLyingProvider, type LyingProvider } from "../../../support/lyingProvider.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type People } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Answer {
  readonly status: number;
  readonly body: Json;
}

const token = "canary-token-of-scim-with-32-characters-or-more";
const patch = (...Operations: readonly Json[]) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations,
});

suite("core/host: users managed by a provider", (test) => {
  let catalog: TestCatalog;
  let people: People;
  let provider: LyingProvider;
  let config: string;

  test.before(async () => {
    catalog = await openTestCatalog();
    people = await openPeople({ failuresPerMinute: 0, databaseUrl: catalog.databaseUrl });
    provider = await openLyingProvider(clientSecret);
    config = await configure();
  });
  test.after(async () => {
    await provider.close();
    await people.close();
    await catalog.close();
  });

  const configOf = (more: Json = {}): Json => ({
    issuer: provider.issuer,
    client_id: "manifold",
    client_secret: clientSecret,
    scopes: ["openid"],
    create_users: false,
    scim_token: token,
    ...more,
  });
  const configure = async (more: Json = {}) =>
    (
      await people.owner.create<{ id: string }>("ssoconfig", {
        name: "Corp",
        type: "openid",
        active: true,
        config: configOf(more),
      })
    ).id;
  const scim = async (
    method: string,
    path: string,
    body?: unknown,
    { id = config, bearer = token }: { id?: string; bearer?: string } = {},
  ): Promise<Answer> => {
    const answer = await fetch(`${people.host.url}/scim/v2/${id}/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { "Content-Type": "application/scim+json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === "" ? {} : JSON.parse(text)) as Json };
  };
  const userOf = (name: string, more: Json = {}): Json => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    userName: name,
    name: { givenName: "Given", familyName: name },
    emails: [{ value: `${name}@corp.example`, primary: true, type: "work" }],
    active: true,
    ...more,
  });
  const make = async (name: string, more: Json = {}, id = config): Promise<string> => {
    const made = await scim("POST", "Users", userOf(name, more), { id });
    assert.is(made.status, 201, JSON.stringify(made.body));
    return String(made.body["id"]);
  };

  test("a provider can create, read, find, change and remove a user", async () => {
    const made = await scim("POST", "Users", userOf("ada", { externalId: "x-ada" }));
    assert.is(made.status, 201);
    const id = String(made.body["id"]);
    const read = await scim("GET", `Users/${id}`);
    assert.equal(read.body, made.body);
    assert.equal(
      [read.body["userName"], read.body["externalId"], read.body["active"]],
      ["ada", "x-ada", true],
    );
    const location = (read.body["meta"] as Json)["location"];
    assert.is(location, `${people.host.url}/scim/v2/${config}/Users/${id}`);
    const [user] = (await people.owner.get("user", { where: { id } })).rows;
    assert.equal([user?.["email"], user?.["name"]], ["ada@corp.example", "Given ada"]);
    const foundBy = async (filter: string) => {
      const { body } = await scim("GET", `Users?filter=${encodeURIComponent(filter)}`);
      return ((body["Resources"] as Json[] | undefined) ?? []).map((each) => each["id"]);
    };
    await make("adam");
    assert.equal(await foundBy('userName eq "ADA"'), [id]);
    assert.equal(await foundBy('externalId eq "x-ada"'), [id]);
    assert.equal(await foundBy('userName eq "ada" and active eq true'), [id]);
    assert.equal(await foundBy('emails.value sw "ada@"'), [id]);
    assert.equal(await foundBy('userName eq "nobody"'), []);
    const changed = await scim("PUT", `Users/${id}`, userOf("ada", { displayName: "Ada B." }));
    assert.equal([changed.status, changed.body["displayName"]], [200, "Ada B."]);
    const patched = await scim(
      "PATCH",
      `Users/${id}`,
      patch({ op: "replace", path: "displayName", value: "Countess" }),
    );
    assert.equal([patched.status, patched.body["displayName"]], [200, "Countess"]);
    const [after] = (await people.owner.get("user", { where: { id } })).rows;
    assert.is(after?.["name"], "Countess");
    assert.is((await scim("DELETE", `Users/${id}`)).status, 204);
    assert.is((await scim("GET", `Users/${id}`)).status, 404);
    assert.is((await scim("DELETE", `Users/${id}`)).status, 404);
  });

  test("deactivating a user removes all access at once, and sign-on does not restore it", async () => {
    const { owner, host } = people;
    const byPatch = (id: string) =>
      scim("PATCH", `Users/${id}`, patch({ op: "replace", value: { active: false } }));
    const byPut = (id: string) =>
      scim("PUT", `Users/${id}`, userOf("grace", { externalId: "ada", active: false }));
    const byDelete = (id: string) => scim("DELETE", `Users/${id}`);
    // The next test but one deletes a user in the quick layer.
    for (const end of rounds({ quick: [byPatch], deep: [byPatch, byPut, byDelete] })) {
      const id = await make("grace", { externalId: "ada" });
      const jar = createCookieJar();
      await jar.follow(`${host.url}/auth/sso/${config}`);
      const headers = {
        "X-Manifold-Console": "1",
        Origin: host.url,
        "Sec-Fetch-Site": "same-origin",
      };
      const who = async () => (await jar.open(`${host.url}/auth/session`, { headers })).status;
      assert.is(await who(), 200);
      await owner.update("user", id, { password: "a password that is long enough" });
      await jar.follow(`${host.url}/auth/sso/${config}`);
      const made = await jar.open(`${host.url}/0.1.0/authorization`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ version: "0.1.0", action: "create", properties: { type: "api" } }),
      });
      const pair = (await made.json()) as { id: string; token: string };
      const request = {
        action: "get",
        find: { where: { id: "me" } },
        key: pair.id,
        token: pair.token,
      };
      assert.is((await people.call("user", request)).status, 200);
      assert.ok((await end(id)).status < 300);
      assert.is(await who(), 401);
      assert.is((await people.call("user", request)).status, 401);
      const login = await fetch(`${host.url}/auth/vi`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          email: "grace@corp.example",
          password: "a password that is long enough",
        }),
      });
      assert.is(login.status, 401);
      const { answer } = await jar.follow(`${host.url}/auth/sso/${config}`);
      assert.is(answer.status, 403);
      await scim("DELETE", `Users/${id}`);
    }
  });

  test("a deactivated user stays inactive until the provider reactivates the user, even after a PUT without `active`", async () => {
    const id = await make("ended", { externalId: "x-ended", active: false });
    const { active: _, ...rest } = userOf("ended");
    const put = await scim("PUT", `Users/${id}`, rest);
    assert.equal([put.body["active"], put.body["externalId"]], [false, "x-ended"]);
    const patched = await scim("PATCH", `Users/${id}`, patch({ op: "remove", path: "active" }));
    assert.is(patched.body["active"], false);
    const again = await scim("PUT", `Users/${id}`, userOf("ended"));
    assert.is(again.body["active"], true);
    const { created, lastModified } = again.body["meta"] as Readonly<Record<string, string>>;
    assert.ok(String(lastModified) > String(created));
    const bare = await scim("PATCH", `Users/${id}`, patch({ op: "remove", path: "externalId" }));
    assert.is(bare.body["externalId"], undefined);
  });

  test("deactivating a user stops the user's scheduled work, except work that other people need", async () => {
    const { knex } = catalog;
    const dataset = await people.push();
    const measures = [{ dataset_id: dataset.id, column_id: dataset.columns["km"] }];
    const target = { role: "Groups", id: people.publicGroup };
    const flags = { flagRead: true, flagUse: true };
    await people.owner.associate("securable", dataset.id, target, flags);
    const password = "a password that is long enough";
    const every = { frequency_quantity: 1, frequency_unit: "day" };
    const byPatch = (id: string) =>
      scim("PATCH", `Users/${id}`, patch({ op: "Replace", path: "active", value: "False" }));
    const byDelete = (id: string) => scim("DELETE", `Users/${id}`);
    for (const end of rounds({ quick: [byDelete], deep: [byPatch, byDelete] })) {
      const id = await make("leaver");
      await people.owner.update("user", id, { password });
      const login = await fetch(`${people.host.url}/auth/vi`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email: "leaver@corp.example", password }),
      });
      const { user } = (await login.json()) as { user: { token: { id: string; token: string } } };
      const { id: key, token: secret } = user.token;
      const leaver = createClient({ url: people.host.url, key, token: secret });
      const schedule = async (by: Client) =>
        (await by.create<{ id: string }>("schedule", every)).id;
      const alert = async (by: Client, schedule_id: string) => {
        const made = await by.create<{ id: string }>("alert", {
          name: { en: "A" },
          query: { measures },
          frequency: { unit: "day", quantity: 1 },
        });
        await knex("alert").where({ id: made.id }).update({ schedule_id });
        return made.id;
      };
      const [alone, lent, borrowed] = [
        await schedule(leaver),
        await schedule(leaver),
        await schedule(people.owner),
      ];
      const [own, onLent, onBorrowed] = [
        await alert(leaver, alone),
        await alert(leaver, lent),
        await alert(leaver, borrowed),
      ];
      const ofOwner = await alert(people.owner, lent);
      assert.ok((await end(id)).status < 300);
      const activeOf = async (one: string) =>
        (await knex("schedule").where({ id: one }).first()).active;
      assert.equal(
        [await activeOf(alone), await activeOf(lent), await activeOf(borrowed)],
        [false, true, true],
      );
      const due = await knex("alert as a")
        .join("schedule as s", "s.id", "a.schedule_id")
        .where("s.active", true)
        .whereIn("a.id", [own, onLent, onBorrowed, ofOwner])
        .pluck("a.id");
      assert.equal(due, [ofOwner]);
      const events = await knex("auditevent").where({ authorization_id: config, record_id: alone });
      assert.equal(
        events.map(({ members }) => members),
        [["active"]],
      );
      await scim("DELETE", `Users/${id}`);
    }
  });

  test("concurrent changes to users and groups are serialized, so none overwrites another", async () => {
    const twice = await Promise.all(
      ["same", "same"].map((name) => scim("POST", "Users", userOf(name))),
    );
    assert.equal(twice.map(({ status }) => status).toSorted(), [201, 409]);
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) ids.push(await make(`at-once-${count}`));
    const made = await scim("POST", "Groups", { displayName: "At once" });
    const group = String(made.body["id"]);
    const add = (value: string) =>
      scim("PATCH", `Groups/${group}`, patch({ op: "Add", path: "members", value: [{ value }] }));
    await Promise.all(ids.map(add));
    const { body } = await scim("GET", `Groups/${group}`);
    const members = (body["members"] as Json[]).map(({ value }) => String(value));
    assert.equal(members.toSorted(), ids.toSorted());
    for (const id of ids)
      await Promise.all([
        scim("PATCH", `Users/${id}`, patch({ op: "replace", path: "displayName", value: "N" })),
        scim("PATCH", `Users/${id}`, patch({ op: "replace", path: "active", value: false })),
      ]);
    const users = await Promise.all(ids.map((id) => scim("GET", `Users/${id}`)));
    const states = users.map(({ body: user }) => [user["active"], user["displayName"]]);
    assert.equal(
      states,
      ids.map(() => [false, "N"]),
    );
  });

  test("SCIM requests are accepted in the forms that Entra ID and Okta send", async () => {
    const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
    const made = await scim("POST", "Users", {
      ...userOf("entra", { externalId: "x-entra", active: "True" }),
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", enterprise],
      emails: [{ value: "entra@corp.example", primary: "True", type: "work" }],
      [enterprise]: { department: "Sales", manager: "the-id-of-a-manager" },
      password: "a-password-of-the-provider",
      groups: [],
    });
    assert.is(made.status, 201, JSON.stringify(made.body));
    assert.not.match(JSON.stringify(made.body), "a-password");
    const id = String(made.body["id"]);
    const change = async (...operations: readonly Json[]): Promise<Json> => {
      const answer = await scim("PATCH", `Users/${id}`, patch(...operations));
      assert.is(answer.status, 200, JSON.stringify([operations, answer.body]));
      return answer.body;
    };
    for (const [value, active] of [
      ["False", false],
      ["True", true],
      ["false", false],
      [[{ $ref: null, value: "True" }], true],
    ] as const)
      assert.is((await change({ op: "Replace", path: "active", value }))["active"], active);
    assert.is((await change({ op: "replace", value: { active: "False" } }))["active"], false);
    const changed = await change(
      { op: "Replace", path: "active", value: "True" },
      { op: "Add", path: 'emails[type eq "home"].value', value: "home@corp.example" },
      { op: "Replace", path: 'emails[type eq "work"].value', value: "work@corp.example" },
      { op: "Add", path: 'addresses[type eq "work"].locality', value: "Ghent" },
      { op: "Add", path: 'addresses[type eq "work"].country', value: "BE" },
      { op: "Add", path: 'roles[primary eq "True"].value', value: "author" },
      { op: "Add", path: `${enterprise}:department`, value: "Support" },
      { op: "Add", path: `${enterprise}:manager`, value: "another" },
      {
        op: "replace",
        value: { "name.givenName": "Dot", 'phoneNumbers[type eq "mobile"].value': "1" },
      },
    );
    const emails = changed["emails"] as Json[];
    assert.equal(
      emails.map(({ type, value }) => [type, value]),
      [
        ["work", "work@corp.example"],
        ["home", "home@corp.example"],
      ],
    );
    assert.equal(changed["addresses"], [{ type: "work", locality: "Ghent", country: "BE" }]);
    assert.equal(changed["roles"], [{ value: "author", primary: true }]);
    assert.equal(changed["phoneNumbers"], [{ type: "mobile", value: "1" }]);
    assert.is((changed["name"] as Json)["givenName"], "Dot");
    const { department, manager } = changed[enterprise] as Json;
    assert.equal([department, manager], ["Support", { value: "another" }]);
    const [user] = (await people.owner.get("user", { where: { id } })).rows;
    assert.is(user?.["email"], "work@corp.example");
    const made2 = await scim("POST", "Groups", { displayName: "Forms", members: [{ value: id }] });
    const group = String(made2.body["id"]);
    const found = `id eq "${group}" and members[value eq "${id}"]`;
    const { body: list } = await scim("GET", `Groups?filter=${encodeURIComponent(found)}`);
    assert.is(list["totalResults"], 1);
    const none = await scim(
      "PATCH",
      `Groups/${group}`,
      patch({ op: "Replace", path: `members[value eq "${randomUUID()}"].display`, value: "x" }),
    );
    assert.is(none.status, 400, "a patch of a list entry adds no member to the group");
    const removed = await scim(
      "PATCH",
      `Groups/${group}`,
      patch({ op: "Remove", path: "members", value: [{ value: id }] }),
    );
    assert.equal(removed.body["members"], []);
    const renamed = await scim(
      "PATCH",
      `Groups/${group}`,
      patch({ op: "replace", value: { id: group, displayName: "Renamed" } }),
    );
    assert.equal([renamed.status, renamed.body["displayName"]], [200, "Renamed"]);
  });

  test("after random changes, a provider's groups have the same members as a naive model of the changes", () =>
    withSeed(createRandom(), async () => {
      const random = createRandom();
      const ids: string[] = [];
      for (let count = 0; count < 6; count++) ids.push(await make(`member${count}`));
      const made = await scim("POST", "Groups", {
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
        displayName: "Sales",
        members: [],
      });
      assert.is(made.status, 201, JSON.stringify(made.body));
      const group = String(made.body["id"]);
      const byHand = await people.add("by-hand");
      await people.owner.associate("group", group, { role: "Users", id: byHand.id });
      const wanted = new Set<string>();
      for (let round = 0; round < rounds({ quick: 3, deep: 60 }); round++) {
        const some = ids.filter(() => random.chance(0.4));
        const members = some.map((value) => ({ value }));
        const change = random.pick(["add", "remove", "replace", "put"] as const);
        if (change === "add") for (const id of some) wanted.add(id);
        else if (change === "remove") for (const id of some) wanted.delete(id);
        else {
          wanted.clear();
          for (const id of some) wanted.add(id);
        }
        if (change === "put")
          await scim("PUT", `Groups/${group}`, {
            schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
            displayName: "Sales",
            members,
          });
        else if (change === "remove")
          for (const id of some)
            await scim(
              "PATCH",
              `Groups/${group}`,
              patch({ op: "remove", path: `members[value eq "${id}"]` }),
            );
        else if (members.length > 0 || change === "replace")
          await scim(
            "PATCH",
            `Groups/${group}`,
            patch({ op: change, path: "members", value: members }),
          );
        const read = await scim("GET", `Groups/${group}`);
        const seen = ((read.body["members"] as Json[] | undefined) ?? []).map((each) =>
          String(each["value"]),
        );
        assert.equal(seen.toSorted(), [...wanted].toSorted(), change);
        const users = await people.owner.get("group", {
          where: { id: group },
          include: [{ model: "User" }],
        });
        const linked = (users.rows[0]?.["users"] ?? []) as { id: string }[];
        const all = linked.map(({ id }) => id);
        const expected = new Set([...wanted, byHand.id]);
        assert.equal(
          all.filter((id) => ids.includes(id) || id === byHand.id).toSorted(),
          [...expected].toSorted(),
          "group members added by hand are kept",
        );
      }
      const dataset = await people.push();
      await people.owner.associate(
        "securable",
        dataset.id,
        { role: "Groups", id: group },
        { flagRead: true, flagUse: true },
      );
      const request = { action: "get", find: sumOf(dataset), ...byHand.pair };
      assert.is((await people.call("data", request)).status, 200);
      assert.is((await scim("DELETE", `Groups/${group}`)).status, 204);
      assert.is((await people.call("data", request)).status, 404);
    }));

  test("each change by a provider is audited with the ssoconfig and the provider's address", async () => {
    const id = await make("audited");
    await scim("PATCH", `Users/${id}`, patch({ op: "replace", path: "displayName", value: "A" }));
    const group = await scim("POST", "Groups", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      displayName: "Audited",
      members: [{ value: id }],
    });
    await scim("DELETE", `Groups/${String(group.body["id"])}`);
    await scim("DELETE", `Users/${id}`);
    const events = (
      await people.owner.get("auditevent", {
        where: { authorization_id: config },
        order: [["created_at", "desc"]],
        limit: 10,
      })
    ).rows;
    const kinds = events.map((event) => `${event["action"]} ${event["resource"]}`);
    assert.equal([...new Set(kinds)].toSorted(), [
      "associate group",
      "associate ssoconfig",
      "create group",
      "create user",
      "delete group",
      "dissociate ssoconfig",
      "update user",
    ]);
    for (const event of events) assert.is(event["address"], "127.0.0.1", JSON.stringify(event));
  });

  test("a provider can access only the users and groups that it created", async () => {
    const second = await configure({ scim_token: `${token}-second` });
    const other = { id: second, bearer: `${token}-second` };
    const id = await make("own");
    const group = await scim("POST", "Groups", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      displayName: "Own",
    });
    const groupId = String(group.body["id"]);
    for (const [method, path, body] of [
      ["GET", `Users/${id}`],
      ["PUT", `Users/${id}`, userOf("own")],
      ["PATCH", `Users/${id}`, patch({ op: "replace", value: { active: false } })],
      ["DELETE", `Users/${id}`],
      ["GET", `Groups/${groupId}`],
      ["PUT", `Groups/${groupId}`, { displayName: "Theirs" }],
      ["DELETE", `Groups/${groupId}`],
      ["GET", `Users/${people.owner.id}`],
      ["DELETE", `Users/${people.owner.id}`],
      ["PATCH", `Users/${people.owner.id}`, patch({ op: "replace", value: { active: false } })],
      ["DELETE", `Groups/${people.publicGroup}`],
      ["GET", `Users/${randomUUID()}`],
      ["GET", "Users/x"],
    ] as const)
      assert.is((await scim(method, path, body, other)).status, 404, `${method} ${path}`);
    const list = await scim("GET", "Users", undefined, other);
    assert.is(list.body["totalResults"], 0);
    const mixed = await scim(
      "POST",
      "Groups",
      { displayName: "M", members: [{ value: id }] },
      other,
    );
    assert.is(mixed.status, 400);
    const groups = await scim("GET", "Groups", undefined, other);
    assert.is(groups.body["totalResults"], 0, "a group is not created if the request is refused");
  });

  test("only the token of an active ssoconfig gives access to SCIM", async () => {
    const none = await configure({ scim_token: undefined });
    const ended = await configure();
    await people.owner.update("ssoconfig", ended, { active: false });
    const foreign = await people.owner.create<{ id: string }>("ssoconfig", {
      name: "Other",
      type: "saml",
      active: true,
      config: { scim_token: token },
    });
    for (const [id, bearer] of [
      [config, `${token}x`],
      [config, "undefined"],
      [none, token],
      [none, "undefined"],
      [ended, token],
      [foreign.id, token],
      [randomUUID(), token],
      ["x", token],
    ] as const) {
      const answer = await scim("GET", "Users", undefined, { id, bearer });
      assert.is(answer.status, 401, `${id} ${bearer}`);
      assert.equal(answer.body["schemas"], ["urn:ietf:params:scim:api:messages:2.0:Error"]);
    }
    const bare = await fetch(`${people.host.url}/scim/v2/${config}/Users`);
    assert.equal([bare.status, bare.headers.get("WWW-Authenticate")], [401, "Bearer"]);
    const short = people.owner.update("ssoconfig", config, {
      config: configOf({ scim_token: "short" }),
    });
    assert.match((await refused(short)).message, "scim_token");
    const [row] = (await people.owner.get("ssoconfig", { where: { id: config } })).rows;
    const stored = row?.["config"] as Json | undefined;
    assert.is(stored?.["scim_token"], null);
  });

  test("requests with invalid users, groups or paths are refused and change nothing", async () => {
    await make("taken", { externalId: "x-taken" });
    const cases: readonly [string, string, unknown, number][] = [
      ["POST", "Users", userOf("TAKEN"), 409],
      ["POST", "Users", userOf("free", { externalId: "x-taken" }), 409],
      ["POST", "Users", { ...userOf("a"), userName: undefined }, 400],
      ["POST", "Users", { ...userOf("a"), emails: undefined }, 400],
      ["POST", "Users", { ...userOf("a"), emails: [{ value: "no address" }] }, 400],
      ["POST", "Users", { ...userOf("a"), active: "maybe" }, 400],
      ["POST", "Users", [], 400],
      ["POST", "Groups", {}, 400],
      ["POST", "Groups", { displayName: "G", members: [{ value: "x" }] }, 400],
      ["PATCH", `Users/${randomUUID()}`, patch({ op: "replace", value: { active: false } }), 404],
      ["GET", "Users?filter=userName%20is%20x", undefined, 400],
      ["GET", "Passwords", undefined, 404],
      ["DELETE", "Users", undefined, 404],
    ];
    const before = await scim("GET", "Users");
    for (const [method, path, body, status] of cases) {
      const answer = await scim(method, path, body);
      assert.is(answer.status, status, `${method} ${path} ${JSON.stringify(answer.body)}`);
      assert.equal(answer.body["schemas"], ["urn:ietf:params:scim:api:messages:2.0:Error"]);
    }
    assert.equal((await scim("GET", "Users")).body, before.body);
    const xml = await fetch(`${people.host.url}/scim/v2/${config}/Users`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/xml" },
      body: "<user/>",
    });
    assert.is(xml.status, 415);
  });

  test("the SCIM service describes itself, and its lists support pages and a selection of attributes", async () => {
    for (const path of ["ServiceProviderConfig", "ResourceTypes", "Schemas"])
      assert.is((await scim("GET", path)).status, 200, path);
    const page = await scim("GET", "Users?startIndex=2&count=1&attributes=userName");
    const [only, ...others] = page.body["Resources"] as Json[];
    assert.equal([others.length, page.body["startIndex"]], [0, 2]);
    assert.ok(only?.["userName"]);
    assert.is(only?.["emails"], undefined);
  });

  test("after a provider deactivates the last owner, only the recovery key can restore access", async () => {
    const linking = await configure({ link_by_email: true, scim_token: `${token}-linking` });
    const other = { id: linking, bearer: `${token}-linking` };
    const email = "boss@corp.example";
    const password = "a lamp in the window";
    await people.owner.update("user", people.owner.id, { email });
    const linked = await scim("POST", "Users", userOf("boss"), other);
    assert.is(linked.body["id"], people.owner.id);
    const end = patch({ op: "Replace", path: "active", value: "False" });
    assert.is((await scim("PATCH", `Users/${people.owner.id}`, end, other)).status, 200);
    const request = { action: "get", find: { where: { id: "me" } }, ...people.owner.pair };
    assert.is((await people.call("user", request)).status, 401);
    const lines: string[] = [];
    const { databaseUrl } = catalog;
    const secret = "a secret for tests only, and long enough";
    const run = (args: string[], environment = {}) =>
      runOwnerCommand(args, environment, (line) => lines.push(line), {
        databaseUrl,
        secret,
        logLevel: "silent",
      });
    await run(["recovery-key"]);
    await run(["recover"], {
      MANIFOLD_RECOVERY_KEY: lines[1]?.trim(),
      MANIFOLD_NEW_PASSWORD: password,
    });
    const login = await fetch(`${people.host.url}/auth/vi`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    const { user } = (await login.json()) as { user?: { token: { id: string; token: string } } };
    const { id: key, token: secretOfPair } = user?.token ?? { id: "", token: "" };
    const owner = createClient({ url: people.host.url, key, token: secretOfPair });
    await owner.update("ssoconfig", linking, { active: false });
    assert.is((await scim("GET", "Users", undefined, other)).status, 401);
  });
});
