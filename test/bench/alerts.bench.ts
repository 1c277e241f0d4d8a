/**
 * Are 10,000 alerts that are due in the same minute evaluated in time, and do they slow down other queries? The alerts
 * belong to 40 users, each with a row filter, and query 3,000,000 flights in the store. In one part, every alert has a
 * different query (`distinct`); in another, ten alerts share each query (`equal`). All alerts become due at once. A
 * dashboard query is sent every 50 ms before and during the evaluations, without the answer cache. The bench compares
 * the rows of every evaluation with a direct query before it counts any time.
 *
 * `idle` measures the processor time of a host with 10,000 daily alerts and a week of history. The jobs and the ledger
 * of that week are in the catalog. `--only alerts:idle` measures one part, and `--rows n` sets the number of flights.
 * The figures are wrong when another process runs, although processor times and ratios are still accurate to within a
 * tenth.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Client } from "../../core/web/client/index.ts";
import { jitterMs } from "../../core/jobs/openJobs.ts";
import { openTestCatalog, type TestCatalog } from "../support/catalog.ts";
import { startHostProcess } from "../support/hostProcess.ts";
import { atMost, type Bar, reportBars } from "./bars.ts";
import { processorTime } from "./processorTime.ts";
import { fillFlights } from "./fillFlights.ts";

const { values } = parseArgs({
  options: { rows: { type: "string" }, alerts: { type: "string" }, only: { type: "string" } },
  strict: false,
});
const wanted = String(values.rows ?? "3m");
const rowCount = Number.parseFloat(wanted) * (wanted.endsWith("m") ? 1e6 : 1);
const part = String(values.only ?? "").split(":")[1] ?? "";
const alertCount = Number(values.alerts ?? 10_000);
const userCount = 40;
const idleMs = 120_000;
/**
 * Milliseconds to wait before measuring, so that the host's first check for dead hosts, 30 s after the start, is over.
 */
const settleMs = 45_000;
const quietMs = 30_000;
const everyHour = { unit: "hour", quantity: 1 };

const print = (line: string) => process.stdout.write(`${line}\n`);
const row = (name: string, figures: string) => print(`  ${name.padEnd(48)} ${figures}`);
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;

interface Answer {
  readonly data: readonly (readonly [{ readonly id: string }, number])[];
}

const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const catalog: TestCatalog = await openTestCatalog();
const { rows: pids }: { rows: { pid: number }[] } = await catalog.knex.raw(
  "select pg_backend_pid() as pid",
);
const postgresPid = parentOf(pids[0]?.pid ?? 0);
const host = await startHostProcess(dataDir, {
  DATABASE_URL: catalog.databaseUrl,
  MANIFOLD_SECRET: "a secret for benches only, and long enough",
  MANIFOLD_WORKERS: "2",
  MANIFOLD_CACHE_MB: "0",
});
const { client } = host;

