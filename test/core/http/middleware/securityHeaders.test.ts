import * as assert from "uvu/assert";
import { openFakeApp, send, type FakeApp } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/middleware/securityHeaders", (test) => {
  let app: FakeApp;
  test.before(async () => {
    const get = async () => ({ count: 0, rows: [] });
    app = await openFakeApp({ handlers: new Map([["country", { get }]]) });
  });
  test.after(() => app.close());

  const body = JSON.stringify({ action: "get", key: "K", token: "T" });
  const requests: readonly (readonly [string, string, string, number])[] = [
    ["POST", "/0.1.0/country", body, 200],
    ["POST", "/0.1.0/country", "{", 400],
    ["POST", "/0.1.0/country", JSON.stringify({ action: "get", key: "K", token: "x" }), 401],
    ["POST", "/0.1.0/nothing", body, 404],
    ["GET", "/healthz", "", 200],
    ["GET", "/nowhere", "", 404],
  ];

  for (const [method, path, sent, expected] of requests)
    test(`${method} ${path} ${expected}: no page can frame the response, and no script in it can run`, async () => {
      const { status, headers } = await send(`${app.url}${path}`, { method, body: sent });
      assert.is(status, expected);
      const policy = String(headers["content-security-policy"]).split(/;\s*/).toSorted();
      assert.equal(policy, ["default-src 'none'", "frame-ancestors 'none'"]);
      assert.is(headers["x-content-type-options"], "nosniff");
      assert.is(headers["referrer-policy"], "no-referrer");
      assert.is(headers["cache-control"], "no-store");
      assert.is(headers["strict-transport-security"], undefined);
    });

  test("if the public address uses https, every response tells browsers to use https for a year", async () => {
    const encrypted = await openFakeApp({ publicUrl: "https://manifold.example" });
    try {
      for (const [method, path, sent] of requests) {
        const { headers } = await send(`${encrypted.url}${path}`, { method, body: sent });
        assert.is(headers["strict-transport-security"], "max-age=31536000");
      }
    } finally {
      await encrypted.close();
    }
  });
});
