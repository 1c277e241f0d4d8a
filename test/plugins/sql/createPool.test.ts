import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createPool, type PoolOptions } from "../../../plugins/sql/index.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { failureOf } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";

interface Session {
  readonly id: number;
  isEnded: boolean;
}

function openPool(options: Partial<PoolOptions<Session>> = {}) {
  const sessions: Session[] = [];
  const pool = createPool<Session>({
    source: "a source",
    open: async () => {
      const session = { id: sessions.length, isEnded: false };
      sessions.push(session);
      return session;
    },
    end: async (session) => {
      session.isEnded = true;
    },
    most: 2,
    idleMs: 60_000,
    waitMs: 60_000,
    ...options,
  });
  return { pool, sessions, openSessions: () => sessions.filter(({ isEnded }) => !isEnded).length };
}

const signal = new AbortController().signal;

suite("plugins/sql/createPool", (test) => {
  test("a session of the pool is reused, or closed if its work failed", async () => {
    const { pool, sessions } = openPool();
    assert.is(await pool.use(signal, async ({ id }) => id), 0);
    assert.is(await pool.use(signal, async ({ id }) => id), 0);
    const failing = pool.use(signal, async () => Promise.reject(new Error("broken")));
    assert.match(String(await failing.catch(String)), "broken");
    assert.is(await pool.use(signal, async ({ id }) => id), 1);
    assert.equal(
      sessions.map(({ isEnded }) => isEnded),
      [true, false],
    );
    await pool.close();
    assert.ok(sessions.every(({ isEnded }) => isEnded));
  });

  test("a session that survives the failure of its work is reset and reused, unless the call was aborted", async () => {
    const resets: number[] = [];
    const refusal = new Error("refused");
    const { pool, sessions } = openPool({
      reset: ({ id }) => void resets.push(id),
      survives: (failure) => failure === refusal,
    });
    const failWith = async (failure: Error, by = signal) =>
      assert.is(
        await pool.use(by, async () => Promise.reject(failure)).catch((thrown: unknown) => thrown),
        failure,
      );
    await pool.use(signal, async () => undefined);
    await failWith(refusal);
    assert.equal(resets, [0, 0]);
    assert.is(await pool.use(signal, async ({ id }) => id), 0);
    await failWith(new Error("broken"));
    assert.is(await pool.use(signal, async ({ id }) => id), 1);
    const leaving = new AbortController();
    const aborted = pool.use(leaving.signal, async () => {
      leaving.abort();
      throw refusal;
    });
    assert.is(await aborted.catch((thrown: unknown) => thrown), refusal);
    assert.equal(
      sessions.map(({ isEnded }) => isEnded),
      [true, true],
    );
    assert.equal(resets, [0, 0, 0, 1]);
    await pool.close();
  });

  test("work fails and its session is closed if the session cannot be reset", async () => {
    const { pool, openSessions } = openPool({
      reset: () => Promise.reject(new Error("gone")),
      survives: () => true,
    });
    const working = pool.use(signal, async () => 1);
    assert.match(String(await working.catch(String)), "gone");
    assert.is(openSessions(), 0);
    await pool.close();
  });

  test("no holder exceeds its share of the sessions, and the holder with the fewest sessions is served first", async () => {
    const { pool } = openPool({ most: 3, mostPerHolder: 2 });
    const order: string[] = [];
    const running: { readonly holder: string; readonly end: () => void }[] = [];
    const most = new Map<string, number>();
    const work = (holder: string) =>
      pool.use(
        signal,
        async () => {
          const { promise, resolve } = Promise.withResolvers<void>();
          const place = { holder, end: resolve };
          running.push(place);
          order.push(holder);
          const held = running.filter((each) => each.holder === holder).length;
          most.set(holder, Math.max(most.get(holder) ?? 0, held));
          await promise;
          running.splice(running.indexOf(place), 1);
        },
        () => true,
        holder,
      );
    const all = ["a", "a", "a", "a", "b", "b", "c"].map(work);
    for (let left = all.length; left > 0; left--) {
      while (running.length < Math.min(3, left)) {
        await new Promise((resolve) => setImmediate(resolve));
        if (running.every(({ holder }) => holder === "a") && left <= 2) break;
      }
      running[0]!.end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    assert.equal(order.slice(0, 4), ["a", "a", "b", "c"]);
    assert.is(most.get("a"), 2);
    await pool.close();
  });

  test("a holder that has used up its share is refused as busy while others get sessions", async () => {
    const { pool } = openPool({ most: 2, mostPerHolder: 1, waitMs: 20 });
    const release = Promise.withResolvers<void>();
    const first = pool.use(
      signal,
      () => release.promise,
      () => true,
      "a",
    );
    const second = pool.use(
      signal,
      async () => undefined,
      () => true,
      "a",
    );
    const failure = await failureOf(second);
    assert.is(failure.code, "PLUGIN_BUSY");
    assert.match(failure.message, /the 1 of 2 connections that one organization may use/);
    const other = pool.use(
      signal,
      async () => "entered",
      () => true,
      "b",
    );
    assert.is(await other, "entered");
    release.resolve();
    await first;
    await pool.close();
  });

  test("work waits while all sessions are in use, and is refused as busy if none becomes free", async () => {
    const { pool } = openPool({ most: 1, waitMs: 20 });
    const release = Promise.withResolvers<void>();
    const first = pool.use(signal, () => release.promise);
    const { code } = await failureOf(pool.use(signal, async () => undefined));
    assert.is(code, "PLUGIN_BUSY");
    release.resolve();
    await first;
    assert.is(await pool.use(signal, async () => "free again"), "free again");
    await pool.close();
  });

  test("work that is aborted while it waits for a session stops waiting at once", async () => {
    const { pool } = openPool({ most: 1 });
    const release = Promise.withResolvers<void>();
    const first = pool.use(signal, () => release.promise);
    const leaving = new AbortController();
    const waiting = pool
      .use(leaving.signal, async () => undefined)
      .catch((reason: unknown) => reason);
    leaving.abort(new Error("left"));
    assert.match(String(await waiting), "left");
    release.resolve();
    await first;
    assert.is(pool.openCount, 1);
    await pool.close();
  });

  test("closing the pool waits for all sessions in use, and then closes them", async () => {
    const { pool, openSessions } = openPool();
    const releases = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const work = releases.map(({ promise }) => pool.use(signal, () => promise));
    let isClosed = false;
    const closing = pool.close().then(() => (isClosed = true));
    releases[0].resolve();
    await work[0];
    assert.is(isClosed, false);
    assert.is((await failureOf(pool.use(signal, async () => undefined))).code, "PLUGIN_BUSY");
    assert.is(isClosed, false, "one session is still in use");
    releases[1].resolve();
    await closing;
    assert.is(openSessions(), 0);
  });

  test("random concurrent work never shares a session and leaves none open", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const { pool, openSessions } = openPool({ most: 3 });
      const used = new Set<number>();
      const work = Array.from({ length: 200 }, async () => {
        const leaving = new AbortController();
        if (random.chance(0.2)) setTimeout(() => leaving.abort(), random.below(5));
        const isFailing = random.chance(0.2);
        const lengthMs = random.below(3);
        await sleep(random.below(20));
        await pool
          .use(leaving.signal, async ({ id }) => {
            assert.not(used.has(id));
            used.add(id);
            assert.ok(used.size <= 3);
            await sleep(lengthMs);
            used.delete(id);
            if (isFailing) throw new Error("fails");
          })
          .catch((failure: Error) => {
            if (failure instanceof assert.Assertion) throw failure;
          });
      });
      await Promise.all(work);
      assert.ok(pool.openCount <= 3);
      await pool.close();
      assert.is(openSessions(), 0);
    });
  });
});
