import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { openAssets } from "../../../../core/http/assets/index.ts";
import { languages } from "../../../../core/web/charts/index.ts";
import { openFakeApp, send, type FakeApp } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";

/** Maximum gzip bytes that a page loads for a dashboard of bars, lines and tables. */
const mostBytes = 81 * 1024;
/** Maximum gzip bytes of a script that loads later. */
const mostLateBytes = 12 * 1024;
/** Maps contain the outlines of all countries. */
const mostMapBytes = 72 * 1024;
/** Maximum gzip bytes of a script with the words of a language. */
const mostWordBytes = 4 * 1024;
/** Maximum gzip bytes of all scripts of the component, apart from maps and words. */
const mostWholeBytes = 160 * 1024;

suite("core/http/assets/openAssets", (test) => {
  let app: FakeApp;
  const assets = openAssets();
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    send(`${app.url}/${path}`, { method: "GET", headers });
  test.before(async () => {
    app = await openFakeApp({ assets });
  });
  test.after(() => app?.close());

  test("pages of any origin can load the component's module, and browsers cache it for 5 minutes", async () => {
    const { status, headers, text } = await get("embed.js");
    assert.is(status, 200);
    assert.is(headers["content-type"], "text/javascript; charset=utf-8");
    assert.is(headers["access-control-allow-origin"], "*");
    assert.is(headers["cross-origin-resource-policy"], "cross-origin");
    assert.is(headers["x-content-type-options"], "nosniff");
    assert.is(headers["cache-control"], "public, max-age=300");
    assert.is(headers["set-cookie"], undefined);
    assert.match(text, /^\/\*! Manifold, MIT/);
    assert.match(text, "export{");
  });

  test("an asset that a browser has cached is not sent again, and a compressed asset contains the same script", async () => {
    const plain = await get("embed.js", { "Accept-Encoding": "identity" });
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const { headers, bytes } = await get("embed.js", { "Accept-Encoding": encoding });
      assert.is(headers["content-encoding"], encoding);
      assert.is(headers["vary"], "Accept-Encoding");
      assert.equal(decode(bytes), plain.bytes);
      const again = await get("embed.js", {
        "Accept-Encoding": encoding,
        "If-None-Match": String(headers["etag"]),
      });
      assert.is(again.status, 304);
      assert.is(again.bytes.length, 0);
    }
  });

  test("the host also serves fonts, licences and every module that another module imports", async () => {
    for (const name of ["ibm-plex-sans-400", "ibm-plex-sans-600", "ibm-plex-mono-400"]) {
      const font = await get(`assets/${name}.woff2`);
      assert.is(font.headers["content-type"], "font/woff2");
      assert.is(font.bytes.subarray(0, 4).toString(), "wOF2");
    }
    const { text: licences } = await get("assets/licences.txt");
    for (const name of ["@fontsource/ibm-plex-sans 5", "@fontsource/ibm-plex-mono 5"])
      assert.match(licences, name);
    assert.match(licences, "SIL OPEN FONT LICENSE");
    const list = await get("assets/plugins.json");
    assert.is(list.headers["content-type"], "application/json; charset=utf-8");
    assert.match(list.text, '"slug":"postgresql"');
    const { text } = await get("embed.js");
    for (const [, path = ""] of text.matchAll(/["'`]\.\/(assets\/[\w.-]+\.js)["'`]/g)) {
      const { status, headers } = await get(path);
      assert.is(status, 200, path);
      assert.is(headers["cache-control"], "public, max-age=31536000, immutable");
    }
  });

  test("an unknown path under the assets returns an API error", async () => {
    for (const path of ["assets/nothing.js", "assets/..%2f..%2fpackage.json", "assets/embed.js"]) {
      const { status, json } = await get(path);
      assert.is(status, 404, path);
      assert.is((json()["type"] as { code: string }).code, "PATH_UNKNOWN");
    }
  });

  test("with gzip, the first load transfers at most 81 kB, maps 72 kB, and each other later script 12 kB", async () => {
    const imports = /(?:import|from)\s*["'`]([\w./-]+\.js)["'`]/g;
    const loads = /import\(["'`]([\w./-]+\.js)["'`]\)/g;
    const read = async (path: string) => {
      const { bytes = new Uint8Array(), isImmutable } = (await assets.file(path)) ?? {};
      assert.ok(bytes.length > 0, path);
      const script = new TextDecoder().decode(bytes);
      const named = (pattern: RegExp) =>
        [...script.matchAll(pattern)].map(([, to = ""]) =>
          new URL(to, `file:///${path}`).pathname.slice(1),
        );
      return {
        size: gzipSync(bytes).length,
        isImmutable,
        now: named(imports),
        later: named(loads),
      };
    };
    const first = new Map<string, Awaited<ReturnType<typeof read>>>();
    const load = async (path: string): Promise<void> => {
      if (first.has(path)) return;
      const script = await read(path);
      first.set(path, script);
      for (const each of script.now) await load(each);
    };
    await load("embed.js");
    const firstSize = [...first.values()].reduce((sum, { size }) => sum + size, 0);
    const late = [...new Set([...first.values()].flatMap(({ later }) => later))];
    const hasWords = (path: string) => languages.some((each) => path.startsWith(`assets/${each}-`));
    // Scripts that load later may load words of their own, as those of controls do.
    const nested = await Promise.all(late.map(async (path) => (await read(path)).later));
    late.push(...new Set(nested.flat().filter((each) => hasWords(each) && !late.includes(each))));
    assert.ok(late.length >= 4, late.join());
    const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} kB`;
    const lines = [`first load: ${kilobytes(firstSize)} gzip`];
    let whole = firstSize;
    for (const path of late) {
      const { size, isImmutable, now } = await read(path);
      const isMap = /\/mapKinds-/.test(path);
      // A reader loads the words of one language.
      const isLanguage = hasWords(path);
      if (isLanguage) assert.ok(size <= mostWordBytes, `${path}: ${size} bytes`);
      else if (!isMap) whole += size;
      lines.push(`${path}: ${kilobytes(size)}`);
      assert.ok(size <= (isMap ? mostMapBytes : mostLateBytes), `${path}: ${size} bytes`);
      assert.is(isImmutable, true, path);
      assert.equal(
        // The code that families of kinds share loads at the same time as they do. Controls and menus share what reads
        // states.
        now.filter(
          (each) => !first.has(each) && !/\/(?:kinds|states|rolldown-runtime)-/.test(each),
        ),
        [],
        path,
      );
    }
    process.stdout.write(`${[...lines, `all without maps: ${kilobytes(whole)}`].join("\n")}\n`);
    assert.ok(firstSize > 10_000 && firstSize <= mostBytes, `${firstSize} bytes`);
    assert.ok(whole <= mostWholeBytes, `${whole} bytes`);
  });
});
