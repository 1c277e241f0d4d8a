import * as assert from "uvu/assert";
import { createCookieJar, type CookieJar } from "../../../support/cookieJar.ts";
import { openLyingProvider, type Lie, type LyingProvider } from "../../../support/lyingProvider.ts";
import {
  clientId,
  clientSecret,
  openProvider,
  type TestProvider,
} from "../../../support/openProvider.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { refused } from "../../../support/refused.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type People } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/host: sign-on through a provider", (test) => {
  let people: People;
  let provider: TestProvider;
  let liar: LyingProvider;
  const configs: string[] = [];
  /** Milliseconds by which the clock of the host's tokens is ahead. */
  let aheadMs = 0;
  const backOf = (id: string) => `${people.host.url}/auth/sso/${id}/callback`;

  test.before(async () => {
    people = await openPeople({
      failuresPerMinute: 0,
      tokenNow: () => Date.now() + aheadMs,
    });
    provider = await openProvider(() => configs.map(backOf));
    liar = await openLyingProvider(clientSecret);
    provider.persons.set("ada", { email: "ada@corp.example", email_verified: true, name: "Ada" });
    // The provider reads the list of its clients once, at its first call.
    for (let spare = 0; spare < 17; spare++) spares.push(await configure({ active: false }));
    configs.push(...spares);
  });
  test.after(async () => {
    await provider.close();
    await liar.close();
    await people.close();
  });

  const configOf = (more: Json = {}): Json => ({
    issuer: provider.issuer,
    client_id: clientId,
    client_secret: clientSecret,
    scopes: ["openid", "email", "profile", "work"],
    ...more,
  });
  const configure = async ({
    active = true,
    config = configOf(),
  }: { active?: boolean; config?: Json } = {}) =>
    (
      await people.owner.create<{ id: string }>("ssoconfig", {
        name: "Corp",
        type: "openid",
        active,
        config,
      })
    ).id;
  const spares: string[] = [];
  /** Creates an active ssoconfig with the given config. */
  const use = async (more: Json = {}): Promise<string> => {
    const id = spares.pop()!;
    await people.owner.update("ssoconfig", id, { active: true, config: configOf(more) });
    return id;
  };
  /** Signs on in the way that a person's browser does. Returns the final URL. */
  const signOn = async (id: string, name: string, jar: CookieJar, returnTo = "/data") => {
    const begin = `${people.host.url}/auth/sso/${id}?return_to=${encodeURIComponent(returnTo)}`;
    const { answer, url } = await jar.follow(begin);
    if (!url.startsWith(`${provider.issuer}/interaction/`)) return { answer, url };
    await answer.arrayBuffer();
    return jar.follow(`${url}?login=${name}`);
  };
  const own = () => ({
    "X-Manifold-Console": "1",
    Origin: people.host.url,
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json",
  });
  const call = async (jar: CookieJar, resource: string, body: Json) => {
    const answer = await jar.open(`${people.host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: own(),
      body: JSON.stringify({ version: "0.1.0", ...body }),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const whoIs = async (jar: CookieJar): Promise<Json | undefined> => {
    const answer = await jar.open(`${people.host.url}/auth/session`, { headers: own() });
    const { user } = (await answer.json()) as { user?: Json };
    return user;
  };
  const codeIn = async (answer: Response): Promise<string> =>
    String(((await answer.json()) as { type?: { code?: string } }).type?.code);

  test("a person who signs on for the first time becomes a member and returns to the previous page", async () => {
    const id = await use();
    const jar = createCookieJar();
    const { answer, url } = await signOn(id, "ada", jar, "/explore?question=%7B%7D");
    assert.is(answer.status, 200);
    assert.is(url, `${people.host.url}/explore?question=%7B%7D`);
    const who = await whoIs(jar);
    assert.equal(
      [who?.["email"], who?.["name"], who?.["role"]],
      ["ada@corp.example", "Ada", "member"],
    );
    const again = createCookieJar();
    await signOn(id, "ada", again);
    assert.is((await whoIs(again))?.["id"], who?.["id"]);
    const found = await people.owner.get("user", { where: { email: "ada@corp.example" } });
    assert.is(found.rows.length, 1);
    const [name] = [...jar.cookies(people.host.url).keys()];
    assert.match(
      String(name),
      /^manifold-session-\d+$/,
      "the cookie of the sign-on attempt is removed",
    );
  });

  test("signing on again in a browser revokes only that browser's previous session", async () => {
    const id = await use();
    const [jar, elsewhere, copy] = [createCookieJar(), createCookieJar(), createCookieJar()];
    await signOn(id, "ada", elsewhere);
    await signOn(id, "ada", jar);
    for (const [name, value] of jar.cookies(people.host.url))
      copy.cookies(people.host.url).set(name, value);
    assert.ok(await whoIs(copy));
    await signOn(id, "ada", jar);
    assert.is(await whoIs(copy), undefined);
    assert.ok(await whoIs(jar));
    assert.ok(await whoIs(elsewhere));
  });

  test("each sign-on updates roles, groups, suborganization and parameters to match the claims", async () => {
    const group = async (name: string) =>
      (await people.owner.create<{ id: string }>("group", { name: { en: name } })).id;
    const [sales, support, other] = [
      await group("sales"),
      await group("support"),
      await group("other"),
    ];
    const id = await use({
      claims: {
        role: { claim: "roles", values: { admin: "owner", author: "editor" } },
        groups: { claim: "groups", values: { s: sales, p: support } },
        parameters: { regions: { claim: "regions", list: true } },
      },
    });
    const jar = createCookieJar();
    const stateOf = async (claims: Json) => {
      provider.persons.set("eve", { email: "eve@corp.example", ...claims });
      await signOn(id, "eve", createCookieJar()).then(async () => signOn(id, "eve", jar));
      const who = await whoIs(jar);
      const user = await people.owner.get("user", {
        where: { id: who?.["id"] },
        include: [{ model: "Group" }],
      });
      const groups = (user.rows[0]?.["groups"] as { id: string; public: boolean }[]) ?? [];
      const parameters = user.rows[0]?.["parameter_overrides"];
      const ids = groups.filter((each) => !each.public).map((each) => each.id);
      return [who?.["role"], ids.toSorted(), parameters];
    };
    assert.equal(await stateOf({ roles: ["author"], groups: ["s"], regions: "north" }), [
      "editor",
      [sales],
      { regions: ["north"] },
    ]);
    const [user] = (await people.owner.get("user", { where: { email: "eve@corp.example" } })).rows;
    await people.owner.associate("group", other, { role: "Users", id: String(user?.["id"]) });
    assert.equal(await stateOf({ roles: ["admin", "author"], groups: ["s", "p"] }), [
      "owner",
      [sales, support, other].toSorted(),
      { regions: [] },
    ]);
    assert.equal(await stateOf({}), ["member", [other], { regions: [] }]);
    const { rows: events } = await people.owner.get("auditevent", {
      where: { user_id: String(user?.["id"]) },
    });
    const made = new Set(events.map((event) => `${event["action"]} ${event["resource"]}`));
    for (const kind of [
      "create user",
      "associate ssoconfig",
      "update user",
      "associate organization",
      "associate group",
      "dissociate group",
    ])
      assert.ok(made.has(kind), kind);
    for (const event of events) assert.is(event["address"], "127.0.0.1", JSON.stringify(event));
  });

  test("a person who signs on sees the same rows as an embed token with the same parameters", () =>
    withSeed(createRandom(), async () => {
      const random = createRandom();
      const dataset = await people.push();
      const filters = [
        {
          securable_id: dataset.id,
          column_id: dataset.columns["region"],
          expression: "? in ?",
          value: { parameter: "metadata.regions", type: "array[hierarchy]" },
        },
      ];
      const id = await use({
        claims: { parameters: { regions: { claim: "regions", list: true } } },
      });
      const target = { role: "Groups", id: people.publicGroup };
      await people.owner.associate<object>("securable", dataset.id, target, {
        flagRead: true,
        flagUse: true,
        filters,
      });
      const request = { action: "get", find: sumOf(dataset) };
      for (let round = 0; round < rounds({ quick: 2, deep: 25 }); round++) {
        const regions = ["north", "south", "west"].filter(() => random.chance(0.5));
        const claim = regions.length === 1 && random.chance(0.5) ? regions[0] : regions;
        const isMissing = regions.length === 0 && random.chance(0.5);
        provider.persons.set("rows", {
          email: "rows@corp.example",
          ...(!isMissing && { regions: claim }),
        });
        const jar = createCookieJar();
        await signOn(id, "rows", jar);
        const seen = await call(jar, "data", request);
        const token = await people.mint({
          access: { datasets: [{ id: dataset.id, rights: "use" }] },
          filters,
          parameter_overrides: { regions },
        });
        const expected = await people.call("data", { ...request, ...token.pair });
        assert.equal(
          [seen.status, seen.body["data"]],
          [200, expected.body["data"]],
          JSON.stringify(regions),
        );
      }
    }));

  test("a verified e-mail address links a sign-on to an existing user if the config allows linking", async () => {
    const ben = await people.add("ben");
    const person = { email: "ben@example.org", email_verified: true };
    const linked = async (config: Json, claims: Json, name: string) => {
      provider.persons.set(name, claims);
      const jar = createCookieJar();
      const { answer } = await signOn(await use({ create_users: false, ...config }), name, jar);
      return answer.status === 200 && (await whoIs(jar))?.["id"] === ben.id;
    };
    assert.is(await linked({}, person, "b1"), false);
    assert.is(
      await linked({ link_by_email: true }, { ...person, email_verified: false }, "b2"),
      false,
    );
    assert.is(
      await linked({ link_by_email: true }, { ...person, email_verified: "true" }, "b3"),
      false,
    );
    const id = await use({ create_users: false, link_by_email: true });
    provider.persons.set("b4", person);
    const jar = createCookieJar();
    await signOn(id, "b4", jar);
    assert.is((await whoIs(jar))?.["id"], ben.id);
    provider.persons.set("b5", person);
    const second = await signOn(id, "b5", createCookieJar());
    assert.is(second.answer.status, 403, "another person with the same address");
  });

  test("an e-mail address counts as verified only if the token or user info with the address says that it is verified", async () => {
    const cleo = await people.add("cleo");
    const id = await configure({
      config: configOf({
        issuer: liar.issuer,
        scopes: ["openid"],
        create_users: false,
        link_by_email: true,
        claims: { parameters: { a: "in_info_alone" } },
      }),
    });
    const email = "cleo@example.org";
    const isLinked = async (claims: Json, info: Json) => {
      const sub = "cleo-of-the-liar";
      liar.lie = { claims: { sub, ...claims }, info: { sub, ...info } };
      const jar = createCookieJar();
      await jar.follow(`${people.host.url}/auth/sso/${id}`);
      return (await whoIs(jar))?.["id"] === cleo.id;
    };
    const other = "other@example.org";
    assert.is(await isLinked({ email }, { email: other, email_verified: true }), false);
    assert.is(await isLinked({ email: undefined, email_verified: true }, { email }), false);
    assert.is(await isLinked({ email: undefined }, { email, email_verified: true }), true);
    liar.lie = {};
    await people.owner.delete("ssoconfig", id);
  });

  test("the last owner of an organization stays an owner, whatever the claims say, and can sign on", async () => {
    const others = await people.owner.get("user", { include: [{ model: "Organization" }] });
    for (const row of others.rows) {
      const [role] = row["organizations"] as { organizationRole?: { flagOwn?: boolean } }[];
      assert.ok(row["id"] === people.owner.id || role?.organizationRole?.flagOwn !== true);
    }
    const [me] = (await people.owner.get("user", { where: { id: "me" } })).rows;
    const role = { claim: "roles", values: { admin: "owner" } };
    await people.owner.update("user", people.owner.id, { email: "owner@corp.example" });
    provider.persons.set("owner", { email: "owner@corp.example", email_verified: true });
    const jar = createCookieJar();
    await signOn(await use({ link_by_email: true, claims: { role } }), "owner", jar);
    const who = await whoIs(jar);
    assert.equal([who?.["id"], who?.["role"]], [me?.["id"], "owner"]);
  });

  test("a provider's response works once, in the browser that began the sign-on, and only for its own ssoconfig", async () => {
    const [id, second] = [await use(), await use()];
    const jar = createCookieJar();
    const begun = await jar.follow(`${people.host.url}/auth/sso/${id}`);
    const done = await jar.open(`${begun.url}?login=ada`);
    const resumed = await jar.open(String(done.headers.get("Location")));
    const back = String(resumed.headers.get("Location"));
    assert.ok(back.startsWith(backOf(id)), back);
    const attempt = new Map(jar.cookies(people.host.url));
    const elsewhere = await createCookieJar().open(back);
    assert.equal([elsewhere.status, await codeIn(elsewhere)], [401, "SIGN_ON_FAILED"]);
    const other = await jar.open(back.replace(id, second));
    assert.equal([other.status, await codeIn(other)], [401, "SIGN_ON_FAILED"]);
    const thief = createCookieJar();
    for (const [name, value] of attempt) {
      jar.cookies(people.host.url).set(name, value);
      thief.cookies(people.host.url).set(name, value);
    }
    assert.is((await jar.open(back)).status, 303);
    assert.is((await whoIs(jar))?.["email"], "ada@corp.example");
    const replayed = await thief.open(back);
    assert.equal([replayed.status, await codeIn(replayed)], [401, "SIGN_ON_FAILED"]);
    assert.is(await whoIs(thief), undefined);
  });

  test("a provider that redirects the browser to another provider gets no code from that provider (mix-up attack)", async () => {
    const honest = await use();
    const lying = await configure({ config: configOf({ issuer: liar.issuer }) });
    liar.lie = {};
    liar.requested.length = 0;
    const jar = createCookieJar();
    const begun = await jar.open(`${people.host.url}/auth/sso/${lying}`);
    const { searchParams } = new URL(String(begun.headers.get("Location")));
    const beginWith = (redirectUri: string) => {
      const address = new URL("/auth", provider.issuer);
      for (const [name, value] of searchParams) address.searchParams.set(name, value);
      address.searchParams.set("redirect_uri", redirectUri);
      return jar.follow(address.href);
    };
    // Each ssoconfig has its own redirect URL, so the honest provider knows only the URL of its own ssoconfig.
    const foreign = await beginWith(backOf(lying));
    assert.is(foreign.answer.status, 400);
    assert.ok(foreign.url.startsWith(provider.issuer));
    const known = await beginWith(backOf(honest));
    const done = await jar.follow(`${known.url}?login=ada`);
    assert.ok(done.url.startsWith(backOf(honest)), done.url);
    assert.match(done.url, "code=");
    assert.equal([done.answer.status, await codeIn(done.answer)], [401, "SIGN_ON_FAILED"]);
    // The host sends a code to neither provider if the code's issuer is a different provider.
    for (const iss of [provider.issuer, undefined]) {
      liar.lie = { returned: { iss, code: "a-code-of-another" } };
      const { answer } = await createCookieJar().follow(`${people.host.url}/auth/sso/${lying}`);
      assert.equal([answer.status, await codeIn(answer)], [401, "SIGN_ON_FAILED"], String(iss));
    }
    assert.not(liar.requested.includes("/token"));
    assert.is(await whoIs(jar), undefined);
    liar.lie = {};
    await people.owner.delete("ssoconfig", lying);
  });

  test("a person who was removed at the provider cannot sign on again, and the current session still expires on time", async () => {
    const id = await use({ session_hours: 2 });
    provider.persons.set("leaver", { email: "leaver@corp.example" });
    const jar = createCookieJar();
    await signOn(id, "leaver", jar);
    assert.is((await whoIs(jar))?.["email"], "leaver@corp.example");
    provider.persons.delete("leaver");
    // The provider refuses the browser that was signed in, and other browsers cannot sign in either.
    const stopped = await jar.follow(`${people.host.url}/auth/sso/${id}`);
    assert.ok(stopped.url.startsWith(provider.issuer) && stopped.answer.status >= 400, stopped.url);
    const refusedThere = await signOn(id, "leaver", createCookieJar());
    assert.is(await codeIn(refusedThere.answer), "SIGN_ON_FAILED");
    const hourMs = 3_600_000;
    aheadMs = 1.9 * hourMs;
    assert.is((await whoIs(jar))?.["email"], "leaver@corp.example");
    aheadMs = 2.1 * hourMs;
    assert.is(await whoIs(jar), undefined);
    aheadMs = 0;
  });

  test("inactive, unknown and refused people cannot sign on, and the errors quote nothing from the provider", async () => {
    const id = spares.pop()!;
    const inactive = await createCookieJar().open(`${people.host.url}/auth/sso/${id}`);
    assert.equal([inactive.status, await codeIn(inactive)], [404, "SIGN_ON_UNKNOWN"]);
    for (const unknown of ["x", "%2e%2e", "00000000-0000-4000-8000-000000000000"]) {
      const answer = await createCookieJar().open(`${people.host.url}/auth/sso/${unknown}`);
      assert.is(answer.status, 404, unknown);
    }
    await people.owner.update("ssoconfig", id, { active: true });
    const nobody = await signOn(id, "nobody", createCookieJar());
    assert.is(nobody.answer.status, 401);
    assert.not.match(await nobody.answer.text(), /nobody has this name/);
    const page = await createCookieJar().open(`${people.host.url}/auth/sso/x`, {
      headers: { Accept: "text/html" },
    });
    assert.equal(
      [page.status, String(page.headers.get("Location")).split("&")[0]],
      [303, "/#sign-on=SIGN_ON_UNKNOWN"],
    );
  });

  test("changing or deleting an ssoconfig revokes the sessions that it started", async () => {
    const { owner } = people;
    for (const end of [
      (id: string) => owner.update("ssoconfig", id, { active: false }),
      (id: string) => owner.update("ssoconfig", id, { config: configOf({ session_hours: 1 }) }),
      (id: string) => owner.delete("ssoconfig", id),
    ]) {
      const id = await use();
      const jar = createCookieJar();
      await signOn(id, "ada", jar);
      assert.ok(await whoIs(jar));
      await end(id);
      assert.is(await whoIs(jar), undefined);
    }
  });

  test("the client secret of a provider never appears in a response, and sending null keeps the secret", async () => {
    const id = await configure();
    const [row] = (await people.owner.get("ssoconfig", { where: { id } })).rows;
    assert.equal(row?.["config"], { ...configOf(), client_secret: null });
    await people.owner.update("ssoconfig", id, { config: row?.["config"] });
    const wrong = people.owner.update("ssoconfig", id, {
      config: { client_secret: null, issuer: "https://x.example" },
    });
    assert.match((await refused(wrong)).message, "client_id");
    await people.owner.delete("ssoconfig", id);
  });

  test("a manipulated provider response signs nobody on, and a genuine response still works later", async () => {
    const id = await configure({
      config: configOf({
        issuer: liar.issuer,
        scopes: ["openid"],
        claims: { parameters: { regions: "regions" } },
      }),
    });
    const enter = async (lie: Lie): Promise<string> => {
      liar.lie = lie;
      const jar = createCookieJar();
      const { answer } = await jar.follow(`${people.host.url}/auth/sso/${id}`);
      const code = answer.status === 200 ? "in" : await codeIn(answer);
      assert.is((await whoIs(jar)) !== undefined, code === "in", JSON.stringify(lie));
      return code;
    };
    const at = Math.floor(Date.now() / 1000);
    assert.is(await enter({}), "in");
    const lies: readonly Lie[] = [
      { claims: { aud: "another" } },
      { claims: { aud: ["another", "manifold"], azp: "another" } },
      { claims: { iss: "https://evil.example" } },
      { claims: { nonce: "another" } },
      { claims: { nonce: undefined } },
      { claims: { exp: at - 3_600 } },
      { claims: { iat: undefined } },
      { claims: { sub: undefined } },
      { alg: "none" },
      { alg: "HS256" },
      { isForeignKey: true },
      { returned: { iss: "https://evil.example" } },
      { returned: { iss: undefined } },
      { returned: { state: "another" } },
      { returned: { code: "another" } },
      { returned: { code: undefined, error: "access_denied", error_description: "<b>x</b>" } },
      { claims: { email: undefined }, info: { sub: "somebody-else" } },
      { garbage: "/token" },
    ];
    for (const lie of lies) assert.is(await enter(lie), "SIGN_ON_FAILED", JSON.stringify(lie));
    const odd: readonly [Json, string][] = [
      [{ name: "nul\u0000" }, "the provider's claim name"],
      [{ name: "half\ud800" }, "the provider's claim name"],
      [{ regions: "nul\u0000" }, "the provider's claim regions"],
      [{ regions: Array.from({ length: 100_001 }, () => "x") }, "at most 100000 values"],
      [{ sub: "new", email: "no address" }, "your e-mail address"],
    ];
    for (const [claims, message] of odd) {
      liar.lie = { claims, info: { sub: claims["sub"] ?? "ada", email: undefined } };
      const { answer } = await createCookieJar().follow(`${people.host.url}/auth/sso/${id}`);
      const text = await answer.text();
      assert.is(answer.status, 403, text.slice(0, 300));
      assert.match(text, message);
    }
    assert.is(await enter({}), "in");
    for (const lie of [{ status: { "/token": 500 } }, { silent: "/token" }, { silent: "/jwks" }])
      assert.is(await enter(lie), "SIGN_ON_PROVIDER_FAILED", JSON.stringify(lie));
    liar.rotate();
    assert.is(await enter({}), "in", "after its keys were rotated");
    await people.owner.delete("ssoconfig", id);
  });

  test("a provider at a private address is never called, and an unreachable provider fails with 502", async () => {
    liar.lie = { issuer: provider.issuer };
    liar.requested.length = 0;
    const { origin } = new URL(liar.issuer.replace("127.0.0.1", "localhost"));
    for (const issuer of [origin, "https://10.0.0.1"]) {
      const { message } = await refused(configure({ config: configOf({ issuer }) }));
      assert.match(message, /properties\.config\.issuer .*not a public address/);
    }
    for (const issuer of ["https://login.invalid"]) {
      const id = await configure({ config: configOf({ issuer }) });
      const answer = await createCookieJar().open(`${people.host.url}/auth/sso/${id}`);
      assert.equal([answer.status, await codeIn(answer)], [502, "SIGN_ON_PROVIDER_FAILED"], issuer);
      await people.owner.delete("ssoconfig", id);
    }
    assert.equal(
      liar.requested,
      [],
      "a loopback provider must be allowed by the host name that its issuer uses",
    );
  });
});
