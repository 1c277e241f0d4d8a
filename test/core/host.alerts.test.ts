import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../core/client.ts";
import { openHost, type Host } from "../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../support/catalog.ts";
import { openHttpSink, type HttpSink } from "../support/httpSink.ts";
import { suite } from "../support/suite.ts";

interface Alert {
  readonly id: string;
  readonly schedule_id: string;
  readonly status: string;
  readonly stopped_reason: string | null;
}

interface Event {
  readonly outcome: string;
  readonly reason: string | null;
  readonly rows: number | null;
  readonly status_before: string;
  readonly status_after: string;
  readonly notices: readonly { readonly key: string; readonly kind: string }[];
  readonly slot_at: string;
}

interface Schedule {
  readonly scheduled_at: string;
  readonly completed_at: string | null;
  readonly frequency_unit: string;
  readonly frequency_quantity: number;
  readonly timezone: string;
  readonly active: boolean;
}

suite("core/host.alerts", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-"));
  let catalog: TestCatalog;
  let host: Host;
  let client: Client;
  let datasetId: string;
  let sink: HttpSink;
  const columns: Record<string, string> = {};

  test.before(async () => {
    catalog = await openTestCatalog();
    sink = await openHttpSink();
    host = await openHost({
      databaseUrl: catalog.databaseUrl,
      secret: "a secret for tests only",
      dataDir,
      port: 0,
      logLevel: "silent",
      workers: 1,
      callsPerSecond: 0,
      egressAllow: ["127.0.0.1"],
    });
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, key, token });
    const { rows } = await client.create<{
      rows: readonly [{ id: string; columns: readonly { id: string; source_name: string }[] }];
    }>("data", {
      type: "create",
      data: [
        ["Ghent", 90],
        ["Lille", 120],
        ["Liège", 150],
      ],
      options: { header: ["city", "km"] },
    });
    datasetId = rows[0].id;
    for (const { id, source_name } of rows[0].columns) columns[source_name] = id;
  });
  test.after(async () => {
    await host?.close();
    await catalog?.close();
    await sink?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const of = (name: string) => ({ dataset_id: datasetId, column_id: columns[name] });
  const over = (km: number) => ({
    dimensions: [of("city")],
    measures: [{ ...of("km"), aggregation: { type: "sum" } }],
    having: [
      {
        expression: "? > ?",
        parameters: [{ ...of("km"), aggregation: { type: "sum" } }, km],
      },
    ],
  });
  const createAlert = (properties: object = {}) =>
    client.create<Alert>("alert", {
      name: { en: "Long trips" },
      query: over(100),
      frequency: "hour",
      ...properties,
    });
  const recordOf = async <Row>(resource: string, id: string): Promise<Row> => {
    const { rows } = await client.get<{ rows: readonly Row[] }>(resource, { where: { id } });
    assert.is(rows.length, 1);
    return rows[0]!;
  };
  const eventsOf = async (alertId: string): Promise<readonly Event[]> => {
    const { rows } = await client.get<{ rows: readonly Event[] }>("alertevent", {
      where: { alert_id: alertId },
      order: [["slot_at", "asc"]],
    });
    return rows;
  };
  /** Makes an alert due a number of times, one after the other. */
  const evaluate = async (alert: Alert, count = 1): Promise<readonly Event[]> => {
    let events = await eventsOf(alert.id);
    for (let time = 0; time < count; time++) {
      await catalog
        .knex("schedule")
        .where({ id: alert.schedule_id })
        .update({
          scheduled_at: catalog.knex.raw("now() - interval '1 minute'"),
        });
      const before = events.length;
      while (events.length === before) {
        await sleep(50);
        events = await eventsOf(alert.id);
      }
    }
    return events;
  };

  test("a new alert has a schedule that says when it is due", async () => {
    const alert = await createAlert({ frequency: "2 days", timezone_id: "Europe/Brussels" });
    const schedule = await recordOf<Schedule>("schedule", alert.schedule_id);
    assert.is(schedule.frequency_unit, "day");
    assert.is(schedule.frequency_quantity, 2);
    assert.is(schedule.timezone, "Europe/Brussels");
    const inDays = (Date.parse(schedule.scheduled_at) - Date.now()) / 86_400_000;
    assert.ok(inDays > 1.9 && inDays < 2.1, `${inDays} days`);
    await client.update("alert", alert.id, { frequency: { unit: "minute", quantity: 5 } });
    const changed = await recordOf<Schedule>("schedule", alert.schedule_id);
    assert.ok(Date.parse(changed.scheduled_at) - Date.now() <= 5 * 60_000);
    await client.delete("alert", alert.id);
    const { rows } = await client.get<{ rows: readonly unknown[] }>("schedule", {
      where: { id: alert.schedule_id },
    });
    assert.is(rows.length, 0);
  });

  test("a due alert is evaluated once for its slot, and the ledger says what it found", async () => {
    const alert = await createAlert();
    const [event, ...others] = await evaluate(alert);
    assert.is(others.length, 0);
    assert.is(event?.outcome, "answered");
    assert.is(event?.rows, 2);
    assert.equal([event?.status_before, event?.status_after], ["ok", "firing"]);
    assert.equal(event?.notices, [{ key: "", kind: "firing" }]);
    assert.is((await recordOf<Alert>("alert", alert.id)).status, "firing");
    const schedule = await recordOf<Schedule>("schedule", alert.schedule_id);
    assert.ok(schedule.completed_at !== null);
    assert.ok(Date.parse(schedule.scheduled_at) > Date.now());
  });

  test("one alert watches every instance, and says which began and which ended", async () => {
    const alert = await createAlert({ notify: "change", instance_by: [columns["city"]] });
    const [event] = await evaluate(alert);
    assert.equal(event?.notices, [
      { key: '["Lille"]', kind: "firing" },
      { key: '["Liège"]', kind: "firing" },
    ]);
    await client.update("alert", alert.id, { query: over(130) });
    const events = await evaluate(alert);
    assert.equal(events.at(-1)?.notices, [{ key: '["Lille"]', kind: "resolved" }]);
    assert.is(events.at(-1)?.status_after, "firing");
  });

  test("a message has the rows that the alert found, arrives once, and is gone from the catalog then", async () => {
    const alert = await createAlert({
      channels: [
        {
          name: "hook",
          type: "webhook",
          config: { url: sink.url, secret: "a secret of the hook" },
        },
        { name: "text", type: "sms", config: { to: "+32 1" } },
      ],
    });
    sink.plan(503, { "retry-after": "0" });
    await evaluate(alert);
    const alerts = () => sink.calls.filter(({ body }) => body.includes('"type":"alert"'));
    while (alerts().length < 1) await sleep(50);
    // The second attempt comes after ten seconds: the test makes it due.
    while (
      (await catalog.knex("delivery").where({ attempts: 1 }).whereNull("completed_at")).length < 1
    )
      await sleep(50);
    await catalog.knex("jobs.job").where({ name: "delivery" }).update({ start_after: new Date() });
    while (alerts().length < 2) await sleep(50);
    const [first, second] = alerts().map(({ headers }) => headers["webhook-id"]);
    assert.is(first, second);
    const { data } = JSON.parse(alerts()[1]?.body ?? "{}") as {
      data: { rows: unknown; heads: unknown; rowCount: number };
    };
    assert.is(data.rowCount, 2);
    assert.equal(data.heads, ["city", "km"]);
    assert.equal(
      (data.rows as readonly (readonly [{ id: string }, number])[]).map(([{ id }, km]) => [id, km]),
      [
        ["Lille", 120],
        ["Liège", 150],
      ],
    );
    const shown = async () =>
      (
        await client.get<{ rows: readonly { outcome: string; problem: string | null }[] }>(
          "delivery",
          { where: { kind: "alert" }, order: [["outcome", "asc"]] },
        )
      ).rows;
    while ((await shown()).some(({ outcome }) => outcome === "waiting")) await sleep(50);
    assert.equal(
      (await shown()).map(({ outcome, problem }) => [outcome, problem]),
      [
        ["delivered", null],
        ["failed", "this host sends nothing to channels of type sms"],
      ],
    );
    assert.is(
      (await catalog.knex("delivery").whereNotNull("message").where({ outcome: "delivered" }))
        .length,
      0,
    );
    // The owner is told over the channel that works.
    const told = () => sink.calls.find(({ body }) => body.includes('"type":"channel"'));
    while (!told()) await sleep(50);
    assert.match(told()?.body ?? "", "this host sends nothing to channels of type sms");
  });

  test("an alert whose query fails says why and keeps its state", async () => {
    const alert = await createAlert();
    await evaluate(alert);
    await catalog.knex("column").where({ id: columns["km"] }).update({ type: "hierarchy" });
    const events = await evaluate(alert);
    await catalog.knex("column").where({ id: columns["km"] }).update({ type: "numeric" });
    assert.is(events.at(-1)?.outcome, "failed");
    assert.ok(events.at(-1)?.reason);
    assert.is(events.at(-1)?.status_after, "firing");
    assert.equal(events.at(-1)?.notices, []);
  });

  test("instances are columns of the query's dimensions; others are refused by name", async () => {
    const refusal = await createAlert({ instance_by: [columns["km"]] }).then(
      () => undefined,
      (failure: Error) => failure.message,
    );
    assert.match(refusal ?? "", "properties.instance_by");
  });
});
