import { mock } from "node:test";
import * as assert from "uvu/assert";
import { createCallHost, createTokens, HostError } from "../../../../core/web/embed/host/index.ts";
import { openFakeApp } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";

suite("core/web/embed/host", (test) => {
  const issue = (names: readonly string[], lifeMs: number, now: () => number) => {
    let calls = 0;
    return {
      calls: () => calls,
      getToken: () => {
        const token = names[Math.min(calls, names.length - 1)] ?? "";
        calls++;
        return Promise.resolve({ id: "K", token, expiry: new Date(now() + lifeMs).toISOString() });
      },
    };
  };

  test("concurrent calls share one token, which is renewed before it expires", async () => {
    let at = 1_000_000;
    const now = () => at;
    const issued = issue(["one", "two"], 600_000, now);
    const tokens = createTokens({ getToken: issued.getToken, now });
    const pairs = await Promise.all([tokens.current(), tokens.current(), tokens.current()]);
    assert.equal(
      pairs.map(({ token }) => token),
      ["one", "one", "one"],
    );
    assert.is(issued.calls(), 1);
    at += 500_000;
    assert.is((await tokens.current()).token, "one");
    // The token is renewed within the last tenth of its lifetime, but at most a minute before it expires.
    at += 60_000;
    assert.is((await tokens.current()).token, "two");
    tokens.close();
  });

  test("a token is renewed in the background, even if its timer fires early", async () => {
    let at = 1_000_000;
    const issued = issue(["one", "two"], 20_000, () => at);
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const tokens = createTokens({ getToken: issued.getToken, now: () => at });
      await tokens.current();
      at += 17_999.5;
      mock.timers.tick(18_000);
      assert.is(issued.calls(), 1);
      at += 1_000;
      mock.timers.tick(1_000);
      assert.is(issued.calls(), 2);
      tokens.close();
    } finally {
      mock.timers.reset();
    }
  });

  test("a refused token is replaced once for all the calls that used it", async () => {
    const issued = issue(["one", "two"], 600_000, Date.now);
    const tokens = createTokens({ getToken: issued.getToken });
    const first = await tokens.current();
    assert.equal(await Promise.all([tokens.renew(first), tokens.renew(first)]), [true, true]);
    assert.is(issued.calls(), 2);
    assert.is(await tokens.renew(first), true);
    assert.is(issued.calls(), 2);
    tokens.close();
    const still = createTokens({ pair: { key: "K", token: "T" } });
    assert.is(await still.renew({ key: "K", token: "T" }), false);
    still.close();
  });

  test("a call rejects if `getToken` fails or does not return a pair", async () => {
    const wrong = createTokens({ getToken: () => ({ token: "T" }) });
    await wrong.current().then(
      () => assert.unreachable(),
      (failure: unknown) => assert.match(String(failure), "getToken must return {key, token}"),
    );
    wrong.close();
    const none = createTokens({});
    await none.current().then(
      () => assert.unreachable(),
      (failure: unknown) => assert.match(String(failure), "no token is set"),
    );
    none.close();
  });

  test("calls to an unreachable host are repeated, with growing waits, until the host responds", async () => {
    const app = await openFakeApp();
    const { port } = new URL(app.url);
    await app.close();
    const waits: number[] = [];
    let at = 0;
    const tokens = createTokens({ pair: { key: "K", token: "T" } });
    const callHost = createCallHost({
      hostUrl: `http://127.0.0.1:${port}`,
      tokens,
      patienceMs: 20_000,
      now: () => at,
      wait: (ms) => {
        waits.push(ms);
        at += ms;
        return Promise.resolve();
      },
    });
    const failure = await callHost("securable", { action: "get" }).then(
      () => assert.unreachable(),
      (caught: unknown) => caught,
    );
    assert.ok(failure instanceof HostError);
    assert.is(failure.status, 0);
    assert.equal(waits.slice(0, 6), [300, 600, 1_200, 2_400, 4_800, 5_000]);
    assert.ok(at <= 20_000);
    const stopped = new AbortController();
    stopped.abort(new Error("left"));
    await callHost("securable", { action: "get" }, { signal: stopped.signal }).then(
      () => assert.unreachable(),
      (caught: unknown) => assert.match(String(caught), "left"),
    );
    tokens.close();
  });
});
