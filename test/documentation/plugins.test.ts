import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { root } from "../../docs/.vitepress/pages.ts";
import { runPluginCommand } from "../../core/operating/authoring/index.ts";
import { suite } from "../support/suite.ts";
import { withCompiled } from "./compileBlock.ts";
import { blocksFor } from "./readBlocks.ts";
import { startProgram } from "./startProgram.ts";

const blocks = blocksFor("docs/PLUGINS.md", "plugins");
const [commands, proving] = blocks.filter(({ language }) => language === "sh");
const [smallest, capable] = blocks.filter(({ language }) => language === "ts");
const secret = "change-me";

const environment = { SECRET: secret, PLUGIN_SECRET: secret };
const start = (file: string, args: readonly string[], cwd: string, text: string) =>
  startProgram(file, args, text, { cwd, environment });

/** Runs the conformance kit on a plugin. Returns the kit's report. */
async function check(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const status = await runPluginCommand(["check", ...args], { environment, write, note: write });
  const report = lines.join("\n");
  assert.is(status, 0, report);
  return report;
}

suite("documentation/plugins", (test) => {
  test.deep(
    "the smallest documented plugin compiles, serves its rows and passes the conformance kit",
    () =>
      withCompiled(smallest!, { replaced: { "port: 7070": "port: 0" } }, async (file) => {
        const flags = ["--conditions=manifold-source", file];
        const { line, end } = await start(process.execPath, flags, dirname(file), "listens");
        try {
          const [url = ""] = /http:\S+/.exec(line) ?? [];
          assert.match(await check(url, "--queries", "200"), / 0 wrong/);
        } finally {
          await end();
        }
      }),
  );

  test.deep(
    "the documented plugin with capabilities compiles, and the conformance kit proves its capabilities",
    () =>
      withCompiled(capable!, {}, async (file) => {
        renameSync(file, join(dirname(file), "plugin.ts"));
        const report = JSON.parse(
          await check(dirname(file), "--report", "json", "--queries", "500"),
        );
        const proved = (report.claims as readonly { claim: string; verdict: string }[])
          .filter(({ verdict }) => verdict === "proved")
          .map(({ claim }) => claim);
        for (const claim of ["projection", "filters.operators.=.hierarchy"])
          assert.ok(proved.includes(claim), proved.join());
      }),
  );

  test.deep(
    "the documented commands generate, check, measure and run a plugin in an empty folder",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
      mkdirSync(join(folder, "node_modules/@manifold-analytics"), { recursive: true });
      symlinkSync(join(root, "plugins"), join(folder, "node_modules/@manifold-analytics/plugin"));
      const main = join(root, "core/cli/main.ts");
      const [install, ...others] = commands!.text.split("\n");
      const dev = others.pop() ?? "";
      try {
        assert.is(install, "npm install @manifold-analytics/host");
        assert.match(dev, "plugin dev");
        const functions = `npm() { :; }\nnpx() { shift; "${process.execPath}" --conditions=manifold-source "${main}" "$@"; }\n`;
        const made = await start(
          "bash",
          ["-euc", `${functions}${others.join("\n")}\necho done: made`],
          folder,
          "done: made",
        );
        assert.is(made.line, "done: made");
        const [, args = ""] = /^npx @manifold-analytics\/host ([^#]+)/.exec(dev) ?? [];
        const words = args.trim().split(" ");
        const running = await start(
          process.execPath,
          ["--conditions=manifold-source", main, ...words],
          folder,
          "http://",
        );
        assert.match(running.line, "http://127.0.0.1:");
        try {
          const [url = ""] = /http:\/\/[\w.:]+/.exec(running.line) ?? [];
          const text = proving!.text.replace("http://127.0.0.1:7070", url);
          const proved = await start(
            "bash",
            ["-euc", `${functions}${text}\necho done: proved`],
            folder,
            "done: proved",
          );
          assert.is(proved.line, "done: proved");
          assert.match(readFileSync(join(folder, "report.xml"), "utf8"), "<testsuite");
        } finally {
          await running.end();
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
