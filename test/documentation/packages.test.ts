import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { rolldown } from "rolldown";
import * as assert from "uvu/assert";
import { root } from "../../docs/.vitepress/pages.ts";
import { describedActions } from "../../core/http/openapi/operationOf.ts";
import { declarations } from "../../core/resources/index.ts";
import { freePort } from "../../examples/support/freePort.ts";
import { openDashboardHost, type DashboardHost } from "../core/web/embed/openDashboardHost.ts";
import { packageNames, scope, shell } from "../support/buildPackages.ts";
import { layer, noteDeep, noteMissing } from "../support/layer.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { measureInstalled, openPublished, type Published } from "../support/openPublished.ts";
import { suite } from "../support/suite.ts";
import { blocksFor } from "./readBlocks.ts";
import { startProgram } from "./startProgram.ts";

const run = promisify(execFile);

/**
 * For each package, its README, and the maximum number and size of all packages that are installed if it is installed
 * alone.
 */
const packages = {
  host: { page: "deploy/npm/host.md", mostPackages: 180, mostMb: 205 },
  plugin: { page: "deploy/npm/plugin.md", mostPackages: 45, mostMb: 12 },
  client: { page: "deploy/npm/client.md", mostPackages: 1, mostMb: 3 },
  embed: { page: "deploy/npm/embed.md", mostPackages: 1, mostMb: 4 },
} as const;

type Name = keyof typeof packages;

const blocksOf = (name: Name, language: string) =>
  blocksFor(packages[name].page, "packages")
    .filter((block) => block.language === language)
    .map(({ text }) => text);

/** The ways in which TypeScript programs resolve packages. */
const resolutions = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
] as const;

const link = /\]\(([^)\s]+)\)/g;

