import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { runPluginCommand } from "../../core/operating/authoring/index.ts";
import { root } from "../../docs/.vitepress/pages.ts";
import { freePort } from "../../examples/support/freePort.ts";
import { openConsole } from "../core/web/console/openConsole.ts";
import { noteMissing } from "../support/layer.ts";
import { suite } from "../support/suite.ts";
import { exploredRain, exploreRain } from "./exploreRain.ts";
import { blocksFor } from "./readBlocks.ts";
import { startProgram } from "./startProgram.ts";

const run = promisify(execFile);
const blocks = blocksFor("plugins/python/README.md", "python");
const tutorial = blocksFor("docs/tutorials/PYTHON_PLUGIN.md", "python");
const environment = { PYTHONPATH: join(root, "plugins/python/src"), PYTHONDONTWRITEBYTECODE: "1" };
const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
/** Replaces npm and npx in the tutorial. Nothing is installed, and the `manifold` command runs from these sources. */
const prelude = `
npm() { :; }
npx() { shift; "${process.execPath}" --conditions=manifold-source "${join(root, "core/cli/main.ts")}" "$@"; }
`;

const fill = `
import sqlite3
with sqlite3.connect("trips.sqlite") as database:
    database.execute("create table trips (city text, km real, at text)")
    rows = [("Ghent", 3.5, "2024-01-07"), ("ghent", -1, "2024-01-08 10:00:00"), (None, 5, None)]
    database.executemany("insert into trips values (?, ?, ?)", rows)
`;

suite("documentation/python", (test) => {
  if (!hasPython) {
    noteMissing("python3 of version 3.9 or newer, for the blocks of plugins/python");
    return;
  }

  for (const [name, page, claims] of [
    ["rows", "plugins/python/README.md", []],
    ["sqlite", "plugins/python/README.md", ["grouping.levels.month"]],
    [
      "list",
      "docs/tutorials/PYTHON_PLUGIN.md",
      [
        "filters.operators.!=.hierarchy",
        "filters.operators.>=.datetime",
        "filters.nested",
        "grouping.aggregations.sum",
      ],
    ],
  ] as const)
    test.deep(`the plugin ${name} of ${page} passes the conformance kit`, async () => {
      const block = [...blocks, ...tutorial].find(({ marks }) => marks.includes(name));
      assert.ok(block);
      const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
      try {
        await run("python3", ["-c", fill], { cwd: folder });
        writeFileSync(join(folder, "plugin.py"), block.text.replace(/port=707\d/, "port=0"));
        const options = { cwd: folder, environment };
        const { line, end } = await startProgram("python3", ["plugin.py"], "listens", options);
        try {
          const [url = ""] = /http:\S+/.exec(line) ?? [];
          const lines: string[] = [];
          const write = (each: string) => void lines.push(each);
          const status = await runPluginCommand(["check", url, "--queries", "300"], {
            environment: { PLUGIN_SECRET: "change-me" },
            write,
            note: write,
          });
          assert.is(status, 0, lines.join("\n"));
          const report = lines.join("\n");
          assert.match(report, " 0 wrong");
          const [, proved = ""] = /^proved \(\d+\): (.*)$/m.exec(report) ?? [];
          for (const claim of claims) assert.ok(proved.split(", ").includes(claim), report);
        } finally {
          await end();
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

  test.deep(
    "both versions of the plugin in the Python tutorial pass the kit, and the explorer draws the second version's rows",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
      const port = String(await freePort());
      const opened = await openConsole({ egressAllow: [`127.0.0.1:${port}`] });
      const { key, token } = opened.pair;
      const textOf = (language: string, index: number) => {
        const block = tutorial.filter((each) => each.language === language)[index];
        return (block?.text ?? "")
          .replaceAll("7071", port)
          .replaceAll("http://127.0.0.1:4000", opened.url);
      };
      const own = {
        PYTHONDONTWRITEBYTECODE: "1",
        PLUGIN_SECRET: "",
        MANIFOLD_KEY: key,
        MANIFOLD_TOKEN: token,
      };
      const env = { ...process.env, NODE_OPTIONS: "", ...own };
      const [goThere, createData, start, check, checkAgain, startHost, , connect] = Array.from(
        { length: 8 },
        (_, index) => textOf("sh", index),
      );
      try {
        const scope = join(folder, "rain/node_modules/@manifold-analytics");
        mkdirSync(scope, { recursive: true });
        symlinkSync(join(root, "plugins"), join(scope, "plugin"));
        await run("bash", ["-euc", `${prelude}${goThere}\n${createData}`], { cwd: folder, env });
        const proved: string[] = [];
        for (const [index, command] of [check, checkAgain].entries()) {
          writeFileSync(join(folder, "rain/plugin.py"), textOf("py", index));
          const { end } = await startProgram(
            "bash",
            ["-euc", `${prelude}${goThere}\nexec ${start}`],
            `The plugin listens on http://127.0.0.1:${port}`,
            { cwd: folder, environment: own },
          );
          try {
            const { stdout } = await run("bash", ["-euc", `${prelude}${command}`], {
              cwd: join(folder, "rain"),
              env,
            });
            assert.match(stdout, / 0 wrong/);
            proved.push(stdout);
            if (index === 0) continue;
            const serve = `MANIFOLD_EGRESS_ALLOW=127.0.0.1:${port} npx manifold serve --data-dir data`;
            assert.is(startHost, serve);
            writeFileSync(join(folder, "rain/connect.py"), textOf("py", 2));
            const printed = await run("bash", ["-euc", `${prelude}${goThere}\n${connect}`], {
              cwd: folder,
              env,
            });
            const [, path = ""] =
              /^http:\/\/[^/]+(\/explore\/[\da-f-]{36})$/m.exec(printed.stdout) ?? [];
            const page = await opened.openPage(path);
            assert.equal(await exploreRain(page), exploredRain);
            assert.equal(opened.reports, []);
          } finally {
            await end();
          }
        }
        const countOf = (report = "") => Number(/passed: (\d+) proved/.exec(report)?.[1]);
        assert.ok(countOf(proved[1]) > countOf(proved[0]) + 20, proved.join("\n"));
        for (const claim of ["filters.operators.=.hierarchy", "grouping.levels.month"])
          assert.ok(proved[1]?.includes(claim), claim);
      } finally {
        await opened.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
