// This file costs more than three seconds, because its own host evaluates alerts that many small programs create.
import * as assert from "uvu/assert";
import { setTimeout as sleep } from "node:timers/promises";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { openHttpSink, type HttpSink } from "../../../support/httpSink.ts";
import { refused } from "../../../support/refused.ts";
import { openSmtpSink, type SmtpSink } from "../../../support/smtpSink.ts";
import { testPace } from "../../../support/testPace.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type Dataset, type People } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Alert extends Json {
  readonly id: string;
  readonly schedule_id: string;
}

/** Small programs that use alerts in unusual but valid ways. The API must behave as documented for all of them. */
suite("core/jobs/alerts/oddAlerts", (test) => {
  let catalog: TestCatalog;
  let people: People;
  let dataset: Dataset;
  let hooks: HttpSink;
  let mail: SmtpSink;
  test.before(async () => {
    catalog = await openTestCatalog();
    [hooks, mail] = await Promise.all([openHttpSink(), openSmtpSink()]);
    people = await openPeople({
      databaseUrl: catalog.databaseUrl,
      callsPerSecond: 0,
      pace: testPace,
      egressAllow: ["127.0.0.1"],
      smtpUrl: mail.url,
      mailFrom: "Manifold <alerts@example.org>",
    });
    dataset = await people.push();
  });
  test.after(async () => {
    await people?.close();
    await catalog?.close();
    await Promise.all([hooks, mail].map((each) => each?.close()));
  });

  const of = (name: string) => ({ dataset_id: dataset.id, column_id: dataset.columns[name] });
  const sum = () => ({ ...of("km"), aggregation: { type: "sum" } });
  const properties = (members: Json = {}) => ({
    name: { en: "Odd" },
    query: { dimensions: [of("region")], measures: [sum()] },
    frequency: "hour",
    ...members,
  });
  const create = (members: Json = {}) => people.owner.create<Alert>("alert", properties(members));
  const read = async (resource: string, find: Json) =>
    (await people.owner.get(resource, find)).rows;
  const one = async (resource: string, id: string, include: readonly Json[] = []) => {
    const [row] = await read(resource, { where: { id }, include });
    return row as Json;
  };
  const children = (row: Json, member: string) => row[member] as readonly Json[];
  const rowsOf = async (alert: Json) =>
    (await people.owner.test<{ rows: number | null }>("alert", alert)).rows;
  /** Makes alerts due, waits for their evaluations, and returns the ledger entries. */
  const evaluate = async (...alerts: readonly Alert[]): Promise<readonly Json[]> => {
    const ids = alerts.map(({ id }) => id);
    const events = () => catalog.knex("alertevent").whereIn("alert_id", ids).orderBy("slot_at");
    const before = (await events()).length;
    await catalog
      .knex("schedule")
      .whereIn(
        "id",
        alerts.map(({ schedule_id }) => schedule_id),
      )
      .update({ scheduled_at: catalog.knex.raw("now() - interval '1 minute'") });
    while ((await events()).length < before + alerts.length) await sleep(100);
    return events();
  };
  const refusedBy = async (members: Json) => {
    const { status, message } = await refused(create(members));
    assert.ok(status >= 400 && status < 500, `${status}`);
    return message;
  };

  test("a program that sends frequency as a JSON string gets a schedule, and reads frequency as an object", async () => {
    const frequency = JSON.stringify({ unit: "week", quantity: 2 });
    const { id, schedule_id } = await create({ frequency, timezone_id: "Asia/Kathmandu" });
    const schedule = await one("schedule", schedule_id);
    assert.equal((await one("alert", id))["frequency"], { unit: "week", quantity: 2 });
    assert.equal(
      [schedule["frequency_unit"], schedule["frequency_quantity"], schedule["timezone"]],
      ["week", 2, "Asia/Kathmandu"],
    );
    const due =
      Date.parse(String(schedule["scheduled_at"])) - Date.parse(String(schedule["started_at"]));
    assert.is(due, 14 * 86_400_000);
  });

  test("a PHP program can send an empty array in place of any empty object", async () => {
    const query = {
      measures: [sum()],
      dimensions: [],
      where: [],
      having: [],
      context: [],
      options: [],
    };
    const { id } = await create({ query, channels: [] });
    assert.is(await rowsOf({ id, options: [] as unknown as Json }), 1);
    await people.owner.update("alert", id, [] as unknown as Json);
    assert.is(
      (await read("alert", [] as unknown as Json)).some((row) => row["id"] === id),
      true,
    );
    assert.match(await refusedBy({ query: [] }), /properties\.query/);
    assert.match(await refusedBy({ frequency: [] }), /properties\.frequency/);
    const webhook = people.owner.create<unknown>("channel", { type: "webhook", config: [] });
    assert.match((await refused(webhook)).message, /properties\.config\.url/);
  });

  test("a program can update frequency in each accepted form, which changes the schedule", async () => {
    const { id, schedule_id } = await create();
    for (const [frequency, unit, quantity] of [
      [{ unit: "minute", quantity: 90 }, "minute", 90],
      ["quarterly", "quarter", 1],
      ['"3 months"', "month", 3],
    ] as const) {
      await people.owner.update("alert", id, { frequency });
      const schedule = await one("schedule", schedule_id);
      assert.equal([schedule["frequency_unit"], schedule["frequency_quantity"]], [unit, quantity]);
    }
    for (const frequency of [
      { unit: "day", quantity: "1" },
      { unit: "second", quantity: 1 },
      null,
    ]) {
      const { status, message } = await refused(
        people.owner.update<unknown>("alert", id, { frequency }),
      );
      assert.is(status, 400);
      assert.match(message, /properties\.frequency/);
    }
    assert.equal((await one("alert", id))["frequency"], { unit: "month", quantity: 3 });
  });

  test("a program can create an alert with a channel of every type, and read them all with an include", async () => {
    const channels = [
      { name: { en: "m" }, type: "email", config: { recipients: [{ email: "a@example.org" }] } },
      { name: "w", type: "webhook", config: { url: hooks.url, secret: "s" } },
      { type: "slack", config: { url: hooks.url } },
      { type: "teams", config: { url: hooks.url } },
      { type: "sms", config: { recipients: [{ phone: "+32 2 555 01 00" }] } },
    ];
    const { id } = await create({ channels });
    const row = await one("alert", id, [
      { model: "Channel" },
      { model: "Schedule" },
      { model: "User" },
    ]);
    const types = children(row, "channels").map(({ type }) => String(type));
    assert.equal(types.toSorted(), ["email", "slack", "sms", "teams", "webhook"]);
    assert.not.match(JSON.stringify(row), hooks.url);
    for (const [index, wrong, member] of [
      [0, { type: "email", config: { subject: "x" } }, "config.recipients"],
      [1, { type: "webhook", config: { secret: "s" } }, "config.url"],
      [2, { config: { url: hooks.url } }, "type"],
      [3, { type: "teams", config: "https://example.org" }, "config"],
    ] as const) {
      const given = channels.slice(0, index);
      const message = await refusedBy({ channels: [...given, wrong] });
      assert.match(message, `properties.channels[${index}].${member}`);
    }
    assert.match(await refusedBy({ channels: { type: "sms" } }), /properties\.channels/);
  });

  test("channels can be linked from either side, with ids in any letter case, singly or in lists", async () => {
    const { id } = await create();
    // The types of the client have only the roles as declared.
    const as = (role: string) => role;
    const config = { url: hooks.url };
    const make = () =>
      people.owner.create<Json & { id: string }>("channel", { type: "slack", config });
    const [first, second, third] = [await make(), await make(), await make()];
    await people.owner.associate("alert", id, { role: as("channel"), id: first.id });
    await people.owner.associate("alert", id, { role: "Channels", id: first.id });
    await people.owner.associate("channel", second.id, { role: "Alerts", id });
    await people.owner.associate("channel", third.id, { role: as("alert"), id });
    const linked = async () =>
      children(await one("alert", id, [{ model: "Channel" }]), "channels").map(
        (each) => each["id"],
      );
    assert.equal((await linked()).toSorted(), [first.id, second.id, third.id].toSorted());
    await people.owner.dissociate("channel", second.id, { role: as("Alert"), id });
    await people.owner.dissociate("alert", id, { role: as("CHANNELS"), id: third.id });
    assert.equal(await linked(), [first.id]);
    const wrong = people.owner.associate("alert", id, { role: as("Pigeons"), id: first.id });
    assert.match((await refused(wrong)).message, /Pigeons/);
  });

  test("the call that creates an alert can also associate channels with it", async () => {
    const channel = await people.owner.create<Json & { id: string }>("channel", {
      type: "webhook",
      config: { url: hooks.url },
    });
    const made = await people.owner.create<Alert>("alert", properties(), [
      { role: "Channels", id: channel.id },
      { role: "Securable", id: dataset.id },
    ]);
    const row = await one("alert", made.id, [{ model: "Channel" }, { model: "Securable" }]);
    assert.equal(
      children(row, "channels").map(({ id }) => id),
      [channel.id],
    );
    assert.is(row["securable_id"], dataset.id);
    assert.is((row["securable"] as Json)["id"], dataset.id);
  });

  test("time zones with unusual offsets or skipped days are accepted, but unknown time zones are refused", async () => {
    for (const zone of [
      "Australia/Lord_Howe",
      "America/St_Johns",
      "Pacific/Apia",
      "Pacific/Kiritimati",
      "Antarctica/Troll",
      "Etc/GMT+12",
      "UTC",
    ]) {
      const { schedule_id } = await create({ timezone_id: zone, frequency: "day" });
      const schedule = await one("schedule", schedule_id);
      assert.is(schedule["timezone"], zone);
      const ms = Date.parse(String(schedule["scheduled_at"])) - Date.now();
      assert.ok(ms > 22 * 3_600_000 && ms < 26 * 3_600_000, `${zone}: ${ms}`);
    }
    for (const zone of ["Mars/Olympus", "+25:00", 5, {}])
      assert.match(await refusedBy({ timezone_id: zone }), /properties\.timezone_id/);
  });

  test("the query of an alert can compare columns with lists, even empty ones, and can filter groups", async () => {
    const where = (...regions: string[]) => [
      { expression: "? in ?", parameters: [of("region"), regions] },
    ];
    const query = (members: Json) => ({
      dimensions: [of("region")],
      measures: [sum()],
      ...members,
    });
    const { id } = await create({ query: query({ where: where("north", "south") }) });
    assert.is(await rowsOf({ id }), 2);
    const tried = (members: Json) => rowsOf({ id, properties: { query: query(members) } });
    assert.is(await tried({ where: where("north") }), 1);
    assert.is(await tried({ where: where() }), 0);
    const having = [{ expression: "? > ?", parameters: [sum(), 6] }];
    assert.is(await tried({ where: where("north", "south"), having }), 1);
    assert.match(
      await refusedBy({ query: query({ having: [{ expression: "? > ?" }] }) }),
      /query\.having\[0\]/,
    );
    assert.match(await refusedBy({ query: query({ wher: [] }) }), /properties\.query.*wher/);
  });

  test("`validate`, `test` and `preview` create no records and send no messages", async () => {
    const counts = async () => {
      const tables = ["alert", "channel", "schedule", "alertevent", "delivery"];
      return Promise.all(tables.map((table) => catalog.knex(table).count()));
    };
    const [before, called, mailed] = [await counts(), hooks.calls.length, mail.mails.length];
    const channels = [{ type: "webhook", config: { url: hooks.url } }];
    const checked = await people.owner.validate<Json>("alert", properties({ channels }));
    assert.is(checked["valid"], true);
    const wrong = await people.owner.validate<Json>("alert", properties({ frequency: "often" }));
    assert.is(wrong["valid"], false);
    assert.match(String(wrong["message"]), /frequency/);
    assert.is(await rowsOf({ properties: properties() }), 2);
    const { previews } = await people.owner.preview<{ previews: readonly Json[] }>({
      properties: properties(),
      options: { type: "email" },
    });
    assert.is(previews.length, 1);
    assert.equal(await counts(), before);
    assert.equal([hooks.calls.length, mail.mails.length], [called, mailed]);
    const { message } = await refused(
      people.owner.test("alert", { properties: properties(), options: { dry: true } }),
    );
    assert.match(message, /options\.dry/);
  });

  test("a program can pause and resume an alert through its schedule", async () => {
    const { id, schedule_id } = await create();
    await people.owner.update("schedule", schedule_id, { active: false });
    assert.is((await one("schedule", schedule_id))["scheduled_at"], null);
    await people.owner.update("schedule", schedule_id, { active: true });
    assert.ok(
      Date.parse(String((await one("schedule", schedule_id))["scheduled_at"])) > Date.now(),
    );
    const [event] = await evaluate({ id, schedule_id } as Alert);
    assert.is(event?.["outcome"], "answered");
    const wrong = people.owner.update("schedule", schedule_id, { frequency_quantity: 0 });
    assert.match((await refused(wrong)).message, /frequency_quantity/);
  });

  test("alerts can share a schedule given in minutes, which stays when one of the alerts is deleted", async () => {
    const schedule = await people.owner.create<Json & { id: string }>("schedule", {
      frequency: 1440,
    });
    const [first, second] = [await create(), await create()];
    await people.owner.associate("alert", first.id, { role: "Schedule", id: schedule.id });
    await people.owner.associate("schedule", schedule.id, { role: "Alerts", id: second.id });
    await people.owner.delete("alert", first.id);
    const left = await one("alert", second.id, [{ model: "Schedule" }]);
    assert.is(left["schedule_id"], schedule.id);
    assert.is((await one("schedule", schedule.id))["active"], true);
    const [event] = await evaluate({ ...second, schedule_id: schedule.id });
    assert.is(event?.["outcome"], "answered");
    // Deleting an alert deletes the schedule that was created for it.
    for (const { schedule_id } of [first, second])
      assert.equal(await read("schedule", { where: { id: schedule_id } }), []);
  });

  test("a program can send ids in uppercase and names as plain strings, and choose the members that it reads", async () => {
    const upper = (reference: Json) => ({
      ...reference,
      dataset_id: String(reference["dataset_id"]).toUpperCase(),
      column_id: String(reference["column_id"]).toUpperCase(),
    });
    const query = { dimensions: [upper(of("region"))], measures: [upper(sum())] };
    const { id } = await create({ name: "Plain", query });
    assert.is(await rowsOf({ id: id.toUpperCase() }), 2);
    await people.owner.update("alert", id.toUpperCase(), { name: { nl: "Anders", fr: "Autre" } });
    const [row] = await read("alert", { where: { id }, attributes: ["name"] });
    assert.equal((row as Json)["name"], { nl: "Anders", fr: "Autre" });
    assert.is((row as Json)["query"], undefined);
    assert.match(await refusedBy({ name: 5 }), /properties\.name/);
    assert.match(await refusedBy({ name: undefined }), /properties\.name/);
  });

  test("an alert that belongs to a token applies the token's filters, and stops once the token is deleted", async () => {
    const token = await people.mint({
      role: "designer",
      access: { datasets: [{ id: dataset.id, rights: "use" }] },
      filters: [
        {
          clause: "where",
          origin: "global",
          securable_id: dataset.id,
          column_id: dataset.columns["region"],
          expression: "? in ?",
          value: ["north"],
        },
      ],
    });
    const made = await token.create<Alert>("alert", properties());
    const [event] = await evaluate(made);
    assert.equal([event?.["outcome"], event?.["rows"]], ["answered", 1]);
    await people.owner.delete("authorization", token.pair.key);
    const events = await evaluate(made);
    assert.is(events.at(-1)?.["outcome"], "skipped");
    const [row] = await catalog.knex("alert").where({ id: made.id });
    assert.match(row.stopped_reason, /token/);
  });

  test("an alert sends nothing while it is muted, or before its condition has lasted for the required time", async () => {
    const channels = [{ type: "webhook", config: { url: hooks.url } }];
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const muted = await create({ channels, mute_until: soon });
    const patient = await create({ channels, for: "2 hours", notify: "change" });
    const before = hooks.calls.length;
    const events = await evaluate(muted, patient);
    assert.equal(
      events.map(({ notices }) => notices),
      [[], []],
    );
    assert.is((await one("alert", muted.id))["status"], "firing");
    assert.is((await one("alert", patient.id))["status"], "pending");
    assert.is(hooks.calls.length, before);
    for (const [member, value] of [
      ["for", "soon"],
      ["for", { unit: "month", quantity: 1 }],
      ["keep_firing_for", -1],
      ["notify", "sometimes"],
      ["no_data", true],
      ["error", "panic"],
      ["mute_until", "tomorrow"],
      ["instance_by", "region"],
      ["recovery", "less"],
    ] as const)
      assert.match(await refusedBy({ [member]: value }), `properties.${member}`);
  });

  // The tests of digests prove this with fewer parts of the host.
  test.deep(
    "eight alerts on one channel send each recipient five messages and one digest",
    async () => {
      const recipients = [{ email: "ada@example.org" }, { email: "Grace@example.org" }];
      const mails = await people.owner.create<Json & { id: string }>("channel", {
        name: { en: "Team" },
        type: "email",
        config: { recipients },
      });
      const alerts: Alert[] = [];
      for (let index = 0; index < 8; index++) {
        const alert = await create({ name: { en: `digested ${index}` } });
        await people.owner.associate("alert", alert.id, { role: "Channels", id: mails.id });
        alerts.push(alert);
      }
      await evaluate(...alerts);
      const digests = await catalog.knex("digest").where({ channel_id: mails.id });
      assert.is(digests.length, 2);
      await catalog
        .knex("jobs.job")
        .whereRaw("data ->> 'digestId' is not null")
        .update({ start_after: new Date() });
      const taken = () =>
        mail.mails
          .filter(({ to }) => /^(ada|grace)@/.test(to[0] ?? ""))
          .map(({ source }) => source);
      while (taken().length < 12) await sleep(50);
      const digested = taken().filter((source) => /^Subject: 3 alerts: Team\r?$/m.test(source));
      assert.is(digested.length, 2);
      assert.match(digested[0] ?? "", /^List-Unsubscribe: </m);
      const rows = async () => read("delivery", { where: { channel_id: mails.id } });
      while ((await rows()).some((row) => row["outcome"] === "waiting")) await sleep(50);
      const outcomes = (await rows()).map((row) => row["outcome"]);
      assert.equal(
        outcomes,
        Array.from({ length: 16 }, () => "delivered"),
      );
      assert.is(new Set((await rows()).map((row) => row["digest_id"])).size, 3);
      // The ledger lists the deliveries of an evaluation.
      const [event] = await read("alertevent", {
        where: { alert_id: alerts[0]!.id },
        include: [{ model: "Delivery" }],
      });
      assert.equal(
        children(event!, "deliveries").map((row) => row["outcome"]),
        ["delivered", "delivered"],
      );
    },
  );
});
