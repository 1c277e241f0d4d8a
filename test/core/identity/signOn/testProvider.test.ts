import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import type { Principal, Records } from "../../../../core/base/contracts/index.ts";
import { testProvider } from "../../../../core/identity/signOn/index.ts";
import { suite } from "../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;

const issuer = "https://login.example.com";
const secret = "canary-of-the-provider";

/** Runs the action `test` for a config whose provider responds as given. */
async function openTest(
  answer: () => Response | Promise<Response>,
  more: Json = {},
  type = "openid",
) {
  const id = randomUUID();
  const row = {
    id,
    type,
    config: { issuer, client_id: "manifold", client_secret: secret, ...more },
  };
  const visible = (_resource: string, ids: readonly string[]) =>
    Promise.resolve(new Map(ids.filter((each) => each === id).map((each) => [each, row])));
  const test = testProvider({
    records: { visible } as unknown as Pick<Records, "visible">,
    fetchOf: () => async () => answer(),
  });
  const call = (config: unknown) =>
    test({
      resource: "ssoconfig",
      action: "test",
      body: { id: config },
      principal: {} as Principal,
      requestId: "",
      address: undefined,
      signal: new AbortController().signal,
    }) as Promise<Json>;
  return { call, answer: () => call(id) };
}

const document = (more: Json = {}) =>
  Response.json({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    scopes_supported: ["openid", "email", "profile"],
    ...more,
  });

suite("core/identity/signOn/testProvider", (test) => {
  test("testing a provider with a matching discovery document succeeds and returns its endpoints", async () => {
    const { id, ...found } = await (await openTest(() => document())).answer();
    assert.ok(id);
    assert.equal(found, {
      outcome: "passed",
      problems: [],
      warnings: [],
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: null,
      jwks_uri: `${issuer}/keys`,
    });
  });

  test("testing a provider fails for a wrong issuer, a missing code flow or missing PKCE", async () => {
    const other = await (
      await openTest(() => document({ issuer: "https://other.example.com" }))
    ).answer();
    assert.is(other["outcome"], "failed");
    assert.match(String(other["problems"]), "discovery document is not valid");
    const bare = await (
      await openTest(() =>
        document({
          response_types_supported: ["token"],
          code_challenge_methods_supported: ["plain"],
        }),
      )
    ).answer();
    assert.is(bare["outcome"], "failed");
    assert.equal((bare["problems"] as string[]).length, 2);
    const html = await (
      await openTest(() => new Response(`<b>${secret}</b>`, { status: 404 }))
    ).answer();
    assert.is(html["outcome"], "failed");
    assert.not.match(JSON.stringify(html), secret);
  });

  test("testing a provider reports that the provider failed or could not be reached", async () => {
    for (const away of [
      () => new Response("down", { status: 503 }),
      () => Promise.reject(Object.assign(new Error(secret), { code: "PLUGIN_SOURCE_FAILED" })),
    ]) {
      const answer = await (await openTest(away)).answer();
      assert.match(String(answer["problems"]), "could not be reached, or failed");
      assert.not.match(JSON.stringify(answer), secret);
    }
  });

  test("the report on an unreachable provider omits the code of a failure without one", async () => {
    const away = () =>
      Promise.reject(Object.assign(new TypeError("fetch failed"), { code: undefined }));
    const { problems } = await (await openTest(away)).answer();
    assert.not.match(String(problems), "undefined");
  });

  test("testing a provider warns of scopes and claims that the provider does not list", async () => {
    const more = {
      scopes: ["openid", "work"],
      claims: { suborganization: "department", external_id: "sub" },
    };
    const listed = { claims_supported: ["sub"], code_challenge_methods_supported: undefined };
    const answer = await (await openTest(() => document(listed), more)).answer();
    assert.is(answer["outcome"], "passed");
    assert.equal(answer["warnings"], [
      "The provider does not list the scopes work.",
      "The provider does not list the claims department.",
      "The provider does not say whether it supports PKCE.",
    ]);
  });

  test("testing a provider returns 404 for another organization's id and 409 for an unsupported type", async () => {
    const { call } = await openTest(() => document());
    const statusOf = (answer: Promise<unknown>) =>
      answer.then(
        () => 200,
        (failure: { status?: number }) => failure.status,
      );
    assert.is(await statusOf(call(randomUUID())), 404);
    assert.is(await statusOf(call("x")), 404);
    assert.is(await statusOf(call(undefined)), 400);
    assert.is(await statusOf((await openTest(() => document(), {}, "saml")).answer()), 409);
  });
});
