import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";
import * as assert from "uvu/assert";
import {
  rowsOfBatch,
  type Credentials,
  type Plugin,
  PluginError,
} from "../../plugins/protocol/index.ts";
import { createCertificate } from "../support/certificate.ts";
import { eventually } from "../support/eventually.ts";
import { passTurns } from "../support/passTurns.ts";
import { rounds } from "../support/layer.ts";
import { openProxy, type Proxy } from "../support/openProxy.ts";
import { failureOf } from "../support/refused.ts";
import { suite, type SuiteOptions, type Test } from "../support/suite.ts";
import type { FaultEngine, FaultMeans, FaultPlugin } from "./faultEngine.ts";

/**
 * A deadline in milliseconds that expires while tests wait. It is long enough to start a thread or a process on a busy
 * machine.
 */
const usualShortMs = 3_000;
const plainRows = [[1], [2], [3]];
/**
 * Numbers of bytes from the server after which the proxy cuts a connection: during the greeting, the login, the
 * description or the rows.
 */
const cutBytes = rounds({
  quick: [0, 700],
  deep: [0, 5, 60, 300, 1100, 2500],
  soak: [0, 1, 5, 60, 150, 300, 700, 1100, 1600, 2500, 4000],
});
const dayMs = 86_400_000;

interface FaultQuery {
  readonly plugin: Plugin;
  readonly credentials: Credentials;
  readonly signal?: AbortSignal;
  /** The schema of the dataset, if it differs from the engine's. */
  readonly schema?: string | undefined;
}

/**
 * Declares the tests that every connector recovers from failures. After each fault, the next query must succeed, no
 * statement of the connector may remain on the server, and closing must leave no connection. Every error must name the
 * source and contain no secret.
 */
export function faultSuite(
  name: string,
  open: () => Promise<FaultEngine>,
  options?: SuiteOptions,
): void {
  // The quick layer tests all faults with one connector, and cancelled calls with every connector.
  const isFull = name === "connectors/postgres";
  // The TLS front of ClickHouse needs no server of its own.
  const hasTls = name === "connectors/clickhouse";
  suite(`${name}: faults`, (test) => declareFaults(test, open, { isFull, hasTls }), options);
}

