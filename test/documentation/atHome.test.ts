import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { SaxesParser } from "saxes";
import * as assert from "uvu/assert";
import { root, textOf } from "../../docs/.vitepress/pages.ts";
import { freePort } from "../../examples/support/freePort.ts";
import { findOldNode } from "../support/findOldNode.ts";
import { findProgram } from "../support/findProgram.ts";
import { noteMissing } from "../support/layer.ts";
import { processesNaming } from "../support/npmProcess.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { type PackedHost, packHost } from "../support/packHost.ts";
import { suite } from "../support/suite.ts";
import { ctrlC, missingTerminal, openTerminal } from "../support/terminal.ts";
import { buildHousehold } from "./buildHousehold.ts";
import { blocksFor } from "./readBlocks.ts";

const run = promisify(execFile);
const tutorial = "docs/tutorials/AT_HOME.md";
const dayTwo = "docs/AT_HOME.md";
const link = /http:\/\/127\.0\.0\.1:\d+\/#sign-in=[\w-]{43}/;
const oldNode = findOldNode();
const noOldNode =
  oldNode === undefined ? "the machine's own Node.js, of version 20 to 25" : undefined;
if (noOldNode !== undefined) noteMissing(noOldNode);
const systemdAnalyze = findProgram("systemd-analyze");
const inTutorial = blocksFor(tutorial, "atHome").map(({ text }) => text);
const [files = "", start = "", addLine = ""] = inTutorial;
const onDayTwo = blocksFor(dayTwo, "atHome").map(({ text }) => text);
const [again = "", open = "", backUp = "", restore = "", , service = "", , agent = ""] = onDayTwo;

