import * as assert from "uvu/assert";
import { createAnswerCache, type AnswerKey } from "../../../../core/queries/cache/answerCache.ts";
import type { TracedRun } from "../../../../core/queries/run/traceRun.ts";
import type { Batch } from "../../../../plugins/protocol/index.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const forever = (text: string) => (): AnswerKey => ({ text, maxAgeMs: Infinity });
const stays = new AbortController().signal;
const batchOf = (...values: number[]): Batch => ({
  rowCount: values.length,
  columns: [{ type: "numeric", values: Float64Array.from(values) }],
});
const answerOf = (batch: Batch) =>
  ({ batch, preparingMs: 1, queryingMs: 2, processingMs: 3 }) as unknown as TracedRun;
const firstOf = ({ batch }: TracedRun) =>
  batch.columns[0]?.type === "numeric" ? batch.columns[0].values[0] : undefined;

/** A source that counts its calls, and answers each call when the test tells it to. */
function createSource() {
  const runs: {
    readonly signal: AbortSignal;
    readonly finish: (answer: TracedRun) => void;
    readonly fail: (failure: Error) => void;
  }[] = [];
  const run = (signal: AbortSignal) => {
    const { promise, resolve, reject } = Promise.withResolvers<TracedRun>();
    signal.addEventListener("abort", () => reject(new Error("stopped")));
    runs.push({ signal, finish: resolve, fail: reject });
    return promise;
  };
  return { runs, run };
}
const instantly = (...values: number[]) => {
  let count = 0;
  return {
    run: async () => {
      count++;
      return answerOf(batchOf(...values));
    },
    count: () => count,
  };
};
const messageOf = (run: Promise<unknown>) =>
  run.then(
    () => "it answered",
    (failure: unknown) => (failure as Error).message,
  );

