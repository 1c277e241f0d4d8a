import * as assert from "uvu/assert";
import { createCallLimits } from "../../../../core/http/middleware/index.ts";
import { send, openFakeApp, type FakeApp } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/middleware/limits", (test) => {
  const clock = { ms: 0 };
  const limitsOf = (options: Partial<Parameters<typeof createCallLimits>[0]> = {}) =>
    createCallLimits({
      callsPerSecond: 10,
      callBurst: 200,
      failuresPerMinute: 60,
      now: () => clock.ms,
      ...options,
    });
  const codeOf = (run: () => void): unknown => {
    try {
      run();
      return undefined;
    } catch (thrown) {
      const { code, status, retryAfterS } = thrown as Record<string, unknown>;
      return { code, status, retryAfterS };
    }
  };

  test("the 201st call without credentials from a network returns 429, and other networks are not affected", () => {
    const limits = limitsOf();
    for (let call = 0; call < 200; call++) limits.visited(`2001:db8:1:2::${call.toString(16)}`);
    const refusal = { code: "CALLS_TOO_MANY", status: 429, retryAfterS: 1 };
    assert.equal(
      codeOf(() => limits.visited("2001:db8:1:2:ffff::")),
      refusal,
    );
    assert.is(
      codeOf(() => limits.visited("2001:db8:1:3::")),
      undefined,
    );
  });

  test("the 201st call with a token returns 429 with Retry-After, and other tokens are not affected", () => {
    const limits = limitsOf();
    for (let call = 0; call < 200; call++) limits.called("a");
    const refusal = { code: "CALLS_TOO_MANY", status: 429, retryAfterS: 1 };
    assert.equal(
      codeOf(() => limits.called("a")),
      refusal,
    );
    assert.is(
      codeOf(() => limits.called("b")),
      undefined,
    );
    clock.ms += 100;
    assert.is(
      codeOf(() => limits.called("a")),
      undefined,
    );
    assert.equal(
      codeOf(() => limits.called("a")),
      refusal,
    );
  });

  test("an address is blocked for a second after 61 wrong key pairs", () => {
    const limits = limitsOf();
    for (let call = 0; call < 60; call++) {
      limits.admit("1.2.3.4");
      limits.failed("1.2.3.4");
    }
    assert.equal(
      codeOf(() => limits.admit("1.2.3.4")),
      {
        code: "CREDENTIALS_TOO_MANY",
        status: 429,
        retryAfterS: 1,
      },
    );
    assert.is(
      codeOf(() => limits.admit("1.2.3.5")),
      undefined,
    );
    clock.ms += 1_000;
    assert.is(
      codeOf(() => limits.admit("1.2.3.4")),
      undefined,
    );
  });

  test("addresses in one IPv6 network share a limit, and each network has a separate limit", () => {
    const limits = limitsOf({ failuresPerMinute: 1 });
    limits.failed("2001:db8:1:2::1");
    for (const address of ["2001:db8:1:2::1", "2001:db8:1:2:ffff:1:2:3", "2001:db8:1:2:0:0:0:9"])
      assert.ok(
        codeOf(() => limits.admit(address)),
        address,
      );
    for (const address of ["2001:db8:1:3::1", "::1", "fe80::1%eth0", "::ffff:1.2.3.4"])
      assert.is(
        codeOf(() => limits.admit(address)),
        undefined,
        address,
      );
    limits.failed("::ffff:1.2.3.4");
    assert.is(
      codeOf(() => limits.admit("::ffff:1.2.3.5")),
      undefined,
    );
  });

  test("a limit of 0 means no limit", () => {
    const limits = limitsOf({ callsPerSecond: 0, failuresPerMinute: 0 });
    for (let call = 0; call < 1_000; call++) {
      limits.called("a");
      limits.failed("1.2.3.4");
      limits.admit("1.2.3.4");
    }
  });

  const post = (app: FakeApp, members: object, headers = {}) =>
    send(`${app.url}/0.1.0/column`, {
      headers,
      body: JSON.stringify({ action: "get", ...members }),
    });
  const good = { key: "K", token: "T" };
  const handlers = new Map([["column", { get: async () => ({ count: 0, rows: [] }) }]]);

  test("a 429 response has Retry-After, the reason phrase Too Many Requests and the usual error body", async () => {
    const app = await openFakeApp({
      handlers,
      limits: limitsOf({ callsPerSecond: 0.2 as 1, callBurst: 2 }),
    });
    try {
      assert.is((await post(app, good)).status, 200);
      assert.is((await post(app, good)).status, 200);
      const refused = await post(app, good);
      assert.is(refused.status, 429);
      assert.is(refused.reason, "Too Many Requests");
      assert.is(refused.headers["retry-after"], "5");
      assert.is((refused.json()["type"] as { code: string }).code, "CALLS_TOO_MANY");
    } finally {
      await app.close();
    }
  });

  test("wrong key pairs block their address before the catalog is queried", async () => {
    let catalogCalls = 0;
    const limits = limitsOf({ failuresPerMinute: 3 });
    const app = await openFakeApp({ handlers, limits });
    const counting = await openFakeApp({
      handlers,
      limits,
      proxyCount: 1,
      async authenticate() {
        catalogCalls++;
        throw new Error("must not be queried");
      },
    });
    try {
      for (let call = 0; call < 3; call++)
        assert.is((await post(app, { key: "K", token: "wrong" })).status, 401);
      assert.is((await post(app, { key: "K", token: "wrong" })).status, 429);
      assert.is((await post(app, good)).status, 429);
      const own = app.url.includes("[") ? "::1" : "127.0.0.1";
      const through = (address: string) => post(counting, good, { "X-Forwarded-For": address });
      const names = [own, `::ffff:${own}`];
      const answers = await Promise.all(names.map(through));
      assert.ok(answers.some(({ status }) => status === 429));
      catalogCalls = 0;
      assert.is((await through(`${own}, 9.9.9.9`)).status, 500);
      assert.is(catalogCalls, 1);
    } finally {
      await app.close();
      await counting.close();
    }
  });

  test("without a proxy, X-Forwarded-For is ignored", async () => {
    const app = await openFakeApp({ handlers, limits: limitsOf({ failuresPerMinute: 2 }) });
    try {
      const wrong = (address: string) =>
        post(app, { key: "K", token: "wrong" }, { "X-Forwarded-For": address });
      const statuses = [];
      for (const address of ["1.1.1.1", "2.2.2.2", "3.3.3.3"])
        statuses.push((await wrong(address)).status);
      assert.equal(statuses, [401, 401, 429]);
    } finally {
      await app.close();
    }
  });
});
