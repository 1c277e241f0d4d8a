import * as assert from "uvu/assert";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getuid } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import {
  openCatalog,
  openEmbeddedPostgres,
  type ServerAddress,
} from "../../../../core/catalog/index.ts";
import { clearLeftover } from "../../../../core/catalog/postgres/leftover.ts";
import { silentLog as log } from "../../../support/catalog.ts";
import { fillDataFolder } from "../../../support/fillDataFolder.ts";
import { findTestServer } from "../../../support/findTestServer.ts";
import { suite } from "../../../support/suite.ts";

const run = promisify(execFile);
const isLinuxRoot = process.platform === "linux" && getuid?.() === 0;
const module = new URL("../../../../core/catalog/index.ts", import.meta.url).href;

/** A program that acts as a host in a separate process. It opens the server and prints the server's address. */
const host = `
  const { openEmbeddedPostgres } = await import(${JSON.stringify(module)});
  const silent = () => undefined;
  const log = { info: silent, warn: silent, error: silent };
  const { address, close } = await openEmbeddedPostgres({ dataDir: process.env.DATA_DIR, log });
  console.log(JSON.stringify(address));
  process.stdin.once("data", async () => { await close(); process.exit(0); });
`;

async function runStatement(
  address: ServerAddress,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client({ ...address, database: "postgres" });
  await client.connect();
  return client.query(statement).then(
    async ({ rows }) => {
      await client.end();
      return rows;
    },
    async (failure: unknown) => {
      await client.end();
      throw failure;
    },
  );
}

async function startHost(dataDir: string) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", host], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, address: JSON.parse(line.toString()) as ServerAddress };
}

const postmasterOf = async (dataDir: string) =>
  Number((await readFile(join(dataDir, "catalog", "postmaster.pid"), "utf8")).split("\n")[0]);

/** Waits until a condition is true that another process brings about, for at most the suite's time limit. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10);
}
const isGone = async (path: string) => !(await stat(path).catch(() => undefined));

/**
 * Returns whether the project is below a folder that only root can enter. Another user then needs a capability to reach
 * it.
 */
async function isBelowClosedFolder(): Promise<boolean> {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (!((await stat(folder)).mode & 0o001)) return true;
    if (folder === dirname(folder)) return false;
  }
}

const passClosedFolders = [
  "--inh-caps=+dac_override",
  "--ambient-caps=+dac_override",
  "--securebits=+no_setuid_fixup",
];

