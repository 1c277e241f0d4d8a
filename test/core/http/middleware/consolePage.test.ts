import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { openAssets } from "../../../../core/http/assets/index.ts";
import { pagePaths } from "../../../../core/http/middleware/index.ts";
import { openFakeApp, send, type FakeApp } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";

/** Maximum gzip bytes that the console's first screen loads. */
const mostBytes = 150 * 1024;

suite("core/http/middleware/consolePage", (test) => {
  let app: FakeApp;
  const assets = openAssets();
  const get = (path: string) => send(`${app.url}${path}`, { method: "GET" });
  test.before(async () => {
    app = await openFakeApp({ assets });
  });
  test.after(() => app?.close());

  test("every path of the console returns the same page, without user data", async () => {
    const { status, headers, text } = await get("/");
    assert.is(status, 200);
    assert.is(headers["content-type"], "text/html; charset=utf-8");
    assert.is(headers["set-cookie"], undefined);
    for (const path of pagePaths)
      for (const below of ["", "/", "/a/b?c=d", "/%3Cscript%3E"]) {
        const answer = await get(`/${path}${below}`);
        assert.is(answer.status, 200, path + below);
        assert.is(answer.text, text);
      }
  });

  test("the console's security policy allows only the host's own scripts and Lit's Trusted Types", async () => {
    const { headers, text } = await get("/");
    const policy = String(headers["content-security-policy"]).split("; ");
    assert.is(policy[0], "default-src 'none'");
    for (const each of [
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types lit-html",
    ])
      assert.ok(policy.includes(each), each);
    assert.not.match(policy.join(), "unsafe");
    assert.not.match(text, /<style|style=|onload=|javascript:/);
    assert.is([...text.matchAll(/<script/g)].length, 1);
    assert.is(headers["cross-origin-opener-policy"], "same-origin");
    assert.is(headers["cache-control"], "no-store");
  });

  test("an unknown address returns the console with status 404 to browsers, but an API error to programs", async () => {
    const console = await get("/");
    const asBrowser = { method: "GET", headers: { Accept: "text/html,application/xhtml+xml" } };
    const lost = await send(`${app.url}/explorer`, asBrowser);
    assert.is(lost.status, 404);
    assert.is(lost.text, console.text);
    assert.is(lost.headers["content-security-policy"], console.headers["content-security-policy"]);
    const call = await send(`${app.url}/0.1.0/nothing`, asBrowser);
    assert.is((call.json()["type"] as { code: string }).code, "METHOD_UNKNOWN");
    const posted = await send(`${app.url}/explorer`, { ...asBrowser, method: "POST" });
    assert.is(posted.headers["content-type"], "application/json; charset=utf-8");
  });

  test("paths and methods outside the console return an API error", async () => {
    for (const path of ["/explorer", "/console", "/pages/data"]) {
      const { status, json } = await get(path);
      assert.is(status, 404, path);
      assert.is((json()["type"] as { code: string }).code, "PATH_UNKNOWN");
    }
    assert.is((await send(`${app.url}/explore`, { method: "POST" })).status, 404);
  });

  test("the console's first screen transfers at most 150 kB with gzip, and all scripts that it names exist", async () => {
    const { text } = await get("/");
    const entry = /src="\/(assets\/console-[\w-]+\.js)"/.exec(text)?.[1] ?? "";
    const seen = new Map<string, number>();
    const load = async (path: string, isFirst: boolean): Promise<void> => {
      if (seen.has(path)) return;
      const bytes = (await assets.file(path))?.bytes;
      assert.ok(bytes, path);
      seen.set(path, isFirst ? gzipSync(bytes!).length : 0);
      const code = new TextDecoder().decode(bytes);
      for (const [, isDynamic, name] of code.matchAll(/(import\()?[`"']\.\/([\w.-]+\.js)[`"']/g))
        await load(`assets/${name}`, isFirst && isDynamic === undefined);
    };
    await load(entry, true);
    const total = [...seen.values()].reduce((sum, size) => sum + size, 0);
    process.stdout.write(`console, first screen: ${(total / 1024).toFixed(1)} kB gzip\n`);
    assert.ok(seen.size > pagePaths.length, `${seen.size} scripts`);
    assert.ok(total > 0 && total <= mostBytes, `${total} bytes`);
  });
});
