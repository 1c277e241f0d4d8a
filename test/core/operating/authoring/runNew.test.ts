import { appendFileSync, mkdtempSync, rmSync, symlinkSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { runPluginCommand } from "../../../../core/operating/authoring/index.ts";
import { runDev } from "../../../../core/operating/authoring/runDev.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const root = join(import.meta.dirname, "../../../..");

suite("core/operating/authoring/runNew", (test) => {
  let dir: string;
  const here = process.cwd();
  test.before(() => {
    dir = mkdtempSync(join(tmpdir(), "manifold-new-"));
    mkdirSync(join(dir, "node_modules"));
    symlinkSync(root, join(dir, "node_modules/manifold"));
    process.chdir(dir);
  });
  test.after(() => {
    process.chdir(here);
    rmSync(dir, { recursive: true, force: true });
  });

  async function run(...args: string[]) {
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    const status = await runPluginCommand(args, { environment: {}, write, note: write });
    return { status, text: lines.join("\n") };
  }

  for (const kind of ["rows", "rest", "sql"])
    (kind === "rows" ? test : test.deep)(
      `a new plugin of kind ${kind} passes the check without changes`,
      async () => {
        const made = await run("new", `my-${kind}`, "--kind", kind);
        assert.is(made.status, 0, made.text);
        assert.match(made.text, `npx manifold plugin check my-${kind}`);
        const queries = String(rounds({ quick: 150, deep: 2500 }));
        const checked = await run("check", `my-${kind}`, "--seed", "1", "--queries", queries);
        assert.is(checked.status, 0, checked.text);
        assert.match(checked.text, /passed: \d+ proved, 0 wrong/);
      },
    );

  test("plugin new fails for an invalid name, an invalid kind and an existing folder, and its errors name them", async () => {
    mkdirSync(join(dir, "taken"));
    for (const [args, why] of [
      [[], /plugin new takes one name/],
      [["My Plugin"], /lowercase letters.*unlike "My Plugin"/],
      [["../out"], /unlike "\.\.\/out"/],
      [["x", "--kind", "soap"], /--kind must be rows, rest, sql, not "soap"/],
      [["taken"], /taken already exists/],
    ] as const) {
      const { status, text } = await run("new", ...args);
      assert.is(status, 2);
      assert.match(text, why);
    }
  });

  test.deep(
    "plugin bench prints the times of each kind of query that a plugin supports",
    async () => {
      await run("new", "measured");
      const { status, text } = await run("bench", "measured", "--rounds", "3");
      assert.is(status, 0, text);
      assert.match(
        text,
        /trips: all rows +begins \d+\.\d \/ \d+\.\d +ends \d+\.\d \/ \d+\.\d +\d+ KB/,
      );
    },
  );

  test.deep(
    "plugin dev prints each query, reloads a changed plugin, and stops when its process is stopped",
    async () => {
      await run("new", "living");
      const stop = Promise.withResolvers<void>();
      let heard = Promise.withResolvers<void>();
      const lines: string[] = [];
      const write = (line: string) => {
        lines.push(line);
        heard.resolve();
        heard = Promise.withResolvers();
      };
      const until = async (wanted: RegExp) => {
        while (!lines.some((line) => wanted.test(line))) await heard.promise;
      };
      const environment = { PLUGIN_SECRET: "dev-secret" };
      const ended = runDev(["living"], { environment, write, note: write }, () => stop.promise);
      await until(/register it at a host/);
      const url = /http:\S+/.exec(lines.join("\n"))?.[0] ?? "";
      const send = () =>
        fetch(`${url}/query`, {
          method: "POST",
          headers: { "x-secret": "dev-secret" },
          body: '{"id":"trips","columns":[{"column_id":"city"}],"filters":[],"options":{"pushdown":false}}',
        });
      assert.is((await send()).status, 200);
      await until(/ms {2}trips \[rows\] city {2}→ 3 rows/);
      appendFileSync(join(dir, "living/plugin.ts"), "// Changed.\n");
      await until(/loaded again/);
      assert.is((await send()).status, 200);
      stop.resolve();
      assert.is(await ended, 0);
      assert.not.match(lines.join("\n"), "dev-secret");
    },
  );
});