suite("core/catalog/postgres/embeddedPostgres", (test) => {
  let dataDir: string;
  test.beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "manifold-test-"));
  });
  test.afterEach(() => rm(dataDir, { recursive: true, force: true }));

  test("the embedded server's data survives a restart", async () => {
    await fillDataFolder(dataDir);
    const first = await openEmbeddedPostgres({ dataDir, log });
    await runStatement(
      first.address,
      "create table kept (text text); insert into kept values ('é')",
    );
    await first.close();
    const second = await openEmbeddedPostgres({ dataDir, log });
    const processId = await postmasterOf(dataDir);
    assert.equal(await runStatement(second.address, "select * from kept"), [{ text: "é" }]);
    await second.close();
    assert.throws(() => process.kill(processId, 0), /ESRCH/);
    assert.ok(await isGone(second.address.host));
    const left = (await readdir(dataDir)).filter((name) => name !== "secret").sort();
    assert.equal(left, ["catalog", "catalog-lock", "catalog-password"]);
  });

  test("the embedded server's password is in a private file, not on the command line", async () => {
    const { address, close } = await openEmbeddedPostgres({ dataDir, log });
    try {
      assert.is(await readFile(join(dataDir, "catalog-password"), "utf8"), address.password);
      assert.is((await stat(join(dataDir, "catalog-password"))).mode & 0o777, 0o600);
      assert.is((await stat(join(dataDir, "catalog"))).mode & 0o077, 0);
      assert.is((await stat(address.host)).mode & 0o777, 0o700);
      const { stdout } = await run("ps", ["-eo", "args"]);
      assert.ok(stdout.includes(dataDir));
      assert.not(stdout.includes(address.password));
      await runStatement({ ...address, password: "wrong" }, "select 1").then(
        () => assert.unreachable(),
        (failure: Error) => assert.match(failure.message, /password authentication failed/),
      );
      const [settings] = await runStatement(
        address,
        "select current_setting('listen_addresses') a, current_setting('fsync') f",
      );
      assert.equal(settings, { a: "", f: "on" });
    } finally {
      await close();
    }
    assert.equal((await readdir(dataDir)).sort(), ["catalog", "catalog-lock", "catalog-password"]);
  });

  test("the embedded server folds case by Unicode and sorts strings by code point", async () => {
    // The cluster of this test run's server was created in the same way as the cluster of the embedded server.
    const { host, port, user, password } = await findTestServer();
    const [row] = await runStatement(
      { host, port, user, password, ssl: false },
      "select lower('ÉÑ') as lower, 'É' ilike 'é' as ilike, 'a' > 'B' as code",
    );
    assert.equal(row, { lower: "éñ", ilike: true, code: true });
  });

  test.deep(
    "if the first start was killed, the next start removes the partial cluster",
    async () => {
      const half = join(dataDir, "catalog.new-0123");
      await mkdir(half);
      await writeFile(join(half, "PG_VERSION"), "18");
      const { close } = await openEmbeddedPostgres({ dataDir, log });
      await close();
      assert.ok(await isGone(half));
    },
  );

  test.deep(
    "a second host on the data folder can start only after the first has stopped",
    async () => {
      await fillDataFolder(dataDir);
      const first = await startHost(dataDir);
      const refusal = await openEmbeddedPostgres({ dataDir, log }).then(
        async ({ close }) => void (await close()),
        (failure: Error) => failure.message,
      );
      assert.match(refusal ?? "", new RegExp(`in use by process ${first.child.pid}`));
      assert.equal(await runStatement(first.address, "select 1 as one"), [{ one: 1 }]);
      first.child.stdin.write("stop");
      await once(first.child, "exit");
      const second = await openEmbeddedPostgres({ dataDir, log });
      await second.close();
    },
  );

  test.deep(
    "when a host is killed, its embedded server stops and the socket folder is removed",
    async () => {
      await fillDataFolder(dataDir);
      const { child, address } = await startHost(dataDir);
      const processId = await postmasterOf(dataDir);
      child.kill("SIGKILL");
      await once(child, "exit");
      const next = await openEmbeddedPostgres({ dataDir, log });
      try {
        assert.throws(() => process.kill(processId, 0), /ESRCH/);
        assert.equal(await runStatement(next.address, "select 1 as one"), [{ one: 1 }]);
        await until(() => isGone(address.host));
      } finally {
        await next.close();
      }
    },
  );

  test.deep(
    "a start stops the server left behind by a killed host and its killed watchdog",
    async () => {
      await fillDataFolder(dataDir);
      const { child, address } = await startHost(dataDir);
      const processId = await postmasterOf(dataDir);
      const { stdout } = await run("ps", ["-eo", "pid=,ppid="]);
      const processes = stdout
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/).map(Number));
      const watchdogId = processes.find(([id]) => id === processId)?.[1];
      const watching = processes.flatMap(([id, parentId]) =>
        id && id !== processId && (id === watchdogId || parentId === watchdogId) ? [id] : [],
      );
      // If one process saw the other process die, it would still stop the server.
      for (const signal of ["SIGSTOP", "SIGKILL"] as const)
        for (const id of watching) process.kill(id, signal);
      const warnings: string[] = [];
      child.kill("SIGKILL");
      await once(child, "exit");
      await clearLeftover(join(dataDir, "catalog"), 200, {
        ...log,
        warn: (_, message) => warnings.push(message),
      });
      assert.not(
        (
          await run("ps", ["-o", "stat=", "-p", String(processId)]).catch(() => ({ stdout: "Z" }))
        ).stdout.match(/^[^Z]/),
      );
      await rm(address.host, { recursive: true, force: true });
      const next = await openEmbeddedPostgres({ dataDir, log });
      await next.close();
      assert.equal(warnings, ["stopping the PostgreSQL of an earlier host"]);
    },
  );

  test.deep("a start ignores the recorded process id of a dead or unrelated process", async () => {
    await fillDataFolder(dataDir);
    const first = await openEmbeddedPostgres({ dataDir, log });
    await first.close();
    for (const foreign of [process.pid, 2 ** 22 - 1]) {
      await writeFile(
        join(dataDir, "catalog", "postmaster.pid"),
        `${foreign}\n/elsewhere\n0\n5432\n`,
      );
      const next = await openEmbeddedPostgres({ dataDir, log });
      await next.close();
    }
  });

  test("if the embedded server fails to start, no process remains and the message gives the reason", async () => {
    await fillDataFolder(dataDir);
    const refusal = await openEmbeddedPostgres({
      dataDir,
      log,
      settings: { no_such_setting: "1" },
    }).then(
      async ({ close }) => void (await close()),
      (failure: Error) => failure.message,
    );
    assert.match(refusal ?? "", /did not start: .*no_such_setting/s);
    const left = (await readdir(dataDir)).filter((name) => name !== "secret").sort();
    assert.equal(left, ["catalog", "catalog-lock", "catalog-password"]);
  });

  test("the error for an unreachable database contains no password", async () => {
    const databaseUrl = "postgresql://someone:canary@127.0.0.1:1/none";
    const refusal = await openCatalog({ databaseUrl, dataDir, log }).then(
      async ({ close }) => void (await close()),
      (failure: Error) => failure.message,
    );
    assert.match(refusal ?? "", /the catalog cannot be opened: .*ECONNREFUSED/);
    assert.not.match(refusal ?? "", /canary/);
  });

  if (isLinuxRoot) {
    test.deep(
      "when root runs the host, the embedded server runs as another user, even in a folder closed to others",
      async () => {
        await chmod(dataDir, 0o700);
        const inner = join(dataDir, "data");
        const { address, close } = await openEmbeddedPostgres({ dataDir: inner, log });
        try {
          const processId = await postmasterOf(inner);
          const { stdout } = await run("ps", ["-o", "uid=", "-p", String(processId)]);
          assert.is.not(Number(stdout), 0);
          assert.is((await stat(join(inner, "catalog"))).uid, Number(stdout));
          const status = await readFile(`/proc/${processId}/status`, "utf8");
          assert.is(/^CapEff:\s*(\w+)/m.exec(status)?.[1], "0000000000000002", "only dac_override");
          assert.equal(await runStatement(address, "select 1 as one"), [{ one: 1 }]);
        } finally {
          await close();
        }
      },
    );

    test.deep(
      "the embedded server gets the privilege to enter closed folders only if its data folder is inside a closed folder",
      async () => {
        const isClosed = await isBelowClosedFolder();
        await fillDataFolder(dataDir);
        await chmod(dataDir, 0o755);
        const { close } = await openEmbeddedPostgres({ dataDir, log });
        try {
          const status = await readFile(`/proc/${await postmasterOf(dataDir)}/status`, "utf8");
          const dacOverride = isClosed ? 2 : 0;
          assert.is(Number.parseInt(/^CapEff:\s*(\w+)/m.exec(status)?.[1] ?? "", 16), dacOverride);
        } finally {
          await close();
        }
      },
    );

    test.deep(
      "when root runs the host, the embedded server runs as the owner of the data folder",
      async () => {
        const daemon = 1;
        await chown(dataDir, daemon, daemon);
        const { close } = await openEmbeddedPostgres({ dataDir, log });
        try {
          const { stdout } = await run("ps", [
            "-o",
            "uid=",
            "-p",
            String(await postmasterOf(dataDir)),
          ]);
          assert.is(Number(stdout), daemon);
        } finally {
          await close();
        }
      },
    );

    test.deep("if setpriv is needed but missing, the error says what to do", async () => {
      await chmod(dataDir, 0o700);
      const { PATH: path } = process.env;
      process.env["PATH"] = dirname(dataDir);
      try {
        await openEmbeddedPostgres({ dataDir: join(dataDir, "data"), log }).then(
          () => assert.unreachable(),
          (failure: Error) =>
            assert.match(failure.message, /setpriv .* is not installed; .* DATABASE_URL/),
        );
      } finally {
        process.env["PATH"] = path;
      }
    });

    test.deep("the embedded server starts when a user other than root runs the host", async () => {
      await chown(dataDir, 65_534, 65_534);
      const options = [
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        ...((await isBelowClosedFolder()) ? passClosedFolders : []),
        process.execPath,
        "--input-type=module",
      ];
      const script = `${host} process.stdin.emit("data");`;
      const { stdout } = await run("setpriv", [...options, "-e", script], {
        env: { ...process.env, DATA_DIR: dataDir },
      });
      assert.match(stdout, /"host"/);
      assert.is((await stat(join(dataDir, "catalog"))).uid, 65_534);
      assert.ok(await isGone((JSON.parse(stdout) as ServerAddress).host));
    });
  }
});
