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
  test("a session is used again; one whose work failed is ended", async () => {
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

  test("work beyond the most waits, and is refused as busy when no session becomes free", async () => {
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

  test("an aborted wait ends at once and keeps no place", async () => {
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

  test("random work never uses a session twice at a time, and leaves none open", async () => {
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