suite("documentation/packages", (test) => {
  let published: Published;
  const folders = new Map<Name, string>();
  const folderOf = (name: Name) => folders.get(name) ?? "";
  test.before(async () => {
    // Building and installing take minutes, and the quick layer only reads the READMEs.
    if (layer === "quick") return;
    published = await openPublished();
    for (const name of Object.keys(packages) as Name[]) {
      const [install = ""] = blocksOf(name, "sh").flatMap((text) => text.split("\n"));
      assert.is(install, `npm install ${scope}/${name}`);
      folders.set(name, await published.install(name, [`${scope}/${name}`]));
    }
  });
  test.after(() => published?.close());

  test("the README of each package shows how to install and use the package", () => {
    assert.equal(Object.keys(packages).toSorted(), [...packageNames].toSorted());
    for (const name of Object.keys(packages) as Name[]) {
      assert.ok(blocksOf(name, "sh").length > 0, name);
      assert.ok(blocksOf(name, "ts").length > 0, name);
    }
  });

  for (const [name, { mostPackages, mostMb }] of Object.entries(packages))
    test.deep(
      `${name}, installed by name into an empty folder, takes at most ${mostPackages} packages and ${mostMb} MB`,
      () => {
        const { packageCount, sizeMb } = measureInstalled(folderOf(name as Name));
        noteDeep(`documentation/packages: ${name} is ${packageCount} packages and ${sizeMb} MB`);
        assert.ok(packageCount <= mostPackages, `${packageCount} packages`);
        assert.ok(sizeMb <= mostMb, `${sizeMb} MB`);
      },
    );

  const installed = (name: Name) => join(folderOf(name), "node_modules", scope, name);

  test.deep("no page of a package links to a file that the package lacks", () => {
    for (const name of packageNames) {
      const pages = globSync("**/*.md", { cwd: installed(name) });
      assert.ok(pages.length > 5, name);
      const dead = pages.flatMap((page) => {
        const text = readFileSync(join(installed(name), page), "utf8");
        const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
        return Array.from(prose.matchAll(link), ([, target = ""]) => target)
          .filter((target) => !/^([a-z]+:|#)/.test(target))
          .filter((target) => {
            const path = join(installed(name), dirname(page), target.replace(/#.*/, ""));
            return !existsSync(path);
          })
          .map((target) => `${name}/${page}: ${target}`);
      });
      assert.equal(dead, []);
    }
  });

  test.deep(
    "the Python example in the package runs with the Python library in the package",
    async () => {
      if (spawnSync("python3", ["--version"]).status !== 0)
        return noteMissing("python3, for the Python library in the package");
      const program = `
import runpy
runpy.run_path("examples/python-plugin/plugin.py")
import manifold_plugin
print(manifold_plugin.__file__)
`;
      const { stdout } = await run("python3", ["-Bc", program], { cwd: installed("plugin") });
      const library = join(installed("plugin"), "python/src/manifold_plugin/__init__.py");
      assert.is(stdout.trim(), realpathSync(library));
    },
  );

  /** Type-checks or compiles files in a folder. Returns the output of the compiler. */
  const compile = async (folder: string, files: readonly string[], options: object) => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      isolatedModules: true,
      verbatimModuleSyntax: true,
      target: "es2022",
      noEmit: true,
      types: [],
      ...options,
    };
    const config = join(folder, "tsconfig.json");
    writeFileSync(config, JSON.stringify({ compilerOptions, files }));
    return run(join(root, "node_modules/.bin/tsc"), ["-p", config]).then(
      () => "",
      (failure: { readonly stdout: string }) => failure.stdout,
    );
  };

  for (const name of packageNames)
    test.deep(
      `the types of ${name} are complete in strict programs with Node's and bundlers' module resolution`,
      async () => {
        const described: { readonly exports: object } = JSON.parse(
          readFileSync(join(installed(name), "package.json"), "utf8"),
        );
        const entries = Object.keys(described.exports).filter((path) => !path.endsWith(".json"));
        const exported = entries.map(
          (path, index) => `export * as entry${index} from "${scope}/${name}${path.slice(1)}";`,
        );
        writeFileSync(join(folderOf(name), "entries.ts"), exported.join("\n"));
        for (const resolution of resolutions)
          assert.is(
            await compile(folderOf(name), ["entries.ts"], {
              ...resolution,
              lib: ["esnext", "dom"],
            }),
            "",
            JSON.stringify(resolution),
          );
      },
    );

  test.deep(
    "a strict program can make every call of the client, and the type of each answer is known",
    async () => {
      const calls = [...describedActions(declarations)].flatMap(([resource, actions]) =>
        actions.map((action) => [resource, action] as const),
      );
      assert.ok(calls.length > 200, String(calls.length));
      const program = calls.map(([resource, action], index) => {
        const names = `"${resource}", "${action}"`;
        return `export const call${index} = async (client: Client, members: MembersOf<${names}>) => {
  const answer: AnswerOf<${names}> = await client.call(${names}, members);
  const known: Known<typeof answer> & Known<typeof members> = true;
  return { answer, known };
};`;
      });
      const names = "AnswerOf, Client, MembersOf";
      const known =
        "type Known<T> = [T] extends [never] ? false : unknown extends T ? false : true;";
      writeFileSync(
        join(folderOf("client"), "calls.ts"),
        [`import type { ${names} } from "${scope}/client";`, known, ...program].join("\n"),
      );
      const options = { ...resolutions[0], lib: ["esnext", "dom"] };
      assert.is(await compile(folderOf("client"), ["calls.ts"], options), "");
    },
  );

  test.deep("the types of the packages for Node.js do not need the types of browsers", async () => {
    const names = ["host", "plugin", "client"].map((name) => `${scope}/${name}`);
    const folder = await published.install("types", [...names, "@types/node"]);
    const exported = names.map((name, index) => `export * as entry${index} from "${name}";`);
    writeFileSync(join(folder, "entries.ts"), exported.join("\n"));
    for (const resolution of resolutions) {
      const options = { ...resolution, lib: ["esnext"], types: ["node"] };
      assert.is(await compile(folder, ["entries.ts"], options), "", JSON.stringify(resolution));
    }
  });

  /** Compiles a program of a README in strict mode, and returns the path of its JavaScript file. */
  const compiled = async (folder: string, name: string, text: string, options: object = {}) => {
    writeFileSync(join(folder, `${name}.ts`), text);
    const typed = { module: "nodenext", moduleResolution: "nodenext", types: ["node"] };
    const emitted = { noEmit: false, outDir: ".", ...typed, lib: ["esnext", "dom"], ...options };
    assert.is(await compile(folder, [`${name}.ts`], emitted), "", name);
    return join(folder, `${name}.js`);
  };
  const node = async (file: string, environment: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, [file], {
      cwd: dirname(file),
      env: { ...process.env, NODE_OPTIONS: "", ...environment },
    });

  test.deep(
    "the command and the program in the host's README each start a host that answers queries",
    async () => {
      const folder = folderOf("host");
      const [, serve = ""] = blocksOf("host", "sh").flatMap((text) => text.split("\n"));
      assert.match(serve, /^npx manifold serve --port 4000 --data-dir data$/);
      const port = String(await freePort());
      // npm does not pass on a Ctrl-C that only npm receives, so the command runs without npx.
      const command = `exec ${serve.replace("npx ", "node_modules/.bin/").replace("4000", port)}`;
      const environment = { MANIFOLD_LOG_LEVEL: "silent", MANIFOLD_WARM_UP: "off" };
      const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;
      const started = await startProgram("bash", ["-c", command], "listens on", {
        cwd: folder,
        environment: { ...environment, PATH },
      });
      try {
        assert.match(started.line, `127.0.0.1:${port}`);
        assert.is((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
        assert.is((await fetch(`http://127.0.0.1:${port}/embed.js`)).status, 200);
      } finally {
        await started.end();
      }
      const [program = ""] = blocksOf("host", "ts");
      const file = await compiled(folder, "program", program.replace("4000", port));
      const opened = await startProgram(process.execPath, [file], "The host listens on", {
        cwd: folder,
        environment,
      });
      assert.match(opened.line, port);
      await opened.end();
    },
  );

  test.deep(
    "every part of the installed host works, and drivers are installed only for callers with credentials",
    async () => {
      const folder = await published.install("parts", [`${scope}/host`, `${scope}/client`]);
      cpSync(join(import.meta.dirname, "useHost.js"), join(folder, "useHost.js"));
      const { stdout } = await node(join(folder, "useHost.js"), { MANIFOLD_INSTALL: "on" });
      const lines = stdout.trim().split("\n");
      assert.equal(JSON.parse(lines.at(-1) ?? ""), {
        answer: [[{ id: "a", name: { en: "a" } }, 3]],
        files: {
          pdf: "%PDF",
          png: "\u0089PNG",
          svg: "<svg",
          xlsx: "PK\u0003\u0004",
          parquet: "PAR1",
          arrow: "\u00ff\u00ff\u00ff\u00ff",
        },
        passkey: [200, true],
        plugin: "string",
        pluginAccount: "planted",
        stranger: [401, 0],
        duckdb: "duckdb",
        mysql: [
          "PLUGIN_SOURCE_FAILED",
          "the source failed: 127.0.0.1:1: the server refused the connection (connection mysql)",
        ],
        drivers: ["duckdb", "mysql"],
      });
    },
  );

  test.deep(
    "the installed command installs a missing driver, and finds a driver that is already installed",
    async () => {
      const folder = folderOf("host");
      const manifold = (words: string) =>
        shell(`npx --no-install manifold ${words}`, folder, published.environment);
      const { stdout } = await manifold("install mysql --data-dir drivers-of-command");
      assert.match(
        stdout,
        /^installing the MySQL and MariaDB driver \(mysql2 [\d.]+, 4 MB\) into \//,
      );
      assert.match(stdout, /installed mysql\n$/);
      const { stdout: again } = await manifold("install mysql --data-dir drivers-of-command");
      assert.match(again, /^mysql is in \//);
      await shell(
        "npm install --ignore-scripts --no-audit --no-fund mysql2",
        folder,
        published.environment,
      );
      const { stdout: beside } = await manifold("install mysql --data-dir another-folder");
      assert.match(beside, /^mysql is installed next to the host/);
    },
  );

  test.deep(
    "the plugin in the README of the plugin package passes the check in that README, and serves its datasets",
    async () => {
      const folder = folderOf("plugin");
      const [plugin = "", check = ""] = blocksOf("plugin", "ts");
      await shell(
        "npm install --ignore-scripts --no-audit --no-fund @types/node",
        folder,
        published.environment,
      );
      const file = await compiled(folder, "plugin", plugin.replace("7070", "0"));
      const { stdout } = await node(await compiled(folder, "check", check));
      assert.match(stdout, /^\d+ queries, no fault\n$/);
      const served = await startProgram(
        process.execPath,
        [file, "serve"],
        "The plugin listens on",
        {
          cwd: folder,
        },
      );
      try {
        const [url = ""] = /http:\S+/.exec(served.line) ?? [];
        const answer = await fetch(`${url}/datasets`, { method: "POST", body: "{}" });
        assert.match(await answer.text(), "Airports");
      } finally {
        await served.end();
      }
    },
  );

  let dashboards: DashboardHost | undefined;
  const dashboardHost = async () => (dashboards ??= await openDashboardHost());
  test.after(async () => dashboards?.close());

  test.deep(
    "the program in the README of the client package pushes and queries rows, and shows the code of a failure",
    async () => {
      const { people } = await dashboardHost();
      const folder = folderOf("client");
      await shell(
        "npm install --ignore-scripts --no-audit --no-fund @types/node",
        folder,
        published.environment,
      );
      const [program = ""] = blocksOf("client", "ts");
      const { key, token } = people.owner.pair;
      const { stdout } = await node(await compiled(folder, "program", program), {
        MANIFOLD_URL: people.host.url,
        MANIFOLD_KEY: key,
        MANIFOLD_TOKEN: token,
      });
      const lines = stdout.trim().split("\n");
      assert.is(lines[0], '[["Ghent",15.7],["Lille",6]]');
      assert.is(lines[1], "40 bytes");
      assert.ok(lines.includes("dataset true"));
      assert.match(lines.at(-1) ?? "", /^4\d\d [A-Z_]+$/);
    },
  );

  /** Serves a folder of scripts, a page that loads one of them, and a token. Opens the page. */
  const withPage = async (
    scripts: string,
    body: string,
    use: (page: Page, said: readonly string[]) => Promise<void>,
  ) => {
    const { people, dashboardId, dataset } = await dashboardHost();
    const server = createServer((request, response) => {
      void (async () => {
        const path = request.url ?? "/";
        const file = join(scripts, path);
        if (path.endsWith(".js") && existsSync(file))
          response.setHeader("Content-Type", "text/javascript").end(readFileSync(file));
        else if (path === "/token") {
          const token = await people.owner.create("authorization", {
            type: "embed",
            username: "reader-1",
            access: {
              dashboards: [{ id: dashboardId, rights: "read" }],
              datasets: [{ id: dataset.id, rights: "use" }],
            },
          });
          response.setHeader("Content-Type", "application/json").end(JSON.stringify(token));
        } else if (path === "/")
          response
            .setHeader("Content-Type", "text/html")
            .end(`<!doctype html><meta charset="utf-8"><title>A page</title><body>${body}</body>`);
        else response.writeHead(404).end();
      })();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    let browser: Browser | undefined;
    try {
      browser = await openBrowser();
      const page = await browser.newPage();
      const said: string[] = [];
      page.on("pageerror", (failure) => said.push(String(failure)));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await page.locator('[data-item="by region"] [data-mark]').first().waitFor();
      await use(page, said);
    } finally {
      await browser?.close();
      server.closeAllConnections();
      server.close();
    }
  };

  test.deep(
    "the script in the README of the embed package shows a dashboard once it is bundled with the package",
    async () => {
      const { people, dashboardId } = await dashboardHost();
      const folder = folderOf("embed");
      const [script = ""] = blocksOf("embed", "ts");
      const text = script
        .replace("https://analytics.example.org", people.host.url)
        .replace("<id>", dashboardId);
      const input = await compiled(folder, "page", text, { types: [] });
      const bundle = await rolldown({ input, platform: "browser", cwd: folder });
      mkdirSync(join(folder, "bundle"));
      await bundle.write({ dir: join(folder, "bundle"), entryFileNames: "page.js" });
      await bundle.close();
      const body = '<script type="module" src="/page.js"></script>';
      await withPage(join(folder, "bundle"), body, async (_, said) => assert.equal(said, []));
    },
  );

  test.deep("the files of the embed package show a dashboard without a bundler", async () => {
    const { people, dashboardId, viewer } = await dashboardHost();
    const { key, token } = viewer.pair;
    const body = `<script type="module" src="/main.js"></script>
      <manifold-dashboard host="${people.host.url}" dashboard="${dashboardId}" auth-key="${key}"
        auth-token="${token}"></manifold-dashboard>`;
    await withPage(installed("embed"), body, async (_, said) => assert.equal(said, []));
  });
});
