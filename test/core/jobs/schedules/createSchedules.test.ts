import * as assert from "uvu/assert";
import type { Knex } from "knex";
import { createSchedules } from "../../../../core/jobs/schedules/createSchedules.ts";
import { openClock } from "../../../../core/jobs/openClock.ts";
import type { NewJob } from "../../../../core/jobs/queue/openQueue.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import type { Records, WrittenValues } from "../../../../core/base/contracts/index.ts";
import type { WorkOutcome } from "../../../../core/jobs/schedules/scheduledWork.ts";
import type { Accelerated } from "../../../../core/sources/acceleration/index.ts";
import type { SyncReport } from "../../../../core/sources/synchronization/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

suite("core/jobs/schedules/createSchedules", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  let userId: string;
  let accountId: string;
  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
    userId = (await records.insert("user", { name: "Ada", email: "ada@example.org" })).id;
    accountId = (await records.insert("account", { provider: "postgresql", user_id: userId })).id;
  });
  test.beforeEach(async () => {
    await catalog.knex("schedule").delete();
  });
  test.after(() => catalog.close());

  const makeDataset = async (values: WrittenValues<"securable"> = {}) =>
    (
      await records.insert("securable", {
        type: "dataset",
        storage: "client",
        account_id: accountId,
        owner_id: userId,
        last_metadata_sync_attempt_at: new Date(),
        ...values,
      })
    ).id;
  const makeSchedule = async (values: WrittenValues<"schedule">) =>
    (await records.insert("schedule", { user_id: userId, ...values })).id;
  const scheduleOf = async (id: string) => (await records.find("schedule", { id }))[0]!;

  interface Outcomes {
    readonly accelerated?: Accelerated;
    readonly report?: SyncReport;
    readonly sent?: WorkOutcome;
  }
  /** Schedules over a queue that only stores its jobs. `take` claims due work, and `runAll` runs the jobs. */
  const open = ({ accelerated = "copied", report, sent = { kind: "done" } }: Outcomes = {}) => {
    const added: { readonly name: string; readonly job: NewJob }[] = [];
    const done: string[] = [];
    const schedules = createSchedules({
      records,
      knex: catalog.transactions,
      queue: () => ({
        add: async (name: string, jobs: readonly NewJob[]) => {
          for (const job of jobs) added.push({ name, job });
        },
      }),
      accelerate: async (id) => {
        done.push(`acceleration ${id}`);
        return accelerated;
      },
      synchronize: async (id) => {
        done.push(`synchronization ${id}`);
        return report;
      },
      sendDashboard: async ({ scheduleId, slotMs, isLast }) => {
        done.push(`export ${scheduleId} ${new Date(slotMs).toISOString()} ${isLast}`);
        return sent;
      },
      giveUpExport: async ({ scheduleId }) => {
        done.push(`lost export ${scheduleId}`);
      },
    });
    const take = async (nowMs: number) => {
      const addJobs = (
        due: Parameters<typeof schedules.addDue>[0],
        transaction: Knex.Transaction,
      ) => schedules.addDue(due, transaction);
      const knex = catalog.transactions;
      const clock = openClock({ knex, log: silentLog, addJobs, now: () => nowMs });
      await clock.look();
      await clock.close();
    };
    const runAll = async () => {
      for (const { name, job } of added.splice(0)) {
        const kind = schedules.kinds.find((each) => each.name === name)!;
        await kind.run({
          id: "1",
          data: job.data,
          attempt: 1,
          signal: new AbortController().signal,
        });
      }
    };
    return { schedules, added, done, take, runAll };
  };

  test("a due schedule runs its task and plans its next slot", async () => {
    const due = new Date("2024-05-05T10:00:00Z");
    const recurring = {
      frequency_unit: "hour",
      frequency_quantity: 1,
      started_at: due,
      scheduled_at: due,
      active: true,
    } as const;
    const [one, other, dashboard] = [
      await makeDataset(),
      await makeDataset(),
      await makeDataset({ type: "dashboard", storage: null }),
    ];
    const ids = {
      copied: await makeSchedule({ ...recurring, securable_id: one, task: "acceleration" }),
      synchronized: await makeSchedule({ ...recurring, securable_id: other, task: null }),
      exported: await makeSchedule({ ...recurring, securable_id: dashboard, task: "export" }),
    };
    const { take, runAll, done, added } = open();
    await take(due.getTime() + 90 * 60_000);
    assert.equal(added.map(({ name }) => name).toSorted(), [
      "acceleration",
      "export",
      "synchronization",
    ]);
    await runAll();
    assert.equal(
      done.toSorted(),
      [
        `acceleration ${one}`,
        `synchronization ${other}`,
        `export ${ids.exported} 2024-05-05T10:00:00.000Z false`,
      ].toSorted(),
    );
    for (const id of Object.values(ids)) {
      const { scheduled_at, completed_at, retries, failure } = await scheduleOf(id);
      assert.equal(scheduled_at, new Date("2024-05-05T12:00:00Z"));
      assert.is(retries, 0);
      assert.ok(completed_at && failure === null);
    }
    await take(due.getTime() + 90 * 60_000);
    assert.equal(added, []);
  });

  test("a schedule that is deleted, stopped or changed after it became due runs nothing more", async () => {
    const securable_id = await makeDataset();
    const due = new Date("2024-06-01T00:00:00Z");
    const values = { securable_id, task: "acceleration", scheduled_at: due, active: true };
    const [deleted, ended] = [await makeSchedule(values), await makeSchedule(values)];
    const { take, runAll, done, added } = open();
    await take(due.getTime());
    assert.is(added.length, 2);
    assert.is(
      (await scheduleOf(ended)).scheduled_at,
      null,
      "a schedule without recurrence is due once",
    );
    await records.remove("schedule", [deleted]);
    await records.change("schedule", ended, { active: false });
    await runAll();
    assert.equal(done, []);
  });

  test("a load whose source is unavailable is retried at growing intervals, and the schedule counts the retries", async () => {
    const securable_id = await makeDataset();
    const due = new Date("2024-07-01T00:00:00Z");
    const id = await makeSchedule({
      securable_id,
      task: "acceleration",
      scheduled_at: due,
      active: true,
    });
    const { take, runAll, done, added } = open({ accelerated: "retry" });
    await take(due.getTime());
    const waits: number[] = [];
    while (added.length > 0) {
      waits.push(Number(added[0]?.job.startAfter) - Date.now());
      await runAll();
    }
    assert.is(done.length, 6);
    const rising = waits.slice(1);
    assert.ok(rising.every((wait, index) => wait > (rising[index - 1] ?? 0)));
    const { retries, failure, completed_at } = await scheduleOf(id);
    assert.equal([retries, completed_at], [5, null]);
    assert.match(String(failure), /did not answer/);
  });

  test("if another job is already doing the work, the schedule becomes due again later and adds no second job", async () => {
    const securable_id = await makeDataset();
    const due = new Date("2024-07-02T00:00:00Z");
    const id = await makeSchedule({
      securable_id,
      task: "acceleration",
      scheduled_at: due,
      active: true,
    });
    const { take, runAll, added } = open({ accelerated: "busy" });
    await take(due.getTime());
    await runAll();
    assert.equal(added, []);
    assert.ok(Number((await scheduleOf(id)).scheduled_at) > Date.now());
  });

  test("metadata is synchronized at the interval of its dataset, or of its connection if the dataset has none", async () => {
    const hourMs = 3_600_000;
    const ago = (hours: number) => new Date(Date.now() - hours * hourMs);
    await records.change("account", accountId, {
      datasets_meta_sync_interval: 5,
      datasets_meta_sync_enabled: true,
      active: true,
    });
    const at = (hours: number, values: WrittenValues<"securable">) =>
      makeDataset({ last_metadata_sync_attempt_at: ago(hours), ...values });
    const due = [
      await at(6, { meta_sync_inherit: true, meta_sync_interval: 100 }),
      await at(3, { meta_sync_inherit: false, meta_sync_interval: 2 }),
    ];
    await at(4, { meta_sync_inherit: true, meta_sync_interval: 1 });
    await at(1, { meta_sync_inherit: false, meta_sync_interval: 2 });
    await at(99, { meta_sync_inherit: false, meta_sync_interval: 1e9 });
    await at(99, { meta_sync_inherit: false, meta_sync_interval: Number.MAX_VALUE });
    await at(99, { meta_sync_enabled: false });
    await at(99, { storage: "strata" });
    const { schedules, added, runAll, done } = open();
    await schedules.sweep();
    await schedules.sweep();
    await runAll();
    assert.equal(done.toSorted(), due.map((id) => `synchronization ${id}`).toSorted());
    assert.equal(added, []);
    await records.change("account", accountId, { datasets_meta_sync_enabled: false });
    await at(99, { meta_sync_inherit: true });
    await at(99, { meta_sync_inherit: false, meta_sync_interval: 1 });
    await schedules.sweep();
    assert.is(added.length, 1, "only the dataset with its own interval");
  });

  test("a load whose host dies becomes due again", async () => {
    const securable_id = await makeDataset();
    const building_id = securable_id;
    await records.insert("datasetcopy", {
      securable_id,
      building_id,
      status: "copying",
      started_at: new Date(Date.now() - 300_000),
    });
    const id = await makeSchedule({ securable_id, task: "acceleration", active: true });
    const lease = async (dueMs: number) => {
      await catalog.knex("outbox").where({ securable_id }).delete();
      await catalog
        .knex("outbox")
        .insert({ action: "drop", securable_id, due_at: new Date(Date.now() + dueMs) });
    };
    const { schedules } = open();
    await lease(60_000);
    await schedules.sweep();
    assert.is((await scheduleOf(id)).scheduled_at, null);
    await lease(-1000);
    await schedules.sweep();
    assert.ok((await scheduleOf(id)).scheduled_at);
  });
});
