import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { ClientError, createClient } from "../../../core/web/client/index.ts";
import { openStrata } from "../../../plugins/strata/index.ts";
import { fillDataFolder } from "../../support/fillDataFolder.ts";
import { needsClickhouse } from "../../support/clickhouseDatabase.ts";
import { openClickhouseStore } from "../../support/clickhouseStore.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import {
  type HostProcess,
  ownerKey,
  ownerToken,
  startHostProcess,
} from "../../support/hostProcess.ts";
import { processesNaming } from "../../support/npmProcess.ts";

const main = fileURLToPath(new URL("../../../core/cli/main.ts", import.meta.url));
const deletionRounds = rounds({ quick: 2, deep: 2, soak: 20 });
/** Number of kills in each part of the test. It is so low that no part comes close to the time limit of a test. */
const pushRounds = rounds({ quick: 3, deep: 3, soak: 10 });
const pushParts = rounds({ quick: 1, deep: 1, soak: 4 });
const seed = Number(process.env["SEED"] ?? 20261121);
let state = seed;
const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;

/**
 * Settings for the engine's threads. Each thread fewer saves a fifth of a second of processor time per host.
 */
const workers = rounds({ quick: { MANIFOLD_WORKERS: "1" }, deep: {} });
const startHost: typeof startHostProcess = (dataDir, environment) =>
  startHostProcess(dataDir, { ...workers, ...environment });
/**
 * Returns the setting for the warm-up. In the deep layer, the host warms up in one of five rounds, so that some kills
 * happen during the warm-up.
 */
const warmUpOf = (round: number) =>
  rounds({ quick: {}, deep: { MANIFOLD_WARM_UP: round % 5 === 1 ? "on" : "off" } });

interface Pushed {
  readonly rows: readonly {
    readonly id: string;
    readonly rows: number;
    readonly columns: readonly { readonly id: string }[];
  }[];
}

/**
 * Runs work against a host. Kills the host a few milliseconds after it has acknowledged a number of calls, or at the
 * end of the work.
 */
async function killAmid(
  host: HostProcess,
  killAt: { readonly acknowledgedCount: number; readonly delayMs: number },
  work: (acknowledge: () => void) => Promise<void>,
): Promise<void> {
  let acknowledgedCount = 0;
  let killed: Promise<unknown> | undefined;
  const killWhenDue = () => {
    if (acknowledgedCount !== killAt.acknowledgedCount) return;
    killed = wait(killAt.delayMs).then(() => host.end("SIGKILL"));
  };
  killWhenDue();
  try {
    await work(() => {
      acknowledgedCount++;
      killWhenDue();
    });
  } catch (failure) {
    if (failure instanceof ClientError && failure.status > 0) throw failure;
  }
  await (killed ?? host.end("SIGKILL"));
}

async function nobodyLeft(dataDir: string): Promise<string[]> {
  const giveUpAt = Date.now() + 60_000;
  let left = processesNaming(dataDir);
  while (left.length > 0 && Date.now() < giveUpAt) {
    await wait(50);
    left = processesNaming(dataDir);
  }
  return left;
}

