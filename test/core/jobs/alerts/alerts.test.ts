import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { type ClientError, createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { queueHandlers } from "../../../../core/jobs/queueHandlers.ts";
import { removeOld } from "../../../../core/jobs/removeOld.ts";
import { runJobsCommand } from "../../../../core/cli/runJobsCommand.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { openHttpSink, type HttpSink } from "../../../support/httpSink.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { testPace } from "../../../support/testPace.ts";
import { webhookEvent } from "../../../support/webhookEvent.ts";
import { suite } from "../../../support/suite.ts";
import { testOptions } from "../../../support/openTestHost.ts";

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

suite("core/jobs/alerts/alerts", (test) => {
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
      ...testOptions,
      databaseUrl: catalog.databaseUrl,
      secret: "a secret for tests only",
      dataDir,
      pace: testPace,
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
    measures: [{ ...of("km"), aggregation: { type: "sum" as const } }],
    having: [
      {
        expression: "? > ?",
        parameters: [{ ...of("km"), aggregation: { type: "sum" as const } }, km],
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
  /** Makes an alert due several times in a row, and returns its ledger entries. */
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

  test("creating an alert also creates its schedule with the next slot", async () => {
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

  test("a due alert is evaluated once per slot, and the result is recorded in the ledger", async () => {
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

  test("one alert watches several instances, and reports which ones started or stopped firing", async () => {
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

  test("a message contains the alert's rows, arrives once and is then deleted from the catalog", async () => {
    const alert = await createAlert({
      channels: [
        {
          name: "hook",
          type: "webhook",
          config: { url: sink.url, secret: "a secret of the hook" },
        },
        {
          // The webhook must still work when the owner is notified.
          name: "spare",
          type: "webhook",
          config: { url: sink.url, secret: "another secret" },
        },
        { name: "text", type: "sms", config: { to: "+32 1" } },
      ],
    });
    const isOfAlert = (body: string) => body.includes('"type":"alert"');
    sink.plan(503, { "retry-after": "0" }, isOfAlert);
    await evaluate(alert);
    const alerts = () => sink.calls.filter(({ body }) => isOfAlert(body));
    while (alerts().length < 1) await sleep(50);
    // The second attempt is due after ten seconds, so the test makes it due now. On a slow machine it may already have
    // run.
    while (
      (await catalog.knex("delivery").where({ kind: "alert" }).where("attempts", ">", 0)).length < 3
    )
      await sleep(50);
    await catalog.knex("jobs.job").where({ name: "delivery" }).update({ start_after: new Date() });
    const repeated = () =>
      [...Map.groupBy(alerts(), ({ headers }) => headers["webhook-id"]).values()].find(
        ({ length }) => length > 1,
      );
    while (!repeated()) await sleep(50);
    assert.is(alerts().length, 3);
    const { data, id, organization_id } = webhookEvent(repeated()?.[1]?.body ?? "{}");
    assert.is(id, repeated()?.[0]?.headers["webhook-id"]);
    assert.match(organization_id ?? "", /^[\da-f-]{36}$/);
    // The host has port 0 and no public address.
    assert.is(data["url"], `${host.url}/alerts/${alert.id}`);
    assert.is(data["row_count"], 2);
    assert.equal(
      (data["columns"] as readonly Readonly<Record<string, unknown>>[]).map(
        ({ label, column_id, aggregation, type }) => [label, column_id, aggregation, type],
      ),
      [
        ["city", columns["city"], null, "text"],
        ["km", columns["km"], "sum", "number"],
      ],
    );
    assert.equal(
      (data["rows"] as readonly (readonly [{ id: string }, number])[]).map(([{ id }, km]) => [
        id,
        km,
      ]),
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
        ["delivered", null],
        ["failed", "this host cannot send to channels of type sms"],
      ],
    );
    assert.is(
      (await catalog.knex("delivery").whereNotNull("message").where({ outcome: "delivered" }))
        .length,
      0,
    );
    // The owner is notified over the channel that still works.
    const told = () => sink.calls.find(({ body }) => body.includes('"type":"channel"'));
    while (!told()) await sleep(50);
    const { data: failed } = webhookEvent(told()?.body ?? "{}");
    assert.is(failed["problem"], "this host cannot send to channels of type sms");
  });

  test("if an alert's query fails, the ledger records the reason and the alert keeps its state", async () => {
    const alert = await createAlert();
    await evaluate(alert);
    // Changes the catalog directly; the host then reads it again.
    const retype = async (type: string) => {
      await catalog.knex("column").where({ id: columns["km"] }).update({ type });
      await client.update("alert", alert.id, { name: { en: type } });
    };
    await retype("hierarchy");
    const events = await evaluate(alert);
    await retype("numeric");
    assert.is(events.at(-1)?.outcome, "failed");
    assert.ok(events.at(-1)?.reason);
    assert.is(events.at(-1)?.status_after, "firing");
    assert.equal(events.at(-1)?.notices, []);
  });

  test("the columns that identify an alert's instances must be dimensions of its query", async () => {
    const refusal = await createAlert({ instance_by: [columns["km"]] }).then(
      () => undefined,
      (failure: Error) => failure.message,
    );
    assert.match(refusal ?? "", "properties.instance_by");
  });

  test("only owners can list, cancel and retry their organization's jobs", async () => {
    const alert = await createAlert();
    const { rows } = await catalog.knex.raw<{ rows: { id: string }[] }>(
      `insert into jobs.job (name, data, start_after, keep_until)
         values ('evaluation', ?, now() + interval '1 hour', now() + interval '2 hours') returning id`,
      [{ alertId: alert.id, slotMs: 0 }],
    );
    const id = String(rows[0]?.id);
    const find = { where: { name: "evaluation", state: "waiting" } } as const;
    const [job] = (await client.get("job", find)).rows.filter((row) => row["id"] === id);
    assert.equal([job?.["alert_id"], job?.["attempts"]], [alert.id, 0]);
    const set = (state: unknown, jobId = id) =>
      client.update<{ state: string }>("job", jobId, { state });
    const refused = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (failure: ClientError) => failure.code,
      );
    assert.is((await set("cancelled")).state, "cancelled");
    assert.is(await refused(set("cancelled")), "CONFLICT");
    assert.is((await set("waiting")).state, "waiting");
    assert.is(await refused(set("waiting")), "CONFLICT");
    assert.is(await refused(set("running")), "MEMBER_INVALID");
    assert.is(
      await refused(client.update<unknown>("job", id, { state: "waiting", name: "x" })),
      "MEMBER_UNKNOWN",
    );
    for (const unknown of [crypto.randomUUID(), "no id"])
      assert.is(await refused(set("waiting", unknown)), "RECORD_NOT_FOUND");
    for (const [wrong, code] of [
      [{ where: { data: 1 } }, "MEMBER_UNKNOWN"],
      [{ where: { state: "stuck" } }, "MEMBER_INVALID"],
      [{ limit: 0 }, "MEMBER_INVALID"],
      [{ order: [] }, "MEMBER_UNKNOWN"],
    ] as const)
      assert.is(await refused(client.get<unknown>("job", wrong)), code);

    const handlers = queueHandlers({
      knex: catalog.knex,
      queue: { retry: async () => 1, cancel: async () => 1 },
    });
    const callAs = (organizationRole: "owner" | "member", organizationId: string) => ({
      resource: "job",
      action: "get" as const,
      body: { id, properties: { state: "cancelled" } },
      principal: { ...principalOf("eve"), organizationRole, organizationId },
      requestId: "r",
      address: undefined,
      signal: new AbortController().signal,
    });
    const stranger = callAs("owner", crypto.randomUUID());
    assert.equal(await handlers.get(stranger), { count: 0, rows: [] });
    assert.is(await refused(handlers.update(stranger)), "RECORD_NOT_FOUND");
    assert.is(await refused(handlers.get(callAs("member", crypto.randomUUID()))), "FORBIDDEN");

    const run = async (...args: string[]) => {
      const lines: string[] = [];
      const environment = {
        MANIFOLD_URL: host.url,
        MANIFOLD_KEY: host.madeCredentials?.key,
        MANIFOLD_TOKEN: host.madeCredentials?.token,
      };
      await runJobsCommand(args, environment, (line) => lines.push(line));
      return lines;
    };
    const [line, ...others] = await run("cancel", id);
    assert.equal(
      [line?.split("  ").slice(0, 3), others.length],
      [[id, "evaluation", "cancelled"], 0],
    );
    assert.ok((await run("list", "--state", "cancelled")).some((each) => each.startsWith(id)));
    assert.equal(await run("list", "--name", "nothing"), ["no jobs match"]);
    assert.match((await run("retry", id))[0] ?? "", "waiting");
    for (const [args, problem] of [
      [[], "jobs must be followed by list, retry or cancel, not nothing"],
      [["stop"], 'jobs must be followed by list, retry or cancel, not "stop"'],
      [["list", id], "jobs list does not accept"],
      [["retry"], "jobs retry needs the id of a job"],
      [["cancel", "17"], "jobs cancel needs the id of a job"],
      [["retry", id, "more"], 'jobs retry does not accept "more"'],
      [["retry", id, "--name", "x"], "--state and --name are only for jobs list"],
      [["list", "--state", "stuck"], "find.where.state is not valid"],
      [["list", "--url", "ftp://host"], "MANIFOLD_URL must be the http or https address"],
      [["list", "--token", "x"], "Unknown option '--token'"],
    ] as const) {
      const failure = await run(...args).then(
        () => undefined,
        (each: Error) => each.message,
      );
      assert.ok(failure?.includes(problem), `${args.join(" ")}: ${failure}`);
    }
    await client.delete("alert", alert.id);
  });

  test("/readyz reports waiting jobs, the lateness of evaluations, and deliveries by outcome", async () => {
    interface Ready {
      readonly status: string;
      readonly jobs: {
        readonly queues: readonly { readonly name: string; readonly waitingCount: number }[];
        readonly evaluations: { readonly count: number; readonly p99LatenessMs: number };
        readonly deliveries: Readonly<Record<string, number>>;
      };
    }
    const { status, jobs } = (await (await fetch(`${host.url}/readyz`)).json()) as Ready;
    assert.is(status, "ready");
    assert.ok(jobs.queues.some(({ name }) => name === "evaluation"));
    // The tests above set alerts due one minute in the past.
    assert.ok(jobs.evaluations.count > 0 && jobs.evaluations.p99LatenessMs >= 60_000);
    assert.ok((jobs.deliveries["delivered"] ?? 0) >= 1);
  });

  test("ledger entries are deleted after the retention period, but their alerts remain", async () => {
    const counts = async () =>
      (
        await catalog.knex.raw<{ rows: { events: number; deliveries: number; alerts: number }[] }>(
          `select (select count(*) from alertevent)::int as events, (select count(*) from delivery)::int as deliveries,
                  (select count(*) from alert)::int as alerts`,
        )
      ).rows[0]!;
    const before = await counts();
    assert.ok(before.events > 0 && before.deliveries > 0);
    const { signal } = new AbortController();
    const day = new Date(Date.now() - 86_400_000);
    assert.is(await removeOld(catalog.knex, day, signal), 0);
    assert.equal(await counts(), before);
    assert.is(await removeOld(catalog.knex, new Date(Date.now() + 1000), signal), before.events);
    assert.equal(await counts(), { events: 0, deliveries: 0, alerts: before.alerts });
  });

  test("a message about an inner query's answer names its columns, which belong to no dataset", async () => {
    const query = {
      from: {
        query: { dimensions: [of("city")], measures: [of("km")] },
        columns: ["city", "distance"],
      },
      dimensions: [{ dataset_id: "from", column_id: "city" }],
      measures: [{ dataset_id: "from", column_id: "distance", aggregation: "max" }],
      where: [
        { expression: "? > ?", parameters: [{ dataset_id: "from", column_id: "distance" }, 130] },
      ],
    };
    const alert = await createAlert({
      query,
      channels: [{ name: "hook", type: "webhook", config: { url: sink.url, secret: "a secret" } }],
    });
    await evaluate(alert);
    const sent = () =>
      sink.calls.find(
        ({ body }) => body.includes('"type":"alert"') && body.includes(`/alerts/${alert.id}`),
      );
    while (!sent()) await sleep(50);
    const { data } = webhookEvent(sent()?.body ?? "{}");
    assert.is(data["row_count"], 1);
    assert.equal(
      (data["columns"] as readonly Readonly<Record<string, unknown>>[]).map(
        ({ label, dataset_id, column_id }) => [label, dataset_id, column_id],
      ),
      [
        ["city", null, "city"],
        ["distance", null, "distance"],
      ],
    );
  });
});
