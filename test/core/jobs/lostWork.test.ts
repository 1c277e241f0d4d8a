import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createPrincipals, ensureOwner } from "../../../core/identity/access/index.ts";
import { openEgress } from "../../../core/sources/connections/index.ts";
import type { Records } from "../../../core/base/contracts/index.ts";
import { type Jobs, openJobs } from "../../../core/jobs/index.ts";
import type { QueryAnswer } from "../../../core/queries/index.ts";
import { eventIdOf } from "../../../core/jobs/schedules/sendDashboard.ts";
import { openRecords } from "../../../core/resources/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../support/catalog.ts";
import { createPlainConnections } from "../../support/plainConnections.ts";
import { createPlainPlugin } from "../../support/plainPlugin.ts";
import { noExports } from "../../support/noExports.ts";
import { eventually } from "../../support/eventually.ts";
import { suite } from "../../support/suite.ts";

interface Line {
  readonly slot: number;
  readonly outcome: string;
  readonly reason: string | null;
}

suite("core/jobs/lostWork", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  let userId: string;
  const hosts: Jobs[] = [];
  const egress = openEgress({ allow: [], timeoutMs: 1_000, sizeBytes: 1_024 });
  const answer = { data: [["Lille", 120]] } as unknown as QueryAnswer;
  /** Slots that have no outcome, because a fault of the host made their evaluation fail. */
  const faulty = new Set<number>();

  const open = async () => {
    const plugin = createPlainPlugin();
    const noDataset = () => Promise.reject(new Error("the catalog has no dataset"));
    const jobs = await openJobs({
      knex: catalog.transactions,
      records,
      cipher: catalog.cipher,
      egresses: { ofHost: egress, ofUser: () => Promise.resolve(egress) },
      publicUrl: () => "http://127.0.0.1",
      log: silentLog,
      principals: createPrincipals({ catalog, cipher: catalog.cipher }),
      queries: {
        async evaluate(_query, _principal, _signal, nowMs) {
          if (faulty.has(Number(nowMs))) throw new TypeError("a fault of the host");
          return answer;
        },
      },
      connections: createPlainConnections({ store: plugin, scratch: plugin }),
      accelerate: noDataset,
      synchronize: noDataset,
      exportWork: {
        ...noExports,
        draw: () => Promise.reject(new TypeError("a fault of the host")),
      },
      pace: { pollS: 0.5, superviseS: 1, heartbeatS: 10, jitterMs: 0, digestAfter: Infinity },
    });
    hosts.push(jobs);
  };
  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
    await ensureOwner({ records, key: undefined, token: undefined });
    const [user] = await records.find("user", {});
    userId = String(user?.id);
    await Promise.all([open(), open()]);
  });
  test.after(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    egress.close();
    await catalog?.close();
  });

  const makeAlert = async (error: "keep" | "fire") => {
    const { id: schedule_id } = await records.insert("schedule", {
      frequency_unit: "year",
      frequency_quantity: 1,
      timezone: "UTC",
      started_at: new Date(),
      task: "alert",
      user_id: userId,
    });
    const { id } = await records.insert("alert", {
      name: { en: "alert" },
      query: {},
      frequency: { unit: "year", quantity: 1 },
      schedule_id,
      user_id: userId,
      error,
    });
    return { id, schedule_id };
  };
  const makeExport = async () => {
    const board = { type: "dashboard" as const, owner_id: userId };
    const { id: securable_id } = await records.insert("securable", board);
    const { id } = await records.insert("schedule", {
      frequency_unit: "year",
      frequency_quantity: 1,
      timezone: "UTC",
      started_at: new Date(),
      active: true,
      task: "export",
      user_id: userId,
      confirmed_by: userId,
      securable_id,
    });
    return { id, securable_id };
  };
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const makeDue = async (scheduleId: string, slotMs: number) => {
    const at = new Date(slotMs);
    const row = () => catalog.knex("schedule").where({ id: scheduleId });
    await row().update({ scheduled_at: at, started_at: at });
    // A host leaves a schedule to the other host if that host looks at the same time.
    await eventually(async () => {
      await hosts[0]!.look();
      const { scheduled_at: dueAt }: { readonly scheduled_at: Date | null } = await row().first();
      return Number(dueAt) !== slotMs;
    }, "the slot is queued");
  };
  const ledgerOf = async (alertId: string): Promise<readonly Line[]> => {
    const rows: { slot_at: Date; outcome: string; reason: string | null }[] = await catalog
      .knex("alertevent")
      .where({ alert_id: alertId })
      .orderBy("slot_at");
    return rows.map(({ slot_at, outcome, reason }) => ({ slot: Number(slot_at), outcome, reason }));
  };
  /** Waits until no job is left. Skips the seconds for which retries would wait. */
  const untilDone = async () => {
    const waiting = () => catalog.knex("jobs.job").whereRaw("state < 'completed'");
    while ((await waiting()).length > 0) {
      await catalog.knex.raw("update jobs.job set start_after = now() where state < 'active'");
      await sleep(50);
    }
  };

  test("an evaluation whose every attempt fails is recorded once with the reason", async () => {
    const { id, schedule_id } = await makeAlert("fire");
    const [first, second] = [minute - 120_000, minute - 60_000];
    faulty.add(first);
    await makeDue(schedule_id, first);
    await untilDone();
    const reason =
      "every attempt to evaluate the alert failed, and there will be no further attempt: a fault of the host";
    assert.equal(await ledgerOf(id), [{ slot: first, outcome: "failed", reason }]);
    assert.is((await records.find("alert", { id }))[0]?.status, "error");
    const [job] = await catalog.knex("jobs.job").where({ name: "evaluation", state: "failed" });
    assert.is(job.retry_count, job.retry_limit);
    await makeDue(schedule_id, second);
    await untilDone();
    assert.equal(
      (await ledgerOf(id)).map(({ slot, outcome }) => [slot, outcome]),
      [
        [first, "failed"],
        [second, "answered"],
      ],
    );
  });

  test("an export whose every attempt fails, or whose host dies in the last attempt, is recorded once with the reason", async () => {
    const [failing, dead, sent] = [await makeExport(), await makeExport(), await makeExport()];
    const slotMs = minute - 60_000;
    const ledgerOfExport = async ({ id }: { readonly id: string }) =>
      (await records.find("exportevent", { schedule_id: id })).map(
        ({ outcome, reason, slot_at }) => [Number(slot_at), outcome, reason],
      );
    await records.insert("exportevent", {
      id: eventIdOf(sent.id, slotMs),
      schedule_id: sent.id,
      slot_at: new Date(slotMs),
      started_at: new Date(slotMs),
      completed_at: new Date(),
      user_id: userId,
      outcome: "sent",
    });
    for (const { id: scheduleId, securable_id: securableId } of [dead, sent])
      await catalog.knex.raw(
        `insert into jobs.job (name, data, state, retry_limit, retry_count, started_on, heartbeat_on, heartbeat_seconds,
                               dead_letter, expire_seconds)
         select 'export', ?::jsonb, 'active', 5, 5, now() - interval '1 minute', now() - interval '1 minute', 10,
                'lost_export', 600`,
        [JSON.stringify({ scheduleId, securableId, slotMs, attempt: 5 })],
      );
    await makeDue(failing.id, slotMs);
    await untilDone();
    const lost =
      "every attempt to send the dashboard failed, and there will be no further attempt: ";
    const reason = `${lost}a fault of the host`;
    assert.equal(await ledgerOfExport(failing), [[slotMs, "failed", reason]]);
    assert.is((await records.find("schedule", { id: failing.id }))[0]?.failure, reason);
    const [line, ...others] = await ledgerOfExport(dead);
    assert.equal([line?.[1], others.length], ["failed", 0]);
    assert.match(
      String(line?.[2]),
      /^every attempt to send the dashboard failed, and there will be no further attempt: job heartbeat timeout/,
    );
    assert.equal(await ledgerOfExport(sent), [[slotMs, "sent", null]]);
    assert.is((await records.find("schedule", { id: sent.id }))[0]?.failure, null);
  });

  test("if a host dies in the last attempt of an evaluation, the slot is recorded once, even if an earlier attempt recorded it", async () => {
    const [{ id }, { id: other }] = [await makeAlert("keep"), await makeAlert("keep")];
    const slotMs = minute - 60_000;
    await records.insert("alertevent", {
      alert_id: other,
      slot_at: new Date(slotMs),
      started_at: new Date(slotMs),
      completed_at: new Date(),
      outcome: "answered",
      status_before: "ok",
      status_after: "ok",
      transitions: [],
      notices: [],
      user_id: userId,
    });
    // The jobs of a host that died during its last attempt.
    for (const alertId of [id, other])
      await catalog.knex.raw(
        `insert into jobs.job (name, data, state, retry_limit, retry_count, started_on, heartbeat_on, heartbeat_seconds,
                               dead_letter, expire_seconds)
         select 'evaluation', ?::jsonb, 'active', 5, 5, now() - interval '1 minute', now() - interval '1 minute', 10,
                'lost_evaluation', 300`,
        [JSON.stringify({ alertId, slotMs })],
      );
    await untilDone();
    const lines = await ledgerOf(id);
    assert.equal(
      lines.map(({ slot, outcome }) => [slot, outcome]),
      [[slotMs, "failed"]],
    );
    assert.match(
      String(lines[0]?.reason),
      /there will be no further attempt: job heartbeat timeout/,
    );
    assert.is((await records.find("alert", { id }))[0]?.status, "ok");
    assert.equal(
      (await ledgerOf(other)).map(({ outcome }) => outcome),
      ["answered"],
    );
  });
});