function parentOf(pid: number): number {
  // Each PostgreSQL session is a child process of the server.
  return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

const countEvents = async () => {
  const { rows }: { rows: { count: number }[] } = await catalog.knex.raw(
    "select count(*)::int as count from alertevent",
  );
  return rows[0]?.count ?? 0;
};
const bars: Bar[] = [];
const usedMs = () => processorTime(host.pid) + processorTime(postgresPid);

try {
  const { datasetId, filledCount } = await fillFlights(client, rowCount);
  const { rows: securables } = await client.get<{
    rows: readonly { columns: readonly { id: string; source_name: string }[] }[];
  }>("securable", { where: { id: datasetId }, include: [{ model: "Column" }] });
  const columns = Object.fromEntries(
    securables[0]!.columns.map(({ id, source_name }) => [source_name, id]),
  );
  const of = (name: string, more: object = {}) => ({
    dataset_id: datasetId,
    column_id: columns[name],
    ...more,
  });
  const sum = of("distance", { aggregation: { type: "sum" } });
  const { data } = await client.get<Answer>("data", {
    queries: [{ dimensions: [of("origin")], measures: [sum] }],
  });
  const sums = data.map(([{ id }, total]) => [id, total] as const);
  row("flights, alerts, users", `${filledCount}, ${alertCount}, ${userCount}`);

  const queryOf = (origin: string, threshold: number) => ({
    dimensions: [of("origin")],
    measures: [sum],
    where: [{ expression: "? in ?", parameters: [of("origin"), [origin]] }],
    having: [{ expression: "? > ?", parameters: [sum, threshold] }],
  });
  const users = await addUsers(client, datasetId, String(columns["distance"]));

  /** Creates alerts in the same form as the API does. Each alert has its own query and user. */
  const fill = async (distinct: number, unit: string): Promise<ReadonlyMap<string, number>> => {
    const { knex } = catalog;
    await knex("alert").delete();
    await knex("schedule").delete();
    const template = await client.create<{ id: string; schedule_id: string }>("alert", {
      name: { en: "Long flights" },
      query: queryOf(sums[0]![0], 0),
      frequency: unit,
      timezone_id: "UTC",
    });
    const [alert] = await knex("alert").where({ id: template.id });
    const [schedule] = await knex("schedule").where({ id: template.schedule_id });
    await knex("alert").delete();
    await knex("schedule").delete();
    const expected = new Map<string, number>();
    for (let from = 0; from < alertCount; from += 500) {
      const alerts: object[] = [];
      const schedules: object[] = [];
      for (let index = from; index < Math.min(alertCount, from + 500); index++) {
        const question = index % distinct;
        const [origin, total] = sums[question % sums.length]!;
        const threshold = total + (question % 2 === 0 ? -1 : 1) * (question + 1);
        const id = crypto.randomUUID();
        const scheduleId = crypto.randomUUID();
        expected.set(id, threshold < total ? 1 : 0);
        alerts.push({
          ...alert,
          id,
          schedule_id: scheduleId,
          user_id: users[question % users.length],
          query: JSON.stringify(queryOf(origin, threshold)),
          frequency: JSON.stringify({ unit, quantity: 1 }),
          instances: "[]",
          name: JSON.stringify({ en: `alert ${index}` }),
        });
        schedules.push({ ...schedule, id: scheduleId });
      }
      await knex("schedule").insert(schedules);
      await knex("alert").insert(alerts);
    }
    await knex.raw("analyze alert; analyze schedule");
    return expected;
  };

  /** Adds the records that a week of evaluations leaves behind: finished jobs and the ledger. */
  const fillWeek = async () => {
    const { knex } = catalog;
    await knex.raw(
      `insert into alertevent (id, alert_id, user_id, slot_at, started_at, completed_at, outcome, status_before,
                               status_after, rows, transitions, notices, created_at, updated_at)
       select gen_random_uuid(), a.id, a.user_id, at, at, at, 'answered', 'ok', 'ok', 0, '[]', '[]', at, at
         from alert a, generate_series(1, 7) day, lateral (select now() - day * interval '1 day' as at) slot`,
    );
    await knex.raw(
      `insert into jobs.job (name, data, state, start_after, started_on, completed_on)
       select 'evaluation', jsonb_build_object('alertId', alert_id, 'slotMs', 0), 'completed', slot_at, slot_at, slot_at
         from alertevent`,
    );
    await knex.raw("vacuum analyze");
  };

  const dashboard = [
    { dimensions: [of("origin")], measures: [sum] },
    { dimensions: [of("hour")], measures: [of("delay", { aggregation: { type: "average" } })] },
    { dimensions: [of("date", { level: 2 })], measures: [sum] },
    {
      dimensions: [of("destination")],
      measures: [sum],
      where: [{ expression: "? in ?", parameters: [of("origin"), ["SFO"]] }],
    },
  ];
  /** Sends a query every 50 ms until `isDone` returns true. Returns the sorted response times in milliseconds. */
  const people = async (isDone: () => boolean): Promise<readonly number[]> => {
    const sent: Promise<number>[] = [];
    for (let turn = 0; !isDone(); turn++) {
      const startedAt = performance.now();
      const query = dashboard[turn % dashboard.length];
      sent.push(
        client.get<unknown>("data", { queries: [query] }).then(() => performance.now() - startedAt),
      );
      await pause(50);
    }
    return (await Promise.all(sent)).toSorted((one, other) => one - other);
  };
  const forMs = (ms: number) => {
    const endAt = performance.now() + ms;
    return () => performance.now() >= endAt;
  };

  const measure = async (name: string, distinct: number) => {
    const expected = await fill(distinct, everyHour.unit);
    await pause(5_000);
    await people(forMs(3_000));
    const quietUsedMs = usedMs();
    const quiet = await people(forMs(quietMs));
    const quietShare = (usedMs() - quietUsedMs) / quietMs;
    const { knex } = catalog;
    const beforeMs = usedMs();
    const dueMs = Date.now();
    await knex("schedule").update({ scheduled_at: new Date(dueMs), started_at: new Date(dueMs) });
    let doneCount = 0;
    const counting = (async () => {
      while (doneCount < alertCount && Date.now() - dueMs < 300_000) {
        await pause(500);
        doneCount = await countEvents();
      }
    })();
    const busy = await people(() => doneCount >= alertCount || Date.now() - dueMs > 300_000);
    await counting;
    const tookMs = Date.now() - dueMs;
    const spentMs = usedMs() - beforeMs - quietShare * tookMs;
    const events: {
      alert_id: string;
      rows: number;
      outcome: string;
      slot_at: Date;
      completed_at: Date;
    }[] = await knex("alertevent").select("alert_id", "rows", "outcome", "slot_at", "completed_at");
    const wrong = events.filter(
      ({ alert_id, rows, outcome }) => outcome !== "answered" || rows !== expected.get(alert_id),
    );
    if (events.length !== alertCount || wrong.length > 0)
      throw new Error(
        `${events.length} evaluations, of which ${wrong.length} are wrong: ${JSON.stringify(wrong[0])}`,
      );
    const alerts: (Parameters<typeof jitterMs>[0] & { id: string })[] = await knex("alert").select(
      "id",
      "user_id",
      "query",
      "frequency",
    );
    const jittersMs = new Map(alerts.map((alert) => [alert.id, jitterMs(alert)]));
    // An alert's evaluation may start at a known time after its slot. Lateness is counted from that time.
    const lateness = events
      .map(
        ({ alert_id, slot_at, completed_at }) =>
          completed_at.getTime() - slot_at.getTime() - jittersMs.get(alert_id)!,
      )
      .toSorted((one, other) => one - other);
    print(`\n  ${name}`);
    bars.push(atMost(`${name}: all evaluated after`, tookMs / 1000, 60, "s"));
    row(
      "lateness after jitter, s: median, p99",
      [0.5, 0.99].map((share) => (at(lateness, share) / 1000).toFixed(1)).join(", "),
    );
    bars.push(atMost(`${name}: p99 of lateness after jitter`, at(lateness, 0.99) / 1000, 30, "s"));
    row("processor time of one evaluation, ms", (spentMs / alertCount).toFixed(2));
    for (const [name, times] of [
      ["quiet", quiet],
      ["meanwhile", busy],
    ] as const)
      row(
        `people's queries ${name}, ms: median, p99`,
        [0.5, 0.99].map((share) => at(times, share).toFixed(1)).join(", "),
      );
    const times = at(busy, 0.99) / at(quiet, 0.99);
    bars.push(atMost(`${name}: people's p99 meanwhile relative to quiet`, times, 2, "x"));
  };

  if (part === "" || part === "distinct")
    await measure("every alert has a different query", alertCount);
  if (part === "" || part === "equal")
    await measure("ten alerts share a query", Math.ceil(alertCount / 10));
  if (part === "" || part === "idle") {
    await fill(alertCount, "day");
    await catalog.knex.raw(
      "update schedule set scheduled_at = now() + random() * interval '1 day', started_at = now() - interval '1 day'",
    );
    await fillWeek();
    await pause(settleMs);
    const earlierCount = await countEvents();
    const before = usedMs();
    await pause(idleMs);
    const share = ((usedMs() - before) / idleMs) * 100;
    print("\n  idle, with daily alerts");
    row("evaluations meanwhile", String((await countEvents()) - earlierCount));
    bars.push(atMost("idle: share of a core, including PostgreSQL", share, 1, "%"));
  }
  if (bars.length > 0) reportBars(bars);
} finally {
  await host.end("SIGTERM");
  await catalog.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Adds users who may read the dataset. Each user has a row filter that all rows pass. */
async function addUsers(
  owner: Client,
  datasetId: string,
  columnId: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < userCount; index++) {
    const { id } = await owner.create<{ id: string }>("user", {
      name: `user ${index}`,
      email: `user-${index}@example.org`,
    });
    await owner.associate(
      "securable",
      datasetId,
      { role: "Users", id },
      {
        flagRead: true,
        filters: [
          {
            clause: "where",
            origin: "global",
            securable_id: datasetId,
            column_id: columnId,
            expression: "? >= ?",
            value: -index,
          },
        ],
      },
    );
    ids.push(id);
  }
  return ids;
}