suite("core/queries/cache/answerCache", (test) => {
  test("a cached answer is found only with its own key", async () => {
    let now = 0;
    const cache = createAnswerCache({ sizeBytes: 1e6, now: () => now });
    const source = instantly(7);
    const first = await cache.answer(forever("a"), stays, source.run);
    assert.equal([first.state, first.ageMs], ["miss", 0]);
    now = 40;
    const second = await cache.answer(forever("a"), stays, source.run);
    assert.equal([second.state, second.ageMs, firstOf(second.answer)], ["hit", 40, 7]);
    assert.is((await cache.answer(forever("b"), stays, source.run)).state, "miss");
    assert.is(source.count(), 2);
  });

  test("the source is queried again once a cached answer has reached its maximum age", async () => {
    let now = 0;
    const cache = createAnswerCache({ sizeBytes: 1e6, now: () => now });
    const key = { text: "a", maxAgeMs: 100 };
    const slow = async () => {
      now += 60;
      return answerOf(batchOf(1));
    };
    await cache.answer(() => key, stays, slow);
    now = 99;
    assert.is((await cache.answer(() => key, stays, slow)).state, "hit");
    assert.is((await cache.answer(() => ({ ...key, maxAgeMs: 50 }), stays, slow)).state, "miss");
    now += 40;
    assert.is((await cache.answer(() => key, stays, slow)).state, "miss");
  });

  test("an answer without a key, with a maximum age of 0 or in a cache of size 0 is neither cached nor shared", async () => {
    const cases = [
      [createAnswerCache({ sizeBytes: 1e6 }), undefined],
      [createAnswerCache({ sizeBytes: 1e6 }), { text: "a", maxAgeMs: 0 }],
      [createAnswerCache({ sizeBytes: 0 }), { text: "a", maxAgeMs: Infinity }],
    ] as const;
    for (const [cache, key] of cases) {
      const source = instantly(1);
      const answers = await Promise.all(
        [1, 2, 3].map(() => cache.answer(() => key, stays, source.run)),
      );
      assert.equal(
        answers.map(({ state }) => state),
        ["off", "off", "off"],
      );
      assert.is(source.count(), 3);
    }
  });

  test("concurrent callers with the same key share one run of the query", async () => {
    const cache = createAnswerCache({ sizeBytes: 1e6 });
    const { runs, run } = createSource();
    const waiting = [1, 2, 3].map(() => cache.answer(forever("a"), stays, run));
    const other = cache.answer(forever("b"), stays, run);
    assert.is(runs.length, 2);
    runs[0]?.finish(answerOf(batchOf(5)));
    runs[1]?.finish(answerOf(batchOf(6)));
    const answers = await Promise.all([...waiting, other]);
    assert.equal(
      answers.map(({ state }) => state),
      ["miss", "shared", "shared", "miss"],
    );
    assert.equal(
      answers.map(({ answer }) => firstOf(answer)),
      [5, 5, 5, 6],
    );
  });

  test("a caller that leaves a shared run, even the caller that started the run, does not stop it for other callers", async () => {
    for (const leaver of [0, 1]) {
      const cache = createAnswerCache({ sizeBytes: 1e6 });
      const { runs, run } = createSource();
      const controllers = [new AbortController(), new AbortController()];
      const waiting = controllers.map(({ signal }) => cache.answer(forever("a"), signal, run));
      controllers[leaver]?.abort(new Error("gone"));
      assert.is(await messageOf(waiting[leaver] as Promise<unknown>), "gone");
      assert.not(runs[0]?.signal.aborted);
      runs[0]?.finish(answerOf(batchOf(5)));
      const stayed = await waiting[1 - leaver];
      assert.is(stayed && firstOf(stayed.answer), 5);
      assert.is((await cache.answer(forever("a"), stays, run)).state, "hit");
    }
  });

  test("a run is aborted when its last caller leaves, and the next caller starts another run", async () => {
    const cache = createAnswerCache({ sizeBytes: 1e6 });
    const { runs, run } = createSource();
    // Both callers use one signal, like two queries of one call whose client has disconnected.
    const controller = new AbortController();
    const waiting = [1, 2].map(() => cache.answer(forever("a"), controller.signal, run));
    controller.abort(new Error("gone"));
    const late = cache.answer(forever("a"), stays, run);
    assert.is(runs[0]?.signal.aborted, true);
    assert.equal(await Promise.all(waiting.map(messageOf)), ["gone", "stopped"]);
    assert.is(runs.length, 2);
    runs[1]?.finish(answerOf(batchOf(9)));
    const { state, answer } = await late;
    assert.equal([state, firstOf(answer)], ["miss", 9]);
  });

  test("a caller whose signal is already aborted starts no run", async () => {
    const cache = createAnswerCache({ sizeBytes: 1e6 });
    const { runs, run } = createSource();
    const gone = AbortSignal.abort(new Error("gone"));
    assert.is(await messageOf(cache.answer(forever("a"), gone, run)), "stopped");
    assert.is(runs[0]?.signal.aborted, true);
  });

  test("a failure reaches every waiting caller and is not cached", async () => {
    const cache = createAnswerCache({ sizeBytes: 1e6 });
    const { runs, run } = createSource();
    const waiting = [1, 2].map(() => cache.answer(forever("a"), stays, run));
    runs[0]?.fail(new Error("broken"));
    assert.equal(await Promise.all(waiting.map(messageOf)), ["broken", "broken"]);
    const source = instantly(3);
    assert.is((await cache.answer(forever("a"), stays, source.run)).state, "miss");
    assert.is(source.count(), 1);
  });

  test("an answer that arrives after its run was aborted is still returned and cached", async () => {
    const cache = createAnswerCache({ sizeBytes: 1e6 });
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<TracedRun>();
    const deaf = cache.answer(forever("a"), controller.signal, () => promise);
    controller.abort(new Error("gone"));
    const { runs, run } = createSource();
    const later = cache.answer(forever("a"), stays, run);
    resolve(answerOf(batchOf(1)));
    assert.is(firstOf((await deaf).answer), 1);
    const joined = cache.answer(forever("a"), stays, run);
    assert.is((await joined).state, "hit");
    runs[0]?.finish(answerOf(batchOf(1)));
    await later;
  });

  test("the least recently used answer is evicted first, and the cache never exceeds its size", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const cache = createAnswerCache({ sizeBytes: 100_000 });
      // Each answer takes about 8,000 bytes, plus 2,048 for its cache entry. Nine answers fit.
      const room = 9;
      let recent: string[] = [];
      for (let step = 0; step < 500; step++) {
        const text = String(random.below(20));
        const { state } = await cache.answer(forever(text), stays, async () =>
          answerOf(batchOf(...Array.from({ length: 1000 }, (_, value) => value))),
        );
        assert.is(state, recent.includes(text) ? "hit" : "miss", `${text} of ${recent}`);
        recent = [text, ...recent.filter((each) => each !== text)].slice(0, room);
      }
    });
  });

  test("an answer larger than a quarter of the cache evicts no other answer", async () => {
    const cache = createAnswerCache({ sizeBytes: 100_000 });
    const small = instantly(1);
    await cache.answer(forever("small"), stays, small.run);
    const large = async () => answerOf(batchOf(...Array.from({ length: 4000 }, () => 1)));
    assert.is((await cache.answer(forever("large"), stays, large)).state, "miss");
    assert.is((await cache.answer(forever("large"), stays, large)).state, "miss");
    assert.is((await cache.answer(forever("small"), stays, small.run)).state, "hit");
  });
});
