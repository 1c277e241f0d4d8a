import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { buildPackages, type BuiltPackages, shell } from "../../../support/buildPackages.ts";
import { suite } from "../../../support/suite.ts";

const root = join(import.meta.dirname, "../../../..");
const secret = "the-secret-of-the-project";
const quietly = "--no-audit --no-fund --loglevel=error";

/**
 * Starts a program. Returns the first line of its output that contains `text`, and a function that stops the program.
 */
async function startServer(
  command: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
) {
  const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const child = spawn("bash", ["-euc", command], {
    cwd,
    env: { ...process.env, PATH, NODE_OPTIONS: "", ...environment },
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await once(child, "spawn");
  const ended = once(child, "exit");
  return {
    /** Returns the address in the next line of output that contains one. */
    async nextUrl(): Promise<string> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`${command} ended before it listened`);
        const [url] = /http:\/\/\S+/.exec(String(value)) ?? [];
        if (url !== undefined) return url;
      }
    },
    async stop(): Promise<unknown> {
      process.kill(-(child.pid ?? 0), "SIGTERM");
      return ended;
    },
  };
}

/** Opens the connector of the package as a host does, and queries a file with it. */
const inProcess = `
  import { DatabaseSync } from "node:sqlite";
  import { open, properties } from "@acme/my-sql";
  new DatabaseSync("birds.sqlite").exec("create table birds (name text); insert into birds values ('heron'), ('gull')");
  const reach = { folders: [process.cwd()], address: async (host) => host, isPublic: () => false };
  const plugin = await open({ reach, timeoutMs: 1000, sizeBytes: 2 ** 20 });
  const signal = AbortSignal.timeout(10_000);
  const query = { id: "main.birds", columns: [{ column_id: "name" }], filters: [], options: { pushdown: false } };
  const seen = [properties.map(({ id }) => id)];
  for (const host of ["birds.sqlite", "/etc/hostname", process.cwd()])
    seen.push(
      await plugin.query({ credentials: { host, properties: {} }, signal, query }).then(
        ({ rowCount }) => rowCount,
        ({ code }) => code,
      ),
    );
  await plugin.close?.();
  console.log(JSON.stringify(seen));
`;

const statusOf = async (url: string, headers: Readonly<Record<string, string>> = {}) =>
  (await fetch(`${url}/health`, { headers })).status;

