import * as assert from "uvu/assert";
import {
  openAccess,
  permits,
  type Access,
  createToken,
  hashToken,
} from "../../../../core/identity/access/index.ts";
import type { Action, Handler, Handlers } from "../../../../core/base/contracts/index.ts";
import { silentLog } from "../../../support/catalog.ts";
import { openFakeApp, send, type FakeApp } from "../../../support/fakeApp.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Pair, type Tokens } from "./openTokens.ts";

type Credentials = { readonly key?: unknown; readonly token?: unknown };

suite("core/identity/access: every endpoint", (test) => {
  let tokens: Tokens;
  let access: Access;
  let app: FakeApp;
  let handlers: Handlers;
  const reached: string[] = [];
  const good = new Map<string, Pair>();
  const bad = new Map<string, Credentials>();

  /** Records the call that reached the handler, and returns an empty response. */
  const noting =
    (name: string): Handler =>
    async ({ principal }) => {
      reached.push(`${principal.authorizationType} ${name}`);
      return { code: 200 };
    };

  const store = async (values: Readonly<Record<string, unknown>>): Promise<Pair> => {
    const { records, ada } = tokens;
    const token = createToken();
    const { id } = await records.insert("authorization", {
      type: "api",
      user_id: ada.userId,
      token_hash: hashToken(token),
      ...values,
    });
    return { id, token };
  };
  const pairOf = ({ id, token }: Pair): Credentials => ({ key: id, token });

  test.before(async () => {
    tokens = await openTokens();
    const { ada, eve, addUser, mint, catalog, kernel, call, records } = tokens;
    access = openAccess({ catalog, cipher: catalog.cipher, log: silentLog });
    const services = { data: ["create", "get"], dataprovider: ["create", "get"] };
    const offered = [
      ...Object.entries(kernel.handlers).map(([name, each]) => [name, Object.keys(each)] as const),
      ...Object.entries(services),
    ];
    handlers = new Map(
      offered.map(([name, actions]) => [
        name,
        Object.fromEntries(actions.map((action) => [action, noting(`${name} ${action}`)])),
      ]),
    );
    app = await openFakeApp({ handlers, authenticate: (body) => access.authenticate(body) });

    const owner = { flagEditor: true, flagOwn: true };
    const [demoted, deleted, moved] = await Promise.all(
      ["demoted", "deleted", "moved"].map((name) => addUser(ada, name, {}, owner)),
    );
    good.set("api", await store({}));
    good.set("login", await store({ type: "login", expiry: new Date(Date.now() + 60_000) }));
    good.set("embed", await mint());
    good.set("temporary", await mint({ type: "temporary" }));
    const integration_id = await tokens.make(ada, "integration");
    good.set("sso", await mint({ type: "sso", integration_id }));

    const api = good.get("api") as Pair;
    const past = new Date(Date.now() - 1);
    const unused = new Date(Date.now() - 3_600_000);
    const foreign = await mint({}, eve);
    const revoked = await mint();
    await call(ada, "authorization", "delete", { id: revoked.id });
    const leftUser = await mint({ username: "leaver" });
    const ofDeleted = await mint({}, deleted);
    const ofDemoted = await mint({}, demoted);
    const ofMoved = await mint({}, moved);
    await records.remove("user", [deleted?.userId ?? ""]);
    await catalog
      .knex("user")
      .where({ id: (await tokens.whoIs(leftUser)).userId })
      .delete();
    const move = (id: string | undefined, change: object) =>
      catalog
        .knex("organization_user")
        .where({ user_id: id ?? "" })
        .update(change);
    await move(demoted?.userId, { flagOwn: false });
    await move(moved?.userId, { organization_id: eve.organizationId });
    const last = api.token.at(-1);
    const cases: Readonly<Record<string, Credentials>> = {
      nothing: {},
      "only a key": { key: api.id },
      "only a token": { token: api.token },
      "key and token swapped": { key: api.token, token: api.id },
      "a token with a changed last character": {
        key: api.id,
        token: api.token.slice(0, -1) + (last === "A" ? "B" : "A"),
      },
      "a token with characters appended": { key: api.id, token: `${api.token}A` },
      "the stored hash as token": {
        key: api.id,
        token: hashToken(api.token).toString("base64url"),
      },
      "another tenant's key": { key: foreign.id, token: api.token },
      "another tenant's token": { key: api.id, token: foreign.token },
      "another type's token of the same issuer": { key: api.id, token: good.get("embed")?.token },
      "a revoked pair": pairOf(revoked),
      "an expired api pair": pairOf(await store({ expiry: past })),
      "an expired login pair": pairOf(await store({ type: "login", expiry: past })),
      "an expired embed pair": pairOf(
        await store({ type: "embed", maker_id: ada.userId, expiry: past }),
      ),
      "a pair marked as deleted": pairOf(await store({ deleted_at: past })),
      "a pair of type technical": pairOf(await store({ type: "technical" })),
      "a pair of an unknown type": pairOf(await store({ type: "root" })),
      "an embed pair without an issuer": pairOf(await store({ type: "embed" })),
      "a pair that was unused for too long": pairOf(
        await store({ inactivity_interval: 120, last_used_at: unused }),
      ),
      "a pair that was never used": pairOf(
        await store({ inactivity_interval: 120, created_at: unused }),
      ),
      "a pair of a deleted user": pairOf(leftUser),
      "a pair of a deleted issuer": pairOf(ofDeleted),
      "a pair of an issuer who is no longer an owner": pairOf(ofDemoted),
      "a pair of an issuer in another organization": pairOf(ofMoved),
    };
    for (const [name, credentials] of Object.entries(cases)) bad.set(name, credentials);
    for (const { 0: name, 1: pair } of good) assert.ok(pair, name);
  });
  test.after(async () => {
    await app.close();
    await access.close();
    await tokens.close();
  });

  const request = (resource: string, action: string, credentials: Credentials) =>
    send(`${app.url}/0.1.0/${resource}`, {
      body: JSON.stringify({ action, ...credentials, properties: {}, find: {} }),
    });
  const endpoints = () =>
    [...handlers].flatMap(([resource, offered]) =>
      (Object.keys(offered) as Action[]).map((action) => ({ resource, action })),
    );

  const share = rounds({ quick: 40, deep: 1 });
  /**
   * Returns the endpoints at which a wrong pair is tried. The first wrong pair is tried at all endpoints. In the quick
   * layer, each other pair is tried at only a part of the endpoints.
   */
  const endpointsOf = (pair: number) =>
    endpoints().filter((_, place) => pair === 0 || (place + pair) % share === 0);

  test("a wrong key pair causes the same 401 at every endpoint and never reaches a handler", async () => {
    reached.length = 0;
    assert.ok(endpoints().length > 100);
    const checked = new Set<string>();
    for (const [place, [name, credentials]] of [...bad].entries())
      await Promise.all(
        endpointsOf(place).map(async ({ resource, action }) => {
          const { status, reason, json, text } = await request(resource, action, credentials);
          const at = `${name}: ${resource} ${action}`;
          checked.add(`${resource} ${action}`);
          // Only countries can be read without a key pair. The handler of `data` decides which data is public.
          const isOpen = ["country", "data"].includes(resource) && action === "get";
          if (name === "nothing" && isOpen) {
            assert.is(status, 200, at);
            return;
          }
          assert.equal([status, reason], [401, "Unauthorized"], at);
          assert.is(
            json()["message"],
            "Unauthorized: key and token are missing, wrong or expired",
            at,
          );
          for (const secret of Object.values(credentials))
            assert.not(text.includes(String(secret)), at);
        }),
      );
    assert.equal(reached.toSorted(), ["temporary country get", "temporary data get"]);
    assert.is(checked.size, endpoints().length);
  });

  test("a valid key pair may call exactly the actions of its type, and all other actions return 403", async () => {
    const types = rounds({ quick: good.size, deep: 1 });
    for (const [index, [type, pair]] of [...good].entries())
      for (const [place, { resource, action }] of endpoints().entries()) {
        // In the quick layer, each endpoint is called with one type. `permits.test.ts` tests all types.
        if ((place + index) % types !== 0) continue;
        reached.length = 0;
        const { status, json } = await request(resource, action, {
          key: pair.id,
          token: pair.token,
        });
        const at = `${type}: ${resource} ${action}`;
        const isOpen = permits({ authorizationType: type as "api" }, resource, action);
        assert.is(status, isOpen ? 200 : 403, at);
        assert.equal(reached, isOpen ? [`${type} ${resource} ${action}`] : [], at);
        if (!isOpen) assert.is((json()["type"] as { code: string }).code, "FORBIDDEN", at);
      }
  });

  test("no log line contains a key, token or hash", () => {
    const text = app.logLines.join("\n");
    assert.ok(app.logLines.length > rounds({ quick: 300, deep: 1_000 }));
    for (const { token } of good.values()) assert.not(text.includes(token));
    for (const credentials of bad.values())
      if (typeof credentials.token === "string" && credentials.token.length > 40)
        assert.not(text.includes(credentials.token));
  });
});