suite("documentation/atHome", (test) => {
  const folders: string[] = [];
  const emptyHome = () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "manifold-home-")));
    folders.push(home);
    return home;
  };
  let packed: Promise<PackedHost> | undefined;
  let browser: Promise<Browser> | undefined;
  test.after(async () => {
    await (await browser)?.close();
    // A failed build has already failed its tests.
    await packed?.then(({ remove }) => remove()).catch(() => undefined);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** The environment of a person whose home folder is empty and whose `node` is in a folder. */
  const environmentOf = async (home: string, nodeFolder: string) => ({
    HOME: home,
    SHELL: "/bin/bash",
    TERM: "xterm",
    PATH: `${nodeFolder}:/usr/bin:/bin`,
    MANIFOLD_PORT: String(await freePort()),
    // Downloads of earlier runs are used again.
    npm_config_cache: join(homedir(), ".npm"),
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => name.startsWith("npm_config_registry")),
    ),
  });
  /** Installs the packed packages into a folder, so that npx finds them there. Returns npm's output. */
  const install = async (folder: string, env: Readonly<Record<string, string>>) => {
    mkdirSync(folder, { recursive: true });
    packed ??= packHost();
    const { tarballs } = await packed;
    const flags = ["install", "--no-audit", "--no-fund", "--prefer-offline"];
    const { stdout, stderr } = await run("npm", [...flags, ...tarballs], { cwd: folder, env });
    return stdout + stderr;
  };
  const nobodyLeft = async (home: string) => {
    while (processesNaming(home).length > 0) await pause(100);
  };

  test("the labels that the At home pages name exist in the console", () => {
    const words = globSync("core/web/console/**/*ords/en.ts", { cwd: root })
      .map((path) => readFileSync(join(root, path), "utf8"))
      .join("\n");
    const labels = [tutorial, dayTwo].flatMap((page) =>
      Array.from(textOf(page).matchAll(/\*\*([^*.]+)\*\*/g), ([, label = ""]) => label),
    );
    assert.ok(labels.length > 25, String(labels.length));
    const patterns = labels.map((label) => label.replace(/ \d+.*$/, " ${"));
    assert.equal(
      patterns.filter((label) => !words.includes(`"${label}"`) && !words.includes(`\`${label}`)),
      [],
    );
  });

  test("this test runs exactly the shell blocks of the day-two page", () => {
    assert.equal(
      onDayTwo.map((text) => text.split("\n").at(-1)),
      [
        "npx @manifold-analytics/host --file-folders ~/household",
        "npx @manifold-analytics/host open",
        "cp .manifold/secret ~/manifold-secret",
        "cp ~/manifold-secret restored/secret",
        "npm install @manifold-analytics/host",
        "END",
        "journalctl --user -u manifold -n 20",
        "END",
        "launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/manifold.plist",
      ],
    );
    assert.is(again.split("\n")[1], start.split("\n")[1]);
  });

  test("the agent for macOS is a valid property list that starts the installed command", () => {
    const home = emptyHome();
    execFileSync("bash", ["-euc", agent], { env: { HOME: home, PATH: "/usr/bin:/bin" } });
    const parser = new SaxesParser();
    const strings: string[] = [];
    parser.on("error", (failure) => assert.unreachable(failure.message));
    parser.on("text", (text) => text.trim() && strings.push(text.trim()));
    parser.write(readFileSync(join(home, "Library/LaunchAgents/manifold.plist"), "utf8")).close();
    const at = strings.indexOf("ProgramArguments");
    assert.equal(strings.slice(at + 1, at + 3), [
      join(home, "manifold/node_modules/.bin/manifold"),
      "serve",
    ]);
    assert.is(strings[strings.indexOf("WorkingDirectory") + 1], join(home, "manifold"));
  });

  test.deep("systemd accepts the documented user service", async () => {
    const home = emptyHome();
    if (systemdAnalyze === undefined) return noteMissing("systemd-analyze");
    const command = join(home, "manifold/node_modules/.bin/manifold");
    mkdirSync(dirname(command), { recursive: true });
    writeFileSync(command, "#!/bin/sh\n");
    chmodSync(command, 0o755);
    const env = { HOME: home, PATH: "/usr/bin:/bin", XDG_RUNTIME_DIR: home };
    execFileSync("bash", ["-euc", service], { env });
    const unit = join(home, ".config/systemd/user/manifold.service");
    const { stderr } = await run(systemdAnalyze, ["--user", "verify", unit], { env });
    assert.not.match(stderr, "manifold.service");
    writeFileSync(unit, readFileSync(unit, "utf8").replace("ExecStart", "ExecBegin"));
    const wrong = await run(systemdAnalyze, ["--user", "verify", unit], { env }).catch(
      (failure: { readonly stderr: string }) => failure,
    );
    assert.match(wrong.stderr, "manifold.service");
  });

  const declare =
    missingTerminal === undefined ? test.deep : () => noteMissing(missingTerminal ?? "");

  if (oldNode !== undefined)
    declare(
      "a person with Node 20 turns a folder of CSV files into a dashboard, signs in again, backs up and restores",
      async () => {
        const home = emptyHome();
        const cwd = join(home, "manifold");
        const env = await environmentOf(home, oldNode);
        const bash = (text: string) => run("bash", ["-euc", text], { cwd: home, env });
        await bash(files);
        assert.not.match(await install(cwd, env), "EBADENGINE");
        const terminal = openTerminal(start, { cwd: home, env });
        await terminal.written(/Manifold listens on/);
        const printed = terminal.text();
        const cache = join(home, ".cache/manifold/node");
        assert.match(printed, `Installing Node 26.10.0 for manifold only, in ${cache}/`);
        assert.match(printed, `Data in ${cwd}/.manifold (a new data folder;`);
        const [shown = ""] = link.exec(printed) ?? [];
        browser ??= openBrowser();
        const page = await (await browser).newPage({ locale: "en-US", timezoneId: "UTC" });
        await page.goto(shown);
        await buildHousehold(page, join(home, "household"));
        const board = page.url();
        await bash(addLine);
        const grown = page.locator("svg text", { hasText: "816.25" }).first();
        while ((await grown.count()) === 0) {
          await pause(2_000);
          await page.goto(board);
          await page.locator("svg text", { hasText: "night" }).first().waitFor();
        }
        const opened = await bash(open);
        const other = await (await browser).newContext();
        const signedIn = await other.newPage();
        await signedIn.goto(link.exec(opened.stdout)?.[0] ?? "");
        await signedIn.getByRole("link", { name: "Household" }).first().waitFor();
        await bash(backUp);
        terminal.type(ctrlC);
        await terminal.ended;
        await nobodyLeft(home);
        await bash(restore);
        const restored = openTerminal(
          `cd ~/manifold\nnpx @manifold-analytics/host --data-dir restored --file-folders ~/household`,
          { cwd: home, env },
        );
        await restored.written(/Manifold listens on/);
        assert.match(restored.text(), `Data in ${cwd}/restored\n`);
        assert.not.match(restored.text(), "Installing Node");
        await signedIn.goto(link.exec(restored.text())?.[0] ?? "");
        await signedIn.getByRole("link", { name: "Household" }).first().waitFor();
        // The process that npx started, which runs the host with another Node.js.
        const [launcher = ""] = processesNaming(join(cwd, "node_modules/.bin/manifold"));
        process.kill(Number.parseInt(launcher, 10), "SIGTERM");
        await restored.ended;
        await nobodyLeft(home);
      },
    );

  declare(
    "a person with Node 26 starts, stops and starts again with the same folder and a new link",
    async () => {
      const home = emptyHome();
      const cwd = join(home, "manifold");
      const env = await environmentOf(home, dirname(process.execPath));
      await run("bash", ["-euc", files], { cwd: home, env });
      await install(cwd, env);
      const links: string[] = [];
      for (const block of [start, again]) {
        const terminal = openTerminal(block, { cwd: home, env });
        await terminal.written(/Manifold listens on/);
        const printed = terminal.text();
        assert.is(printed.includes("(a new data folder"), block === start);
        links.push(link.exec(printed)?.[0] ?? "");
        terminal.type(ctrlC);
        await terminal.ended;
        await nobodyLeft(home);
      }
      assert.is(new Set(links).size, 2);
      assert.is(existsSync(join(home, ".cache/manifold/node")), false);
    },
  );
});