suite("core/operating/authoring: a new project, as a stranger uses it", (test) => {
  let built: BuiltPackages;
  /** The installed command. It is inside node_modules, so that the host finds its dependencies. */
  const home = join(root, "node_modules/.cache/manifold-new-project");
  let command: string;
  let library: string;
  let folder: string;
  test.before(async () => {
    built = await buildPackages();
    folder = mkdtempSync(join(tmpdir(), "manifold-project-"));
    const { stdout } = await shell(
      `npm pack --silent --ignore-scripts --pack-destination ${folder}`,
      built.dist("plugin"),
    );
    library = join(folder, stdout.trim());
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), "{}");
    await shell(`npm install ${quietly} ${library}`, home);
    const host = join(home, "node_modules/@manifold-analytics/host");
    cpSync(built.dist("host"), host, { recursive: true });
    const { bin } = JSON.parse(readFileSync(join(host, "package.json"), "utf8"));
    command = `"${process.execPath}" "${join(host, bin.manifold)}"`;
  });
  test.after(() => {
    built?.remove();
    rmSync(home, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  for (const kind of ["rows", "rest", "sql"] as const)
    test.deep(
      `a new project of kind ${kind} installs, tests, builds and packs, and its package runs and passes the check`,
      async () => {
        const name = `my-${kind}`;
        const project = join(folder, name);
        const made = await shell(`${command} plugin new @acme/${name} --kind ${kind}`, folder);
        assert.match(made.stdout, "npm install");
        const { devDependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
        assert.is(devDependencies["@manifold-analytics/plugin"], `file:${library}`);
        await shell(`npm install ${quietly}`, project);
        assert.match((await shell("npm test", project)).stdout, /pass 2\n.*fail 0\n/s);
        await shell("npm run types", project);
        assert.match((await shell("npm run check", project)).stdout, / 0 wrong/);
        assert.match(readFileSync(join(project, "badge.svg"), "utf8"), ">verified<");
        const direct = await shell(`${command} plugin check . --queries 100`, project);
        assert.match(direct.stdout, / 0 wrong/, "without a build");
        assert.not(existsSync(join(project, "dist")));
        const packed = await shell("npm pack --silent", project);
        const archive = join(project, packed.stdout.trim().split("\n").at(-1) ?? "");

        const user = join(folder, `user-of-${name}`);
        mkdirSync(user);
        writeFileSync(join(user, "package.json"), '{ "type": "module" }');
        await shell(`npm install ${quietly} ${library} ${archive}`, user);
        const installed = join(user, `node_modules/@acme/${name}`);
        for (const own of ["src", "scripts", "DEVELOPING.md"])
          assert.not(existsSync(join(installed, own)), own);
        const imported = await shell(
          `node -e 'import("@acme/${name}").then((plugin) => console.log(Object.keys(plugin).join()))'`,
          user,
        );
        const connector = kind === "sql" ? ",open,properties" : "";
        assert.is(imported.stdout.trim(), `default${connector}`);
        const checked = await shell(
          `${command} plugin check node_modules/@acme/${name} --queries 200 --seed 1`,
          user,
        );
        assert.match(checked.stdout, / 0 wrong/);
        const served = await startServer(`exec node_modules/.bin/${name}`, user, {
          PORT: "0",
          SECRET: secret,
        });
        try {
          const url = await served.nextUrl();
          assert.is(await statusOf(url), 403);
          assert.is(await statusOf(url, { "x-secret": secret }), 200);
        } finally {
          assert.equal(await served.stop(), [0, null]);
        }
      },
    );

  test.deep(
    "a connector's package runs in another process, and can read only files in allowed folders",
    async () => {
      const user = join(folder, "user-of-my-sql");
      writeFileSync(join(user, "host.js"), inProcess);
      const { stdout } = await shell("node host.js", user);
      assert.equal(JSON.parse(stdout), [["host"], 2, "PLUGIN_INVALID", "PLUGIN_INVALID"]);
    },
  );

  test.deep("`npm run dev` serves a project, and restarts it after a change", async () => {
    const project = join(folder, "my-rows");
    const dev = await startServer("npm run dev", project, { PORT: "0" });
    let changes: NodeJS.Timeout | undefined;
    try {
      const first = await dev.nextUrl();
      assert.is(await statusOf(first), 200);
      // Node.js may start to watch the file only after the first change.
      const change = () => appendFileSync(join(project, "src/plugin.ts"), "// Changed.\n");
      changes = setInterval(change, 2000);
      assert.is(await statusOf(await dev.nextUrl()), 200);
    } finally {
      clearInterval(changes);
      await dev.stop();
    }
  });

  test.deep(
    "`npm start` refuses an invalid port, and refuses to serve other machines without a secret",
    async () => {
      const project = join(folder, "my-rows");
      for (const [environment, message] of [
        ["HOST=0.0.0.0", /set SECRET/],
        ["PORT=70707", /PORT must be a number from 0 to 65535, not "70707"/],
        ["PORT=abc", /not "abc"/],
      ] as const)
        await shell(`${environment} npm start`, project).then(
          () => assert.unreachable(environment),
          (failure: unknown) => assert.match(String(failure), message),
        );
    },
  );

  test.deep(
    "the commands of the container file leave the plugin without development tools",
    async () => {
      const project = join(folder, "my-rest");
      const text = readFileSync(join(project, "Containerfile"), "utf8");
      const steps = Array.from(text.matchAll(/^RUN ((?:.*\\\n)*.*)/gm), ([, step = ""]) => step);
      assert.is(steps.length, 3);
      const image = join(folder, "image");
      cpSync(project, image, {
        recursive: true,
        filter: (path) => !/\/(node_modules|dist)$/.test(path),
      });
      for (const step of steps) await shell(step, image);
      const app = join(folder, "app");
      const copied = Array.from(
        text.matchAll(/^COPY --from=build --chown=root:root \/build\/(\S+)/gm),
        ([, path = ""]) => path,
      );
      assert.equal(copied, ["package.json", "node_modules", "dist", "recorded.json"]);
      for (const path of copied) cpSync(join(image, path), join(app, path), { recursive: true });
      assert.not(existsSync(join(app, "node_modules/typescript")));
      const [, entry = ""] = /^ENTRYPOINT (.+)$/m.exec(text) ?? [];
      const [, ...args]: string[] = JSON.parse(entry);
      const [, probe = ""] = /^ +CMD (.+)$/m.exec(text) ?? [];
      const [, flag = "", script = ""]: string[] = JSON.parse(probe);
      const served = await startServer(`exec node ${args.join(" ")}`, app, {
        PORT: "0",
        SECRET: secret,
      });
      try {
        const { port } = new URL(await served.nextUrl());
        const healthy = `PORT=${port} SECRET=${secret} node ${flag} "$PROBE"`;
        await shell(healthy, app, { PROBE: script });
        await shell(healthy.replace(secret, "another"), app, { PROBE: script }).then(
          () => assert.unreachable("a wrong secret is healthy"),
          ({ code }: { readonly code: number }) => assert.is(code, 1),
        );
      } finally {
        await served.stop();
      }
    },
  );
});