suite("core/cli/main", (test) => {
  const folders: string[] = [];
  const emptyFolder = () => {
    const made = mkdtempSync(join(tmpdir(), "manifold-main-"));
    folders.push(made);
    return made;
  };
  const folder = async () => {
    const made = emptyFolder();
    await fillDataFolder(made);
    return made;
  };
  test.after(() => {
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });

  test.deep(
    "manifold prints its version and help, and returns status 2 for an unknown command",
    () => {
      const run = (...args: string[]) =>
        execFileSync(process.execPath, [main, ...args], { encoding: "utf8", stdio: "pipe" });
      assert.match(run("--version"), /^\d+\.\d+\.\d+\n$/);
      const help = run("--help");
      assert.match(help, /MANIFOLD_DATA_DIR\s+--data-dir/);
      assert.not.match(help, /--token/);
      assert.match(run("serve", "--help"), /MANIFOLD_DATA_DIR/);
      for (const command of ["backup", "restore", "doctor", "move", "quota", "secret", "apply"]) {
        const own = run(command, "--help");
        assert.match(own, new RegExp(`^manifold ${command} `, "m"));
        assert.not.match(own, /MANIFOLD_DATA_DIR|manifold serve/);
        assert.ok(help.includes(own.trim()), command);
      }
      assert.ok(help.split("\n").every((line) => line.length <= 100));
    },
  );

  test.deep("an unknown command or option takes two lines, which name the nearest one", () => {
    const refusal = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
        encoding: "utf8",
      });
      assert.is(stdout, "");
      return `${status} ${stderr}`;
    };
    const commands = "manifold --help lists all commands\n";
    assert.is(refusal("dance"), `2 manifold: unknown command "dance"\n${commands}`);
    assert.is(
      refusal("doctro"),
      `2 manifold: unknown command "doctro"; did you mean manifold doctor?\n${commands}`,
    );
    assert.is(
      refusal("--prot", "1"),
      "2 manifold: unknown option --prot of manifold serve; did you mean --port?\nmanifold serve --help lists all options\n",
    );
    for (const [command, option, meant] of [
      ["upload", "--appendd", "--append"],
      ["plugin check", "--secrt", "--secret"],
      ["verify-isolation", "--secrts", "--secrets"],
    ] as const)
      assert.match(
        refusal(...command.split(" "), option, "x"),
        new RegExp(`^2 .*did you mean ${meant}\\?\n`),
      );
  });

  /**
   * A host that several tests share. The first of these tests starts the host, and the test of stopping a host stops
   * it.
   */
  let shared: Promise<{ readonly host: HostProcess; readonly dataDir: string }> | undefined;
  const findHost = () =>
    (shared ??= folder().then(async (dataDir) => {
      const host = await startHost(dataDir, { MANIFOLD_LOG_LEVEL: "trace" });
      return { host, dataDir };
    }));
  test.after(async () => void (await (await shared)?.host.end("SIGTERM")));

  test.deep(
    "a second host on the same data folder does not start, and the error names the folder",
    async () => {
      const { host, dataDir } = await findHost();
      const refusal = await startHost(dataDir).then(
        () => "",
        (failure: Error) => failure.message,
      );
      const answer = await host.client.get("organization");
      assert.match(refusal, /in use/);
      assert.match(refusal, dataDir);
      assert.is(answer.count, 1);
    },
  );

  test.deep("a client that keeps pushing does not prevent the host from closing", async () => {
    const { host } = await findHost();
    const made = await host.client.create<Pushed>("data", { type: "create", data: [["a"]] });
    const push = () =>
      host.client.create("data", { securable_id: made.rows[0]?.id, data: [["b"]] });
    await push();
    const ended = host.end("SIGTERM");
    let answeredCount = 0;
    try {
      for (;;) {
        await push();
        answeredCount++;
      }
    } catch (failure) {
      if (failure instanceof ClientError && failure.status > 0) throw failure;
    }
    assert.equal(await ended, { status: 0, signal: null });
    // If the host kept each connection for the grace period, thousands of connections would be open.
    assert.ok(answeredCount < 100, `${answeredCount} pushes were answered after the signal`);
  });

  // The quick layer tests this without a process, in `core/host`.
  test.deep("a host never prints its token", async () => {
    const { host } = await findHost();
    assert.match(host.output(), /Manifold listens/);
    assert.not.match(host.output(), ownerToken);
  });

  // The quick layer tests this without a process, in `core/base/config`.
  test.deep(
    "a host does not start with an invalid setting, and the error names the setting",
    async () => {
      const refusal = await startHost(emptyFolder(), { MANIFOLD_PORT: "a port" }).then(
        () => "",
        (failure: Error) => failure.message,
      );
      assert.match(refusal, /MANIFOLD_PORT/);
    },
  );

  // The quick layer tests this without a process, in `core/catalog/hostSecret`.
  test.deep(
    "a host with a database but no secret does not start, and the error hides the database's password",
    async () => {
      const environment = { DATABASE_URL: "postgresql://ada:canary@127.0.0.1:1/none" };
      const refusal = await startHost(emptyFolder(), environment).then(
        () => "",
        (failure: Error) => failure.message,
      );
      assert.match(refusal, /MANIFOLD_SECRET is required/);
      assert.not.match(refusal, /canary/);
    },
  );

  test.deep(
    `after ${deletionRounds} kills during deletions, the store has the same datasets as the catalog (seed ${seed})`,
    async () => {
      const dataDir = await folder();
      const deleted = new Set<string>();
      let shown: string[] = [];
      for (let round = 0; round <= deletionRounds; round++) {
        const host = await startHost(dataDir, warmUpOf(round));
        const find = { where: { type: "dataset" }, attributes: ["id"] };
        const { rows } = await host.client.get<{ rows: { id: string }[] }>("securable", find);
        shown = rows.map(({ id }) => id);
        assert.equal(
          shown.filter((id) => deleted.has(id)),
          [],
          `deleted datasets are not listed, round ${round}`,
        );
        if (round === deletionRounds) {
          assert.is((await host.end("SIGTERM")).status, 0);
          break;
        }
        for (let index = shown.length; index < 12; index++) {
          const made = await host.client.create<Pushed>("data", {
            type: "create",
            data: [[index]],
          });
          shown.push(made.rows[0]!.id);
        }
        const acknowledgedCount = Math.floor(random() * shown.length);
        await killAmid(host, { acknowledgedCount, delayMs: random() * 20 }, async (acknowledge) => {
          for (const id of shown) {
            await host.client.delete("securable", id);
            deleted.add(id);
            acknowledge();
          }
        });
      }
      assert.ok(deleted.size > 0, "deletions were acknowledged");
      const store = await openStrata({
        dir: join(dataDir, "strata"),
        workers: 1,
        memoryBytes: 2 ** 28,
      });
      const credentials = { properties: {} };
      const stored = await store.datasets({ credentials, signal: new AbortController().signal });
      await store.close?.();
      assert.equal(stored.map(({ id }) => id).toSorted(), shown.toSorted());
    },
  );

  /**
   * Kills a host during pushes. With a shared store server, the last push may be stored after the kill. Its record is
   * then updated only when a lease has expired.
   */
  const killAmidPushes = async (shared?: Readonly<Record<string, string>>) => {
    const dataDir = await folder();
    const lost = new Set<number>();
    const rowsPerPush = 500;
    const acknowledged = new Set<number>();
    let datasetId = "";
    let columnIds: string[] = [];
    let pair = { key: "", token: "" };
    let batch = 0;
    let doubtful: number | undefined;

    const rowsOf = (number: number) =>
      Array.from({ length: rowsPerPush }, (_, index) => [number, index, `text ${index % 7}`]);
    for (let round = 0; round <= pushRounds; round++) {
      const host = await startHost(dataDir, {
        MANIFOLD_KEY: "",
        MANIFOLD_TOKEN: "",
        ...warmUpOf(round),
        ...shared,
      });
      const printed = /key {1,5}(\S+)\s+token {1,3}(\S{30,})/.exec(host.output());
      assert.is(printed === null, round > 0, `round ${round} prints the key pair`);
      assert.not.match(host.output(), ownerKey);
      const [, key = "", token = ""] = printed ?? [];
      if (round === 0) pair = { key, token };
      const client = createClient({ url: host.url, ...pair });
      if (datasetId) {
        const reference = (index: number) => ({
          dataset_id: datasetId,
          column_id: columnIds[index],
        });
        const answer = await client.get<{ data: [number, number, number][] }>("data", {
          dimensions: [reference(0)],
          measures: [
            { dataset_id: datasetId, column_id: "*", aggregation: { type: "count" } },
            { ...reference(1), aggregation: { type: "distinctcount" } },
          ],
        });
        const found = new Map(
          answer.data.map(([number, count, distinct]) => [number, { count, distinct }]),
        );
        for (const [number, { count, distinct }] of found) {
          assert.equal(
            { count, distinct },
            { count: rowsPerPush, distinct: rowsPerPush },
            `batch ${number} is complete, round ${round}`,
          );
          assert.ok(
            acknowledged.has(number) || number === doubtful || (shared && lost.has(number)),
            `batch ${number} was sent, round ${round}`,
          );
        }
        for (const number of acknowledged)
          assert.ok(found.has(number), `batch ${number} is stored, round ${round}`);
        if (doubtful !== undefined && found.has(doubtful)) acknowledged.add(doubtful);
        const { rows } = await client.get<{ rows: { rows: number }[] }>("securable", {
          where: { id: datasetId },
        });
        const refusal = await client
          .create("data", { securable_id: datasetId, data: [["refused", 1, "x"]] })
          .then(
            () => undefined,
            (failure: unknown) => failure,
          );
        assert.instance(refusal, ClientError);
        if (!shared)
          assert.is(
            rows[0]?.rows,
            acknowledged.size * rowsPerPush,
            `the record has the right row count, round ${round}`,
          );
      } else {
        const made = await client.create<Pushed>("data", {
          type: "create",
          data: rowsOf(batch),
          options: { header: ["batch", "index", "text"], name: { en: "Killed" } },
        });
        acknowledged.add(batch++);
        datasetId = made.rows[0]!.id;
        columnIds = made.rows[0]!.columns.map(({ id }) => id);
      }
      if (round === pushRounds) {
        assert.is((await host.end("SIGTERM")).status, 0);
        break;
      }
      doubtful = undefined;
      // The first round alone acknowledges as many pushes as there are kills.
      const acknowledgedCount = Math.floor(random() * 12) + (round === 0 ? pushRounds : 0);
      await killAmid(host, { acknowledgedCount, delayMs: random() * 20 }, async (acknowledge) => {
        for (;;) {
          doubtful = batch++;
          await client.create("data", { securable_id: datasetId, data: rowsOf(doubtful) });
          acknowledged.add(doubtful);
          doubtful = undefined;
          acknowledge();
        }
      });
      if (doubtful !== undefined) lost.add(doubtful);
      assert.equal(await nobodyLeft(dataDir), []);
    }
    assert.ok(acknowledged.size > pushRounds, `${acknowledged.size} pushes were acknowledged`);
    assert.equal(await nobodyLeft(dataDir), []);
  };
  for (let part = 1; part <= pushParts; part++)
    test.deep(
      `after ${pushRounds} kills during pushes, every acknowledged row is stored once and no process remains (part ${part}, seed ${seed})`,
      () => killAmidPushes(),
    );

  if (needsClickhouse.missing === undefined)
    test.deep(
      `after ${pushRounds} kills during pushes to ClickHouse, every acknowledged row is stored once (seed ${seed})`,
      async () => {
        const store = await openClickhouseStore();
        try {
          await killAmidPushes({
            MANIFOLD_STORE: "clickhouse",
            MANIFOLD_CLICKHOUSE_URL: store.settings.clickhouseUrl,
            MANIFOLD_CLICKHOUSE_DATABASE: store.settings.clickhouseDatabase,
          });
        } finally {
          await store.close();
        }
      },
    );
});
