import * as assert from "uvu/assert";
import { openQueue, type Queue } from "../../../../core/jobs/queue/openQueue.ts";
import type { Job, JobKind } from "../../../../core/jobs/queue/jobKind.ts";
import { JobCancelled } from "../../../../core/base/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

suite("core/jobs/queue/openQueue", (test) => {
  let catalog: TestCatalog;
  const queues: Queue[] = [];
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(async () => {
    await catalog.close();
  });

  const open = async (
    run: (job: Job) => Promise<void>,
    kind: Partial<JobKind> = {},
    pollS = 0.5,
  ) => {
    const queue = await openQueue({
      knex: catalog.transactions,
      log: silentLog,
      pace: { pollS, heartbeatS: 10 },
      graceMs: 2000,
      kinds: [
        {
          name: "tests",
          batchSize: 4,
          retryLimit: 2,
          retryDelayS: 0,
          longestDelayS: 1,
          expireS: 30,
          run,
          ...kind,
        },
      ],
    });
    queues.push(queue);
    return queue;
  };
  const closeAll = () => Promise.all(queues.splice(0).map((queue) => queue.close()));
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  test("a job runs once if its transaction commits, and never if the transaction is rolled back", async () => {
    const ran: unknown[] = [];
    const run = async ({ data }: Job) => void ran.push((data as { id: number }).id);
    const [queue] = await Promise.all([open(run), open(run)]);
    const { transactions } = catalog;
    await transactions
      .transaction(async (transaction) => {
        await queue.add("tests", [{ data: { id: -1 } }], transaction);
        throw new Error("changed its mind");
      })
      .catch(() => undefined);
    const ids = Array.from({ length: 50 }, (_, id) => id);
    await transactions.transaction((transaction) =>
      queue.add(
        "tests",
        ids.map((id) => ({ data: { id } })),
        transaction,
      ),
    );
    await until(() => ran.length >= ids.length);
    await closeAll();
    assert.equal(
      ran.toSorted((one, other) => Number(one) - Number(other)),
      ids,
    );
  });

  test("a host finds jobs that another host added", async () => {
    const ran: unknown[] = [];
    await open(async ({ data }) => void ran.push(data));
    const other = await open(async () => undefined, { name: "others" });
    await catalog.transactions.transaction((transaction) =>
      other.add("tests", [{ data: { id: 1 } }], transaction),
    );
    await until(() => ran.length > 0);
    await closeAll();
    assert.equal(ran, [{ id: 1 }]);
  });

  test("a job with a later start time runs on time, without waiting for the regular poll", async () => {
    const begun: number[] = [];
    const startAfter = new Date(Date.now() + 300);
    const queue = await open(async () => void begun.push(Date.now()), {}, 3_600);
    await catalog.transactions.transaction((transaction) =>
      queue.add("tests", [{ data: {}, startAfter }], transaction),
    );
    await until(() => begun.length > 0);
    await closeAll();
    assert.ok(begun.every((at) => at >= startAfter.getTime()));
  });

  test("a newly opened host runs another host's job when the job is due", async () => {
    const begun: number[] = [];
    const startAfter = new Date(Date.now() + 2_000);
    const other = await open(async () => undefined, { name: "others" });
    await catalog.transactions.transaction((transaction) =>
      other.add("tests", [{ data: {}, startAfter }], transaction),
    );
    await open(async () => void begun.push(Date.now()), {}, 3_600);
    await until(() => begun.length > 0);
    await closeAll();
    assert.ok(begun.every((at) => at >= startAfter.getTime()));
  });

  test("a slow job does not delay other jobs of its kind", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let endedCount = 0;
    const queue = await open(async ({ data }) => {
      if ((data as { isSlow?: true }).isSlow) await promise;
      endedCount++;
    });
    await catalog.transactions.transaction((transaction) =>
      queue.add(
        "tests",
        Array.from({ length: 30 }, (_, id) => ({ data: id === 0 ? { isSlow: true } : {} })),
        transaction,
      ),
    );
    await until(() => endedCount === 29);
    resolve();
    await until(() => endedCount === 30);
    await closeAll();
  });

  test("a failed job runs again, without the other jobs in its batch", async () => {
    const attempts: string[] = [];
    const queue = await open(async ({ data, attempt }) => {
      const { name } = data as { name: string };
      attempts.push(`${name} ${attempt}`);
      if (name === "bad" && attempt < 3) throw new Error("not yet");
    });
    await catalog.transactions.transaction((transaction) =>
      queue.add("tests", [{ data: { name: "good" } }, { data: { name: "bad" } }], transaction),
    );
    await until(() => attempts.includes("bad 3"));
    await closeAll();
    assert.equal(attempts.toSorted(), ["bad 1", "bad 2", "bad 3", "good 1"]);
  });

  for (const where of ["this host", "another host"])
    test(`cancelling a running job of a stoppable kind on ${where} stops it, and it does not run again`, async () => {
      const reasons: unknown[] = [];
      let runCount = 0;
      const run = async ({ signal }: Job) => {
        runCount++;
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        reasons.push(signal.reason);
        signal.throwIfAborted();
      };
      const queue = await open(run, { isStoppable: true });
      const other =
        where === "this host" ? queue : await open(async () => undefined, { batchSize: 0 });
      await catalog.transactions.transaction((transaction) =>
        queue.add("tests", [{ data: {} }], transaction),
      );
      await until(() => runCount === 1);
      const job = await catalog
        .knex("jobs.job")
        .where({ name: "tests", state: "active" })
        .first("id");
      assert.is(await other.cancel("tests", job.id), 1);
      await until(() => reasons.length === 1);
      assert.instance(reasons[0], JobCancelled);
      await closeAll();
      const { state } = await catalog.knex("jobs.job").where({ id: job.id }).first("state");
      assert.equal([state, runCount], ["cancelled", 1]);
    });

  test("closing the queue aborts the signal of a running job and waits for the job to end", async () => {
    let isStarted = false;
    let isEnded = false;
    const queue = await open(async ({ signal }) => {
      isStarted = true;
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      isEnded = true;
    });
    await catalog.transactions.transaction((transaction) =>
      queue.add("tests", [{ data: {} }], transaction),
    );
    await until(() => isStarted);
    await closeAll();
    assert.ok(isEnded);
  });
});
