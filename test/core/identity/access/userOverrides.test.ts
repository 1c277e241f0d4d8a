import type {
  ConnectionOverride,
  Connections,
  Principal,
} from "../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import {
  createRowFilters,
  createToken,
  hashToken,
} from "../../../../core/identity/access/index.ts";
import { createQueries, type Queries, type QueryAnswer } from "../../../../core/queries/index.ts";
import { connectionOf, createPlainConnections } from "../../../support/plainConnections.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { refusal as refusalOf } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Tokens } from "./openTokens.ts";

suite("core/identity/access/userOverrides", (test) => {
  let tokens: Tokens;
  let queries: Queries;
  let account: string;
  let live: string;
  let query: object;
  const overrides: (ConnectionOverride | undefined)[] = [];

  test.before(async () => {
    tokens = await openTokens();
    const { records, ada, bob, call, columns, catalog } = tokens;
    const store = createPlainPlugin();
    store.fill("public.trips", [{ id: String(columns["km"]), type: "numeric" }], [[9]]);
    const plain = createPlainConnections({ store, scratch: createPlainPlugin() });
    const connections: Connections = {
      ...plain,
      async ofAccount(_id, override) {
        overrides.push(override);
        return connectionOf("live", store);
      },
    };
    queries = createQueries({ records, connections, rowFilters: createRowFilters(catalog) });
    account = (await records.insert("account", { provider: "p", user_id: ada.userId })).id;
    const dataset = await records.insert("securable", {
      type: "dataset",
      storage: "client",
      source_sheet: "public.trips",
      account_id: account,
      owner_id: ada.userId,
    });
    live = dataset.id;
    const km = await records.insert("column", {
      securable_id: live,
      type: "numeric",
      order: 0,
      source_name: columns["km"],
    });
    query = { measures: [{ dataset_id: live, column_id: km.id }] };
    const target = { role: "Users", id: bob.userId };
    const properties = { flagUse: true };
    await call(ada, "securable", "associate", { id: live, resource: target, properties });
  });
  test.after(() => tokens.close());

  const set = (id: string, properties: object, who: Principal = tokens.ada) =>
    tokens.call(who, "user", "update", { id, properties });
  /** Returns the principal with which the user's next call runs. */
  const asUser = async (userId: string): Promise<Principal> => {
    const token = createToken();
    const values = { type: "api" as const, user_id: userId, token_hash: hashToken(token) };
    const { id } = await tokens.records.insert("authorization", values);
    return tokens.whoIs({ id, token });
  };
  const overrideOf = async (who: Principal): Promise<unknown> => {
    overrides.length = 0;
    const answer = queries.answer(query, who, new AbortController().signal);
    assert.equal(((await answer) as QueryAnswer).data, [[9]]);
    assert.is(overrides.length, 1);
    return overrides[0];
  };

  test("only owners of the organization can set overrides, and only for users of the organization", async () => {
    const { ada, ben, bob, eve, refusal, call } = tokens;
    for (const properties of [
      { parameter_overrides: { region: "eu" } },
      { metadata: { a: 1 } },
      { account_overrides: {} },
      { parameter_overrides: null },
    ]) {
      const own = await refusal(bob, "user", "update", { id: bob.userId, properties });
      assert.equal([own.code, own.status], ["FORBIDDEN", 403], JSON.stringify(properties));
      const body = { id: bob.userId, properties };
      assert.is((await refusal(ben, "user", "update", body)).code, "RECORD_NOT_FOUND");
      assert.is((await refusal(eve, "user", "update", body)).code, "RECORD_NOT_FOUND");
      await call(ada, "user", "update", body);
    }
    await set(bob.userId, { name: "Bob" }, bob);
  });

  test("the error for an override that cannot be applied names the path of the override", async () => {
    const { ada, bob, eve, refusal, records } = tokens;
    const foreign = await records.insert("account", { provider: "p", user_id: eve.userId });
    const cases: readonly [object, string, RegExp][] = [
      [{ account_overrides: { x: {} } }, "MEMBER_INVALID", /account_overrides/],
      [{ account_overrides: { [account]: { port: "1" } } }, "MEMBER_UNKNOWN", /port/],
      [{ account_overrides: { [account]: { host: 1 } } }, "MEMBER_INVALID", /host/],
      [{ account_overrides: { [foreign.id]: { host: "h" } } }, "FORBIDDEN", /own the connection/],
      [{ parameter_overrides: { a: {} } }, "MEMBER_INVALID", /parameter_overrides.a/],
      [{ parameter_overrides: { a: { value: 1, clear: true } } }, "MEMBER_INVALID", /clear/],
      [{ parameter_overrides: [1] }, "MEMBER_INVALID", /parameter_overrides/],
      [{ metadata: "x" }, "MEMBER_INVALID", /metadata/],
    ];
    for (const [properties, code, message] of cases) {
      const refused = await refusal(ada, "user", "update", { id: bob.userId, properties });
      assert.equal([refused.code, message.test(refused.message)], [code, true], refused.message);
    }
  });

  test("a response contains no credentials or sensitive values, and sending null keeps the stored values", async () => {
    const { ada, bob, catalog } = tokens;
    const account_overrides = { [account]: { password: "canary-password" } };
    const secret = { value: "canary-value", sensitive: true };
    const answer = await set(bob.userId, {
      account_overrides,
      parameter_overrides: { tenant: secret, region: { value: "eu" } },
    });
    assert.equal(
      [answer["account_overrides"], answer["parameter_overrides"]],
      [{ [account]: null }, { tenant: { ...secret, value: null }, region: { value: "eu" } }],
    );
    assert.not("overrides_by" in answer);
    const stored = await catalog.knex("user").where({ id: bob.userId }).first();
    assert.not.match(JSON.stringify(stored), /canary/);
    await set(bob.userId, { account_overrides: { [account]: null } }, ada);
    const { own } = await asUser(bob.userId);
    assert.is(own?.accountOverrides.get(account)?.password, "canary-password");
    await set(bob.userId, { account_overrides: null, parameter_overrides: null, metadata: null });
    assert.is((await asUser(bob.userId)).own, undefined);
  });

  test("a token's overrides take precedence over its user's overrides", async () => {
    const { mint, whoIs } = tokens;
    const token = {
      access: { datasets: [{ id: live, rights: "use" }] },
      parameter_overrides: { region: "token" },
      metadata: { a: "token" },
      account_overrides: {
        [account]: { user: "token", datasets: { [live]: { password: "token" } } },
      },
    };
    const pair = await mint(token);
    const { userId } = await whoIs(pair);
    await set(userId, {
      parameter_overrides: { region: "user", tenant: ["user"] },
      metadata: { a: "user", b: "user" },
      account_overrides: {
        [account]: {
          host: "user",
          user: "user",
          properties: { zone: "user" },
          datasets: { [live]: { password: "user", database: "user" } },
        },
      },
    });
    const self = await whoIs(pair);
    const { parameters, metadata } = self.restriction ?? {};
    assert.equal(
      [parameters?.get("region")?.value, parameters?.get("tenant")?.value, metadata],
      ["token", ["user"], { a: "token", b: "user" }],
    );
    const merged = {
      host: "user",
      user: "token",
      password: "token",
      database: "user",
      properties: { zone: "user" },
    };
    assert.equal(await overrideOf(self), merged);
    const api = await asUser(userId);
    assert.equal(api.own?.parameters.get("region")?.value, "user");
  });

  test("a connection uses a user's overrides only while the owner who set them owns the connection", async () => {
    const { ada, bob, catalog } = tokens;
    assert.is(await overrideOf(await asUser(bob.userId)), undefined);
    await set(bob.userId, { account_overrides: { [account]: { host: "north" } } });
    const self = await asUser(bob.userId);
    assert.equal(await overrideOf(self), { host: "north", properties: {} });
    const answerTo = (who: Principal) =>
      refusalOf(queries.answer(query, who, new AbortController().signal) as Promise<unknown>);
    await catalog.knex("account").where({ id: account }).update({ user_id: bob.userId });
    assert.is((await answerTo(self)).code, "FORBIDDEN");
    await catalog.knex("account").where({ id: account }).update({ user_id: ada.userId });
    await catalog.knex("user").where({ id: bob.userId }).update({ overrides_by: null });
    assert.match(
      (await answerTo(await asUser(bob.userId))).message,
      /whoever set account_overrides of the user no longer owns it/,
    );
  });

  test("a user's parameters set the filters of the user's shares", async () => {
    const { ada, bob, call, rows } = tokens;
    const [km] = await rows(ada, "column", { where: { securable_id: live } });
    const value = { parameter: "metadata.km", type: "array[numeric]" };
    const filter = { securable_id: live, column_id: km?.id, expression: "? in ?", value };
    const target = { role: "Users", id: bob.userId };
    const properties = { flagUse: true, filters: [filter] };
    await call(ada, "securable", "associate", { id: live, resource: target, properties });
    const sumWith = async (parameter_overrides: object | null) => {
      await set(bob.userId, { account_overrides: null, parameter_overrides });
      const answer = queries.answer(query, await asUser(bob.userId), new AbortController().signal);
      return ((await answer) as QueryAnswer).data[0]?.[0];
    };
    assert.is(await sumWith({ km: [9, 10] }), 9);
    assert.is(await sumWith({ "metadata.km": { value: [9], sensitive: true } }), 9);
    assert.is(await sumWith({ km: [8] }), null);
    assert.is(await sumWith({ km: [] }), null);
    assert.is(await sumWith({ km: { clear: true } }), 9);
    for (const open of [null, { other: [9] }, { km: "9" }, { km: ["x"] }])
      assert.is((await refusalOf(sumWith(open))).code, "ROWS_CLOSED", JSON.stringify(open));
    assert.is(await sumWith({ km: [9] }), 9);
    const unfiltered = { ...properties, filters: [] };
    await call(ada, "securable", "associate", {
      id: live,
      resource: target,
      properties: unfiltered,
    });
    assert.is(await sumWith(null), 9);
  });

  test("changing a user's overrides invalidates the hosts' cached data about the user's tokens", async () => {
    const { bob, catalog } = tokens;
    const version = async () => String((await catalog.knex("access_version").first()).version);
    for (const properties of [
      { parameter_overrides: { a: "1" } },
      { metadata: { a: 1 } },
      { account_overrides: {} },
    ]) {
      const before = await version();
      await set(bob.userId, properties);
      assert.is.not(await version(), before);
    }
  });
});