function declareFaults(
  test: Test,
  open: () => Promise<FaultEngine>,
  { isFull, hasTls }: { readonly isFull: boolean; readonly hasTls: boolean },
): void {
  let engine: FaultEngine;
  const shortMs = () => engine.shortMs ?? usualShortMs;
  let proxy: Proxy | undefined;
  let log = "";
  const { write } = process.stderr;
  const opened: FaultPlugin[] = [];

  const openPlugin = async (given?: { readonly timeoutMs?: number }): Promise<FaultPlugin> => {
    const made = await engine.open(given);
    opened.push(made);
    return made;
  };
  const credentialsHere = () => engine.credentials(proxy?.port);
  const runQuery = async (
    dataset: "plain" | "endless" | "still",
    { plugin, credentials, signal = never(), schema }: FaultQuery,
  ) => {
    const id = engine.datasetOf(dataset, schema);
    const columns = [{ column_id: "n" }];
    const query = { id, columns, filters: [], options: { pushdown: false } };
    return rowsOfBatch(await plugin.query({ credentials, signal, query }));
  };
  const queryPlain = async (target: FaultQuery) =>
    (await runQuery("plain", target)).toSorted((one, other) =>
      Number(one[0]) < Number(other[0]) ? -1 : 1,
    );
  const running = async () =>
    typeof engine.runningCount === "string" ? undefined : engine.runningCount();
  const untilRunning = async () => {
    if (typeof engine.runningCount === "string") await wait(200);
    else await eventually(async () => (await running())! > 0, "the statement runs");
  };
  /** Runs work that must fail. Returns the failure, after checking that it names its source and contains no secret. */
  const named = async (work: Promise<unknown>, source = engine.source): Promise<PluginError> => {
    const failure = await failureOf(work);
    assert.match(failure.message, source);
    withoutSecrets(failure);
    return failure;
  };
  const withoutSecrets = (failure: unknown) => {
    const shown = `${inspect(failure, { depth: 12, showHidden: true })} ${JSON.stringify(failure)}`;
    for (const secret of engine.secrets)
      assert.not(shown.includes(secret), `contains a secret: ${shown}`);
    const { message } = failure as Error;
    for (const text of engine.hidden) assert.not(message.includes(text), message);
  };
  /** Checks the conditions that must hold after every fault. */
  const settled = async (target: FaultQuery) => {
    if (typeof engine.runningCount !== "string")
      await eventually(async () => (await running()) === 0, "no statement is running");
    const rows = await eventually(
      () => inTime(queryPlain(target)),
      "a call ends within its deadline",
    );
    assert.equal(rows, plainRows);
  };
  /**
   * Resolves to undefined if the call exceeds its deadline. With a short deadline, this can happen on a busy machine.
   */
  const inTime = async <Answer>(pending: Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await pending;
    } catch (thrown) {
      if (thrown instanceof PluginError && thrown.code === "PLUGIN_TIMEOUT") return undefined;
      throw thrown;
    }
  };
  const closeAll = async () => {
    for (const { plugin, openCount } of opened.splice(0)) {
      await plugin.close?.();
      await eventually(
        async () => ((await openCount?.()) ?? 0) + (proxy?.openCount ?? 0) === 0,
        "no connection is left",
      );
    }
  };
  const declare = isFull ? test : test.deep;
  const isQuick = (key: keyof FaultMeans) => (key === "tls" ? hasTls : isFull && key !== "kill");
  /** Declares the test of a fault, or reports the reason why the fault cannot happen. */
  const fault = <Key extends keyof FaultMeans>(
    key: Key,
    title: string,
    run: (means: Exclude<FaultMeans[Key], string>) => Promise<void>,
  ) =>
    (isQuick(key) ? test : test.deep)(title, async () => {
      const means = engine.means[key];
      if (typeof means !== "string") return run(means as Exclude<FaultMeans[Key], string>);
      assert.ok(means.length > 10, `${key} has a reason`);
    });

  test.before(async () => {
    engine = await open();
    const { network } = engine.means;
    if (typeof network !== "string") proxy = await openProxy(network);
    process.stderr.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
      log += String(chunk);
      return write.call(process.stderr, chunk, ...rest);
    }) as typeof write;
  });
  test.afterEach(closeAll);
  test.after(async () => {
    process.stderr.write = write;
    await closeAll();
    await proxy?.close();
    await engine.close();
    for (const secret of engine.secrets)
      assert.not(log.includes(secret), "the log contains a secret");
  });

  for (const dataset of ["still", "endless"] as const)
    test(`cancelling a call ${
      dataset === "still" ? "before the first row" : "while rows arrive"
    } stops its statement on the server`, async () => {
      const { plugin } = await openPlugin();
      const credentials = credentialsHere();
      assert.equal(await queryPlain({ plugin, credentials }), plainRows);
      const leaving = new AbortController();
      const { signal } = leaving;
      const pending = runQuery(dataset, { plugin, credentials, signal }).then(
        () => "answered",
        (reason: unknown) => reason,
      );
      await untilRunning();
      leaving.abort(new Error("the client left"));
      const reason = await pending;
      assert.is.not(reason, "answered");
      withoutSecrets(reason);
      await settled({ plugin, credentials });
    });

  declare("a slow SQL statement fails with PLUGIN_TIMEOUT and stops on the server", async () => {
    const { plugin } = await openPlugin({ timeoutMs: shortMs() });
    const credentials = credentialsHere();
    const { code } = await named(runQuery("still", { plugin, credentials }));
    assert.is(code, "PLUGIN_TIMEOUT");
    await settled({ plugin, credentials });
  });

  fault(
    "network",
    "a call fails without repetition if its connection is cut while rows arrive",
    async () => {
      const { plugin } = await openPlugin();
      const credentials = credentialsHere();
      // If the description were cached, the test could mistake a failure for a changed table.
      const leaving = new AbortController();
      const first = runQuery("endless", { plugin, credentials, signal: leaving.signal });
      await untilRunning();
      leaving.abort(new Error("enough"));
      await first.catch(() => undefined);
      const before = proxy!.sentBytes;
      const pending = named(runQuery("endless", { plugin, credentials }));
      await eventually(async () => proxy!.sentBytes > before + 200_000, "rows arrive");
      const { madeCount } = proxy!;
      proxy!.cut();
      assert.is((await pending).code, "PLUGIN_SOURCE_FAILED");
      assert.ok(proxy!.madeCount - madeCount <= 1, "the query is not repeated");
      await settled({ plugin, credentials });
    },
  );

  fault(
    "network",
    "cutting the connection after any byte never produces an answer that looks complete",
    async () => {
      for (const bytes of cutBytes) {
        const { plugin } = await openPlugin();
        const credentials = credentialsHere();
        proxy!.cutAfter(bytes);
        const rows = await queryPlain({ plugin, credentials }).catch((failure: unknown) => failure);
        if (Array.isArray(rows)) assert.equal(rows, plainRows, `after ${bytes} bytes`);
        else await named(Promise.reject(rows as Error));
        // The connection may have ended before this byte, and the proxy must not cut a connection that is closing.
        proxy!.cutAfter(Number.POSITIVE_INFINITY);
        await closeAll();
      }
    },
  );

  fault(
    "network",
    "if a connection stalls while rows arrive, it is closed when its call ends",
    async () => {
      const { plugin } = await openPlugin();
      const credentials = credentialsHere();
      const leaving = new AbortController();
      const before = proxy!.sentBytes;
      const pending = runQuery("endless", { plugin, credentials, signal: leaving.signal })
        .then(() => "answered")
        .catch((reason: unknown) => reason);
      await eventually(async () => proxy!.sentBytes > before + 200_000, "rows arrive");
      proxy!.stall(true);
      try {
        leaving.abort(new Error("the client left"));
        const reason = await pending;
        assert.is.not(reason, "answered");
        withoutSecrets(reason);
      } finally {
        proxy!.stall(false);
      }
      await settled({ plugin, credentials });
    },
  );

  fault(
    "network",
    "a call to a server that accepts connections but never responds fails at its deadline",
    async () => {
      const { plugin } = await openPlugin({ timeoutMs: 700 });
      const credentials = credentialsHere();
      proxy!.stall(true);
      try {
        const signal = AbortSignal.timeout(700);
        const reason = await queryPlain({ plugin, credentials, signal }).catch(
          (thrown: unknown) => thrown,
        );
        assert.instance(reason, Error);
        withoutSecrets(reason);
      } finally {
        proxy!.stall(false);
      }
      // On a busy machine, 700 ms can be too short even for a server that responds.
      const rows = await eventually(
        () => queryPlain({ plugin, credentials }).catch(() => undefined),
        "the plugin answers again",
      );
      assert.equal(rows, plainRows);
    },
  );

  fault("network", "the error for a port without a server names the port", async () => {
    const { plugin } = await openPlugin();
    const unused = await openProxy({ port: 1 });
    await unused.close();
    const credentials = engine.credentials(unused.port);
    assert.is((await named(queryPlain({ plugin, credentials }))).code, "PLUGIN_SOURCE_FAILED");
  });

  const connectionsEnded = async () => {
    await eventually(async () => proxy?.openCount === 0, "the connections ended");
    // The connector's socket only notices this in a later turn of the event loop.
    await wait(100);
    await passTurns(10);
  };

  fault(
    "endIdle",
    "an idle connection that the server has closed is not used again",
    async (endIdle) => {
      const { plugin } = await openPlugin();
      const credentials = credentialsHere();
      assert.equal(await queryPlain({ plugin, credentials }), plainRows);
      await endIdle();
      await connectionsEnded();
      await settled({ plugin, credentials });
    },
  );

  fault("network", "an idle connection that was cut is not used again", async () => {
    const { plugin } = await openPlugin();
    const credentials = credentialsHere();
    assert.equal(await queryPlain({ plugin, credentials }), plainRows);
    proxy!.cut();
    await connectionsEnded();
    await settled({ plugin, credentials });
  });

  fault(
    "pool",
    "a call for which the pool has no free connection waits, and fails if none becomes free",
    async ({ most }) => {
      const { plugin } = await openPlugin({ timeoutMs: shortMs() });
      const credentials = credentialsHere();
      await settled({ plugin, credentials });
      const rows = await eventually(async () => {
        const leaving = new AbortController();
        const holding = Array.from({ length: most }, () =>
          runQuery("still", { plugin, credentials, signal: leaving.signal }).catch(
            (reason: unknown) => reason,
          ),
        );
        // The first calls may arrive before the other calls have their connections.
        const untilRefused = async () => {
          for (let call = 0; call < 1000; call++) await queryPlain({ plugin, credentials });
        };
        const refusal = await untilRefused().then(
          () => undefined,
          (reason: unknown) => ({ reason }),
        );
        if (!refusal) {
          // On a busy machine the calls may reach their time limit before the pool is full. They are made again.
          leaving.abort(new Error("again"));
          await Promise.all(holding);
          return undefined;
        }
        const { code } = await named(Promise.reject(refusal.reason));
        assert.ok(["PLUGIN_BUSY", "PLUGIN_TIMEOUT"].includes(code), code);
        const waiting = inTime(queryPlain({ plugin, credentials }));
        waiting.catch(() => undefined);
        leaving.abort(new Error("enough"));
        await Promise.all(holding);
        return waiting;
      }, "a waiting call gets a connection");
      assert.equal(rows, plainRows);
      await settled({ plugin, credentials });
    },
  );

  fault("lock", "a call that waits for a lock fails at its deadline", async ({ hold, code }) => {
    const { plugin } = await openPlugin({ timeoutMs: shortMs() });
    const credentials = credentialsHere();
    const release = await hold();
    try {
      assert.is((await named(queryPlain({ plugin, credentials }))).code, code);
    } finally {
      await release();
    }
    await settled({ plugin, credentials });
  });

  fault("password", "a wrong password fails with PLUGIN_FORBIDDEN", async (wrong) => {
    const { plugin } = await openPlugin();
    const credentials = wrong(credentialsHere());
    assert.is(
      (await named(plugin.authorize!({ credentials, signal: never() }))).code,
      "PLUGIN_FORBIDDEN",
    );
    assert.is((await named(queryPlain({ plugin, credentials }))).code, "PLUGIN_FORBIDDEN");
    await settled({ plugin, credentials: credentialsHere() });
  });

  declare(
    "a query after a table has changed reads the new table, or fails with an error that names the table",
    async () => {
      const { id, ...change } = engine.means.change;
      const { plugin } = await openPlugin();
      const credentials = credentialsHere();
      const batchOf = (columnIds: readonly string[]) =>
        plugin.query({
          credentials,
          signal: never(),
          query: {
            id,
            columns: columnIds.map((column_id) => ({ column_id })),
            filters: [],
            options: { pushdown: false },
          },
        });
      await change.create();
      assert.equal(rowsOfBatch(await batchOf(["n", "word"])), [[1, "one"]]);
      if (typeof change.toText !== "string") {
        await change.toText();
        const changed = await batchOf(["n"]).catch((failure: unknown) => failure);
        if (changed instanceof Error) withoutSecrets(changed);
        else {
          const { columns } = changed as Awaited<ReturnType<typeof batchOf>>;
          assert.is(columns[0]?.type, "hierarchy", "read with its new type");
        }
      }
      await change.dropColumn();
      const gone = await failureOf(batchOf(["n", "word"]));
      assert.is(gone.code, "PLUGIN_UNKNOWN_COLUMN");
      assert.equal(gone.details, [id, "word"]);
      await change.drop();
      const dropped = await failureOf(batchOf(["n"]));
      assert.is(dropped.code, "PLUGIN_UNKNOWN_DATASET");
      assert.ok(dropped.message.includes(id), dropped.message);
      for (const failure of [gone, dropped]) withoutSecrets(failure);
      await settled({ plugin, credentials });
    },
  );

  fault(
    "tls",
    "certificates are checked according to the TLS mode: expired, for another name, or from an unknown issuer",
    async ({ modes, open: openTls }) => {
      const authority = { ...createCertificate({ name: "authority" }), name: "authority" };
      const stranger = { ...createCertificate({ name: "stranger" }), name: "stranger" };
      const good = createCertificate({ name: "db.test", issuer: authority });
      const until = new Date(Date.now() - dayMs);
      const expired = createCertificate({ name: "db.test", issuer: authority, until });
      const unknown = createCertificate({ name: "db.test", issuer: stranger });
      const server = await openTls();
      const strict = modes.at(-1)!;
      const connect = async (
        mode: string,
        {
          host = "db.test",
          ca = authority.certificate,
        }: { host?: string; ca?: string | null } = {},
      ) => {
        const { plugin } = await openPlugin();
        const properties = { ssl: mode, ...(ca !== null && { ca }) };
        const credentials = server.credentials(host, server.port, properties);
        const { schema } = server;
        try {
          assert.equal(await queryPlain({ plugin, credentials, schema }), plainRows);
        } finally {
          await closeAll();
        }
      };
      const refused = async (words: RegExp, ...given: Parameters<typeof connect>) => {
        const failure = await failureOf(connect(...given));
        withoutSecrets(failure);
        assert.match(failure.message, words);
        assert.not(failure.message.includes(good.key.slice(40, 80)), "the key");
      };
      try {
        await server.use(good);
        // With an authority, `require` checks certificates, as in libpq.
        const checking = ["require", "verify-ca", strict];
        const trusting = modes.filter((mode) => !mode.startsWith("verify"));
        const trustAll = async () => {
          for (const mode of trusting)
            await connect(mode, { ca: mode === "require" ? null : authority.certificate });
        };
        for (const mode of modes) await connect(mode);
        await refused(/name|altname|db\.test/i, strict, { host: "other.test" });
        await connect("verify-ca", { host: "other.test" });
        for (const mode of ["verify-ca", strict])
          await refused(/self.signed|issuer|authority|verify/i, mode, { ca: null });
        await server.use(unknown);
        for (const mode of checking) await refused(/self.signed|issuer|authority|verify/i, mode);
        await trustAll();
        await server.use(expired);
        for (const mode of checking) await refused(/expired/i, mode);
        await trustAll();
      } finally {
        await server.close();
      }
    },
  );

  fault(
    "kill",
    "if a server is killed while rows arrive, the call fails, and calls work after the restart",
    async (openServer) => {
      const server = await openServer();
      const front = server.place && (await openProxy(server.place));
      try {
        const { plugin } = await openPlugin();
        const credentials = front ? server.credentials(front.port) : engine.credentials();
        const target = { plugin, credentials, schema: server.schema };
        assert.equal(await queryPlain(target), plainRows);
        const before = front?.sentBytes ?? 0;
        const pending = named(runQuery("endless", target));
        if (front) await eventually(async () => front.sentBytes > before + 200_000, "rows arrive");
        else await untilRunning();
        await server.kill();
        assert.is((await pending).code, server.code ?? "PLUGIN_SOURCE_FAILED");
        await server.restart();
        assert.equal(await queryPlain(target), plainRows);
        await closeAll();
      } finally {
        await front?.close();
        await server.close();
      }
    },
  );
}

function never(): AbortSignal {
  return new AbortController().signal;
}
