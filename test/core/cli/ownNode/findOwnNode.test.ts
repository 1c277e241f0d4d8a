import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { messageOf } from "../../../../core/base/errors.ts";
import { findOwnNode } from "../../../../core/cli/ownNode/findOwnNode.ts";
import { suite } from "../../../support/suite.ts";
import { type ServedPackage, servePackage } from "./servePackage.ts";

const working = "#!/bin/sh\necho v26.10.0\n";
const platform = "test-x64";

suite("core/cli/ownNode/findOwnNode", (test) => {
  const caches: string[] = [];
  let served: ServedPackage;
  test.before(async () => {
    served = await servePackage(working);
  });
  test.after(async () => {
    await served?.close();
    for (const cache of caches) rmSync(cache, { recursive: true, force: true });
  });

  const emptyCache = () => {
    const cache = mkdtempSync(join(tmpdir(), "manifold-own-node-"));
    caches.push(cache);
    return cache;
  };
  const find = async (
    cache: string,
    more: Readonly<Record<string, string>> = {},
    { nodePackage, environment } = served,
  ) => {
    const notes: string[] = [];
    const found = await findOwnNode({
      environment: { ...process.env, ...environment, XDG_CACHE_HOME: cache, ...more },
      version: "20.19.0",
      note: (line) => notes.push(line),
      platform,
      packages: { [platform]: nodePackage },
    });
    return { ...found, noted: notes.join("\n") };
  };
  const refusal = (...given: Parameters<typeof find>) =>
    find(...given).then(() => "found", messageOf);
  const leftIn = (cache: string) => readdirSync(join(cache, "manifold/node"));

  test("the first start installs Node.js and prints its size and folder, and later starts use it again", async () => {
    const cache = emptyCache();
    const folder = join(cache, "manifold/node/26.10.0-test-x64");
    mkdirSync(join(cache, "manifold/node/.part-killed"), { recursive: true, mode: 0o700 });
    utimesSync(join(cache, "manifold/node/.part-killed"), 0, 0);
    const before = served.downloadCount();
    const first = await find(cache);
    assert.is(first.program, join(folder, "bin/node"));
    assert.match(first.noted, "needs Node 26 or newer, but this is Node 20.19.0");
    assert.match(first.noted, `in ${folder} (once; about 60 MB to download, 150 MB on disk)`);
    assert.ok(existsSync(first.program));
    assert.is(existsSync(join(folder, "include")), false);
    assert.equal(leftIn(cache), ["26.10.0-test-x64"]);
    const again = await find(cache, { PATH: "", npm_execpath: "" });
    assert.equal([again.program, again.noted], [first.program, ""]);
    assert.is(served.downloadCount(), before + 1);
  });

  test("without npm or without a package for the platform, the message says how to install Node.js", async () => {
    const advice = "Install Node 26 or newer from https://nodejs.org, put it first on the PATH";
    const environment = { XDG_CACHE_HOME: emptyCache(), PATH: "", npm_execpath: "/opt/pnpm.cjs" };
    const { nodePackage } = served;
    const options = { environment, version: "20.19.0", note: () => undefined };
    const failures = await Promise.all(
      [{ platform: "linux-x64-musl" }, { platform, packages: { [platform]: nodePackage } }].map(
        (more) => findOwnNode({ ...options, ...more }).then(() => "found", messageOf),
      ),
    );
    assert.match(failures[0] ?? "", "npm has no Node for this platform (linux-x64-musl)");
    // npm is next to the Node.js of some machines.
    if (failures[1] !== "found") assert.match(failures[1] ?? "", advice);
    assert.match(failures[0] ?? "", advice);
  });

  test("a cache folder that other users can write to is refused", async () => {
    const cache = emptyCache();
    mkdirSync(join(cache, "manifold"));
    chmodSync(join(cache, "manifold"), 0o777);
    assert.match(
      await refusal(cache),
      `the folder ${join(cache, "manifold")} must belong to you, and only you may write to it`,
    );
  });

  test("if the cache folder cannot be created, the error names the folder and the setting that replaces it", async () => {
    const message = await refusal("/dev/null");
    assert.match(message, "/dev/null/manifold cannot be created (ENOTDIR); set XDG_CACHE_HOME");
  });

  test.deep("two first starts at the same time both find Node.js", async () => {
    const cache = emptyCache();
    const found = await Promise.all([find(cache), find(cache)]);
    assert.is(found[0]?.program, found[1]?.program);
    assert.equal(leftIn(cache), ["26.10.0-test-x64"]);
  });

  test.deep("a package that does not match its checksum is not installed", async () => {
    const cache = emptyCache();
    const integrity = `sha512-${Buffer.alloc(64).toString("base64")}`;
    const message = await refusal(
      cache,
      {},
      { ...served, nodePackage: { ...served.nodePackage, integrity } },
    );
    assert.match(message, "EINTEGRITY");
    assert.equal(leftIn(cache), []);
  });

  test.deep("without a registry, the message contains npm's reason and what to do", async () => {
    const cache = emptyCache();
    const environment = {
      ...served.environment,
      npm_config_registry: "http://127.0.0.1:9",
      npm_config_cache: join(cache, "npm"),
    };
    const message = await refusal(cache, {}, { ...served, environment });
    assert.match(
      message,
      "npm could not install node-test-x64@26.10.0:\n  npm error code ECONNREFUSED",
    );
    assert.match(
      message,
      "Connect this machine to the npm registry and start again. Or: install Node 26",
    );
    assert.equal(leftIn(cache), []);
  });

  test.deep("a program that has another version or does not run is not installed", async () => {
    for (const [script, reason] of [
      ["#!/bin/sh\necho v25.0.0\n", "does not run on this machine"],
      ["#!/bin/sh\necho 'GLIBC_2.38 not found' >&2\nexit 1\n", "GLIBC_2.38 not found"],
    ] as const) {
      const other = await servePackage(script);
      const cache = emptyCache();
      try {
        assert.match(await refusal(cache, {}, other), reason);
        assert.equal(leftIn(cache), []);
      } finally {
        await other.close();
      }
    }
  });
});
