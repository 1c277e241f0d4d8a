import * as assert from "uvu/assert";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { platform } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { suite } from "../support/suite.ts";
import type { TestServer } from "../support/testServer.ts";
import { createReport } from "./report.ts";
import { runFiles, type FileResult, type RunOptions } from "./runFiles.ts";

const fileOf = (body: string) =>
  `import * as assert from ${JSON.stringify(import.meta.resolve("uvu/assert"))};
   import { suite } from ${JSON.stringify(new URL("../support/suite.ts", import.meta.url).href)};
   suite("a suite", (test) => { ${body} });`;

async function run(
  files: Readonly<Record<string, string>>,
  processCount = 2,
  env?: NodeJS.ProcessEnv,
  options: Partial<RunOptions> = {},
): Promise<Map<string, FileResult>> {
  const root = mkdtempSync(join(tmpdir(), "manifold-run-"));
  const results = new Map<string, FileResult>();
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    await runFiles({
      root,
      files: Object.keys(files),
      processCount,
      ...(env && { env: { ...process.env, ...env } }),
      onResult: (result) => void results.set(result.file, result),
      ...options,
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return results;
}

async function isGone(processId: number): Promise<boolean> {
  for (let looks = 0; looks < 500; looks++) {
    try {
      process.kill(processId, 0);
    } catch {
      return true;
    }
    await wait(20);
  }
  return false;
}

const passing = fileOf(`test("one is one", () => assert.is(1, 1));`);

suite("test/run/runFiles", (test) => {
  test("a test process requests each package set once, and a test fails if its set cannot be installed", async () => {
    const module = JSON.stringify(new URL("../support/findPackages.ts", import.meta.url).href);
    const findingPackages = (name: string) =>
      fileOf(`test("packages", async () => {
        const { findPackages } = await import(${module});
        assert.is(await findPackages(${JSON.stringify(name)}), "/installed/docs");
      });`);
    const installed: string[] = [];
    const files = {
      "a.test.ts": findingPackages("docs"),
      "b.test.ts": findingPackages("docs"),
      "c.test.ts": findingPackages("peers"),
    };
    const results = await run(files, 1, undefined, {
      async installPackages(name) {
        installed.push(name);
        if (name !== "docs") throw new Error(`${name} could not be installed`);
        return `/installed/${name}`;
      },
    });
    assert.equal(installed, ["docs", "peers"]);
    assert.equal(
      [...results.values()].map(({ passedCount }) => passedCount),
      [1, 1, 0],
    );
    assert.match(results.get("c.test.ts")?.output ?? "", "peers could not be installed");
  });

  test("each test file has counts and output of its own, even if files share a process", async () => {
    const results = await run({
      "a.test.ts": passing,
      "deep/b.test.ts": fileOf(
        `test("one is one", () => assert.is(1, 1)); test("one is two", () => assert.is(1, 2));`,
      ),
      "c.test.ts": passing,
    });
    const counts = [...results.values()].map(({ file, passedCount, totalCount }) => [
      file,
      passedCount,
      totalCount,
    ]);
    assert.equal(counts.toSorted(), [
      ["a.test.ts", 1, 1],
      ["c.test.ts", 1, 1],
      ["deep/b.test.ts", 1, 2],
    ]);
    assert.match(results.get("deep/b.test.ts")?.output ?? "", /FAIL.*a suite.*one is two/);
  });

  test("a test file that cannot be loaded or kills its process fails, and later files still run", async () => {
    const results = await run(
      {
        "broken.test.ts": `import "./nowhere.ts";`,
        "gone.test.ts": fileOf(`test("it ends", () => process.kill(process.pid, "SIGKILL"));`),
        "late.test.ts": passing,
      },
      1,
    );
    const outputs = ["broken", "gone"].map((name) => results.get(`${name}.test.ts`));
    for (const result of outputs) {
      assert.is(result?.passedCount, 0);
      assert.is(result?.totalCount, 1);
    }
    assert.match(outputs[0]?.output ?? "", /FAIL  the file could not be run[^]*nowhere/);
    assert.match(outputs[1]?.output ?? "", "FAIL  the process of this file exited (SIGKILL)");
    assert.is(results.get("late.test.ts")?.passedCount, 1);
  });

  test.deep(
    "a test that exceeds its time limit kills its process and all child processes, and later files still run",
    async () => {
      const results = await run(
        {
          "hung.test.ts": `import { spawn } from "node:child_process";
          ${fileOf(`test("it hangs", async () => {
            const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"]);
            process.stderr.write("child " + child.pid + " ");
            await new Promise(() => undefined);
          });`)}`,
          "late.test.ts": passing,
        },
        1,
        { LIMIT_MS: "1500" },
      );
      const { output = "", totalCount, passedCount } = results.get("hung.test.ts") ?? {};
      assert.equal([totalCount, passedCount], [1, 0]);
      assert.match(output, /FAIL {2}a suite {2}"it hangs"\n {4}it took more than 1500 ms/);
      const child = Number(/child (\d+)/.exec(output)?.[1]);
      if (platform === "linux") assert.ok(await isGone(child), `process ${child}`);
      else process.kill(child);
      assert.is(results.get("late.test.ts")?.passedCount, 1);
    },
  );

  test("a test process that would stay alive because of open resources exits, and its last file fails", async () => {
    const open = `test("it passes", () => { setInterval(() => undefined, 1000); });`;
    const results = await run({ "open.test.ts": fileOf(open) }, 1, { LIMIT_MS: "500" });
    const { output = "", passedCount } = results.get("open.test.ts") ?? {};
    assert.is(passedCount, 0);
    assert.match(output, "these resources are still open");
  });

  test("a test report ends with the counts and with a command that reruns each failure", () => {
    let text = "";
    const report = createReport({
      layer: "quick",
      write(written) {
        text += written;
      },
    });
    const result = {
      skippedCount: 0,
      durationMs: 5,
      processorMs: 7,
      output: "",
      deepTitles: [],
      missing: [],
    };
    report.add({ ...result, file: "a/good.test.ts", totalCount: 3, passedCount: 3 });
    const output = 'before\n   FAIL  a suite  "one is two"\n    SEED=17: expected 2';
    report.add({ ...result, file: "a/bad.test.ts", totalCount: 2, passedCount: 1, output });
    text = "";
    assert.is(report.end(0), false);
    assert.match(
      text,
      "a/bad.test.ts\n   SEED=17 TITLE='one is two' npm test -- a/bad\n   FAIL  a suite  \"one is two\"\n",
    );
    assert.not.match(text, "before");
    assert.match(text, /\n4 passed, 1 failed, 0 skipped\n$/);
  });

  test("a test report lists the twenty files that use the most processor time, including time on servers", () => {
    let text = "";
    const report = createReport({ layer: "quick", write: (written) => void (text += written) });
    const result = { totalCount: 1, passedCount: 1, skippedCount: 0, durationMs: 5, output: "" };
    for (let cost = 1; cost <= 21; cost++)
      report.add({
        ...result,
        file: `cost${cost}.test.ts`,
        processorMs: cost * 1000,
        deepTitles: [],
        missing: [],
      });
    text = "";
    report.end(0, new Map(), { serverMs: new Map([["cost3.test.ts", 4500]]) });
    const [own = "", servers = ""] = text.split("shared servers.");
    assert.match(own, "\n   21.0 s  cost21.test.ts\n   20.0 s  cost20.test.ts\n");
    assert.not.match(own, " cost1.test.ts");
    assert.match(servers, "\n    4.5 s  cost3.test.ts\n");
    text = "";
    report.end(0, new Map(), { serverMs: undefined });
    assert.match(text, "does not report server time");
  });

  test("the runner is notified once of each server that a test file uses and each database that it opens", async () => {
    const server = `import { sharedServer } from ${JSON.stringify(new URL("../support/sharedServer.ts", import.meta.url).href)};
      ${fileOf(`test("it finds it twice", async () => {
        for (const time of [1, 2]) assert.is((await sharedServer.find("postgres")).port, time && 7);
        sharedServer.noteDatabase("test_one");
      });`)}`;
    const begun: string[] = [];
    const used: (readonly unknown[])[] = [];
    await run({ "a.test.ts": server, "b.test.ts": passing, "c.test.ts": server }, 1, undefined, {
      findServer: async () => ({ port: 7 }) as TestServer,
      onBegin: (file) => void begun.push(file),
      onUse: (...each) => void used.push(each),
    });
    assert.equal(begun, ["a.test.ts", "b.test.ts", "c.test.ts"]);
    assert.equal(
      used,
      ["a.test.ts", "c.test.ts"].flatMap((file) => [
        [file, "postgres", undefined],
        [file, "postgres", "test_one"],
      ]),
    );
  });

  test("no further test file starts once the signal is aborted", async () => {
    const late = new AbortController();
    const results = await run({ "a.test.ts": passing, "b.test.ts": passing }, 1, undefined, {
      signal: late.signal,
      onBegin: () => late.abort(),
    });
    assert.equal([...results.keys()], ["a.test.ts"]);
  });

  test("the quick layer skips deep tests, and both layers report the titles of deep tests", async () => {
    const files = {
      "a.test.ts": fileOf(
        `test("one is one", () => assert.is(1, 1)); test.deep("two is two", () => assert.is(2, 2));`,
      ),
    };
    const quick = (await run(files, 1, { MANIFOLD_TESTS: "quick" })).get("a.test.ts");
    const deep = (await run(files, 1, { MANIFOLD_TESTS: "deep" })).get("a.test.ts");
    assert.equal([quick?.passedCount, quick?.skippedCount], [1, 1]);
    assert.equal([deep?.passedCount, deep?.skippedCount], [2, 0]);
    assert.equal(quick?.deepTitles, ["a suite: two is two"]);
    let text = "";
    const report = createReport({ layer: "deep", write: (written) => void (text += written) });
    for (const result of [quick, deep]) assert.equal(result?.deepTitles, ["a suite: two is two"]);
    if (deep) report.add(deep);
    assert.is(report.end(0), true);
    assert.match(text, "Only in this layer:\n  a suite: two is two\n");
  });

  test("a suite whose server is not installed is skipped, and the summary names the suite and the server", async () => {
    const body = `
      test.before(() => { throw new Error("not reached"); });
      test("one is two", () => assert.is(1, 2));
    }, { missing: "a server (install it)" }); if (0) suite("", () => {`;
    const result = (await run({ "a.test.ts": fileOf(body) }, 1)).get("a.test.ts");
    assert.equal([result?.totalCount, result?.skippedCount], [0, 1]);
    let text = "";
    const report = createReport({ layer: "quick", write: (written) => void (text += written) });
    if (result) report.add(result);
    report.end(0);
    assert.match(text, "Skipped:\n  a.test.ts: 1 skipped; needs a server (install it)\n");
    assert.match(text, /0 passed, 0 failed, 1 skipped\n$/);
  });

  test.deep("a test file's processor time includes its child processes", async () => {
    const spin = `const end = process.cpuUsage().user + 8e4; while (process.cpuUsage().user < end);`;
    const child = `import { execFileSync } from "node:child_process";
      execFileSync(process.execPath, ["-e", ${JSON.stringify(spin)}]);`;
    const results = await run({
      "busy.test.ts": `${spin}${passing}`,
      "parent.test.ts": `${child}${passing}`,
    });
    const of = (name: string) => results.get(`${name}.test.ts`)?.processorMs ?? 0;
    assert.ok(of("busy") >= 80, `${of("busy")} ms busy`);
    if (platform === "linux") assert.ok(of("parent") >= 80, `${of("parent")} ms in a child`);
  });

  test("the TITLE variable limits a run to tests whose titles contain its value", async () => {
    const body = `test("one", () => assert.is(1, 1)); test("two", () => assert.is(2, 1));`;
    const results = await run({ "a.test.ts": fileOf(body) }, 1, { TITLE: "one" });
    assert.is(results.get("a.test.ts")?.totalCount, 1);
    assert.is(results.get("a.test.ts")?.passedCount, 1);
  });

  test("a test run or a test file without tests fails", () => {
    const silent = createReport({ layer: "quick", write: () => undefined });
    assert.is(silent.end(0), false);
    silent.add({
      file: "a.test.ts",
      totalCount: 0,
      passedCount: 0,
      skippedCount: 0,
      durationMs: 1,
      processorMs: 1,
      deepTitles: [],
      missing: [],
      output: "",
    });
    assert.is(silent.end(0), false);
  });
});
