import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import {
  openReader,
  openReaderPool,
  ReaderEnded,
  ReaderFailure,
  type Reader,
} from "../../../../plugins/rows/readers/index.ts";
import { suite } from "../../../support/suite.ts";
import type { OddArrays, OddRequest } from "./oddReader.ts";

type OddReader = Reader<OddRequest, string, string, string>;
type ArrayReader = Reader<OddRequest, OddArrays>;

const memoryBytes = 200 * 2 ** 20;

const open = (stopMs?: number): OddReader =>
  openReader({
    module: new URL("./oddReader", import.meta.url),
    memoryBytes,
    ...(stopMs !== undefined && { stopMs }),
  });

suite("plugins/rows/readers/openReader", (test) => {
  const opened: OddReader[] = [];
  /** A reader for calls that leave its process unchanged. */
  let shared: OddReader;
  const start = (stopMs?: number): OddReader => {
    const reader = open(stopMs);
    opened.push(reader);
    return reader;
  };
  test.before(() => {
    shared = start(60_000);
  });
  test.after(async () => {
    for (const reader of opened) await reader.kill();
  });

  const items = async (
    reader: OddReader,
    request: OddRequest,
    signal: AbortSignal = AbortSignal.timeout(60_000),
  ): Promise<readonly string[]> => {
    const all: string[] = [];
    for await (const item of reader.call(request, { signal, supply: async (need) => `${need}!` }))
      all.push(item);
    return all;
  };
  const failure = (run: Promise<unknown>): Promise<unknown> =>
    run.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );

  test("the items that a reader process returns arrive in order, and concurrent calls do not mix", async () => {
    const [ten, five] = await Promise.all([
      items(shared, { kind: "count", to: 10 }),
      items(shared, { kind: "count", to: 5 }),
    ]);
    assert.equal(ten, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    assert.equal(five, ["0", "1", "2", "3", "4"]);
  });

  test("large arrays of an item arrive unchanged, also after the memory of earlier items was released", async () => {
    const reader: ArrayReader = openReader({
      module: new URL("./oddReader", import.meta.url),
      memoryBytes,
    });
    try {
      const lengths = [60_000, 0, 5000, 59_999, 3, 60_000, 55_000];
      const held: OddArrays[] = [];
      const buffers = new Set<ArrayBufferLike>();
      const signal = AbortSignal.timeout(60_000);
      for await (const item of reader.call({ kind: "arrays", lengths }, { signal })) {
        const length = lengths[held.length]!;
        assert.equal(item.numbers, new Float64Array(length).fill(length));
        assert.equal(
          item.codes,
          Int32Array.from({ length: length + 1 }, (_, index) => index),
        );
        assert.equal(item.few, Uint8Array.of(1, 2, 3));
        held.push(item);
        if (length > 50_000) buffers.add(item.numbers.buffer);
        if (held.length % 2 === 1) reader.release(item);
      }
      assert.is(held.length, lengths.length);
      assert.ok(buffers.size < 4, "released memory is used again");
      assert.ok(
        held[3]!.numbers.every((value) => value === 59_999),
        "held memory is not",
      );
    } finally {
      await reader.kill();
    }
  });

  test.deep(
    "large arrays arrive in the message if the folder for temporary files does not exist",
    async () => {
      const folder = process.env["TMPDIR"];
      process.env["TMPDIR"] = "/nowhere";
      const reader: ArrayReader = openReader({
        module: new URL("./oddReader", import.meta.url),
        memoryBytes,
      });
      if (folder === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = folder;
      try {
        const signal = AbortSignal.timeout(60_000);
        for await (const item of reader.call({ kind: "arrays", lengths: [50_000] }, { signal }))
          assert.equal(item.numbers, new Float64Array(50_000).fill(50_000));
      } finally {
        await reader.kill();
      }
    },
  );

  test("a reader process can request data from the host", async () => {
    assert.equal(await items(shared, { kind: "echo", text: "bytes" }), ["bytes!"]);
  });

  test("a reader process gets no environment variable of the host except TMPDIR", async () => {
    process.env["MANIFOLD_SECRET_OF_TEST"] = "secret";
    const [names = ""] = await items(shared, { kind: "environment" });
    delete process.env["MANIFOLD_SECRET_OF_TEST"];
    const harmless = [
      "MANIFOLD_READER_MEMORY_BYTES",
      "NODE_CHANNEL_FD",
      "NODE_CHANNEL_SERIALIZATION_MODE",
      "TMPDIR",
    ];
    for (const name of JSON.parse(names) as string[]) assert.ok(harmless.includes(name), name);
  });

  test("a caller that stops reading early ends its call, and the reader process stays usable", async () => {
    for await (const item of shared.call(
      { kind: "count", to: 1e9 },
      { signal: AbortSignal.timeout(60_000) },
    ))
      if (item === "3") break;
    assert.ok(shared.isAlive);
    assert.equal(await items(shared, { kind: "count", to: 1 }), ["0"]);
  });

  for (const kind of ["grow", "growBuffers"] as const)
    test.deep(
      `if a reader process needs too much memory (${kind}), only that process stops, and the error gives the reason`,
      async () => {
        const before = process.memoryUsage().rss;
        const thrown = await failure(items(start(), { kind }));
        assert.instance(thrown, ReaderEnded);
        assert.match((thrown as ReaderEnded).message, "needs more than 200 MiB of memory");
        assert.ok(process.memoryUsage().rss - before < 2 ** 27);
      },
    );

  test("when a reader process exits, its running calls fail", async () => {
    const thrown = await failure(items(start(), { kind: "exit" }));
    assert.instance(thrown, ReaderEnded);
    assert.is((thrown as ReaderEnded).memoryBytes, undefined);
  });

  test("aborting a call kills a reader process that does not stop", async () => {
    const reader = start();
    const stop = new AbortController();
    const running = failure(items(reader, { kind: "spin" }, stop.signal));
    stop.abort(new PluginError("PLUGIN_TIMEOUT", ["late"]));
    assert.is(await running, stop.signal.reason);
    assert.not.ok(reader.isAlive);
  });

  test.deep(
    "if a call does not stop, its process is killed once its other calls have finished",
    async () => {
      const reader = start(1);
      const counting = reader.call(
        { kind: "count", to: 100 },
        { signal: AbortSignal.timeout(60_000) },
      );
      const other = counting[Symbol.asyncIterator]();
      assert.is((await other.next()).value, "0");
      const stop = new AbortController();
      const lingering = failure(items(reader, { kind: "linger" }, stop.signal));
      stop.abort(new PluginError("PLUGIN_TIMEOUT", ["late"]));
      assert.is(await lingering, stop.signal.reason);
      assert.not.ok(reader.isAlive);
      let last: string | undefined;
      for (let next = await other.next(); !next.done; next = await other.next()) last = next.value;
      assert.is(last, "99");
      assert.throws(() => process.kill(reader.pid, 0), /ESRCH/);
    },
  );

  test("an error of a parsing library keeps its message and code when it comes from a reader process", async () => {
    const thrown = await failure(items(shared, { kind: "fail" }));
    assert.instance(thrown, ReaderFailure);
    assert.is((thrown as ReaderFailure).message, "what a library says");
    assert.is((thrown as ReaderFailure).code, 17);
  });
});

suite("plugins/rows/readers/openReaderPool", (test) => {
  let lastPid = 0;
  /** Opens a fake reader. It has only the members that a pool needs, and no process. */
  const openStandIn = () => {
    const pid = ++lastPid;
    return { pid, isAlive: true, hold: () => {}, kill: async () => {} };
  };
  const pidOf = async ({ pid }: { readonly pid: number }) => pid;
  const { signal } = new AbortController();

  test("only the same owner can reuse a reader process", async () => {
    const pool = openReaderPool({
      source: "test",
      open: openStandIn,
      most: 4,
      idleMs: 60_000,
      waitMs: 1000,
    });
    const first = await pool.use("one", signal, pidOf);
    assert.is(await pool.use("one", signal, pidOf), first);
    assert.is.not(await pool.use("two", signal, pidOf), first);
    await pool.close();
    assert.equal(pool.pids(), []);
  });

  test("one owner can use at most half of the reader processes", async () => {
    const pool = openReaderPool({
      source: "test",
      open: openStandIn,
      most: 4,
      idleMs: 60_000,
      waitMs: 50,
    });
    const release = Promise.withResolvers<void>();
    const held = ["one", "one"].map((owner) => pool.use(owner, signal, () => release.promise));
    const refused = await pool.use("one", signal, pidOf).then(String, String);
    assert.match(refused, "all readers were in use for 50 ms");
    assert.type(await pool.use("two", signal, pidOf), "number");
    release.resolve();
    await Promise.all(held);
    await pool.close();
  });

  test("a call that waits for a reader process gets the next free process", async () => {
    const pool = openReaderPool({
      source: "test",
      open: openStandIn,
      most: 2,
      idleMs: 60_000,
      waitMs: 30_000,
    });
    const release = Promise.withResolvers<void>();
    const held = pool.use("one", signal, () => release.promise);
    const waiting = pool.use("one", signal, pidOf);
    await sleep(0);
    release.resolve();
    await held;
    assert.type(await waiting, "number");
    await pool.close();
  });

  test.deep("a reader process that stopped is replaced", async () => {
    const pool = openReaderPool({
      source: "test",
      open: () => open(),
      most: 2,
      idleMs: 60_000,
      waitMs: 30_000,
    });
    const first = await pool
      .use("one", signal, async (reader) => {
        for await (const _ of reader.call({ kind: "exit" }, { signal }));
        return 0;
      })
      .catch((thrown: unknown) => thrown);
    assert.instance(first, ReaderEnded);
    assert.type(await pool.use("one", signal, pidOf), "number");
    await pool.close();
  });
});
