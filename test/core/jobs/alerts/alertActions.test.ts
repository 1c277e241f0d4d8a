// This file costs more than three seconds, because its own host evaluates alerts and sends messages in many calls.
import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { openHttpSink, type HttpSink } from "../../../support/httpSink.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { refused } from "../../../support/refused.ts";
import { openSmtpSink, type SmtpSink } from "../../../support/smtpSink.ts";
import { testPace } from "../../../support/testPace.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Alert extends Json {
  readonly id: string;
  readonly schedule_id: string;
}
interface Tested {
  readonly evaluated_as: string;
  readonly outcome: string;
  readonly rows: number | null;
  readonly data: readonly (readonly unknown[])[];
  readonly [member: string]: unknown;
}
interface Delivered {
  readonly id: string;
  readonly outcome: string;
  readonly problem: string | null;
  readonly recipient: string | null;
}

const perDay = 2;

suite("core/jobs/alerts/alertActions", (test) => {
  let catalog: TestCatalog;
  let people: People;
  let dataset: Dataset;
  let hooks: HttpSink;
  let phones: HttpSink;
  const sinks: HttpSink[] = [];
  let mail: SmtpSink;
  test.before(async () => {
    catalog = await openTestCatalog();
    [hooks, phones, mail] = await Promise.all([openHttpSink(), openHttpSink(), openSmtpSink()]);
    const phoneUrl = new URL(phones.url);
    people = await openPeople({
      databaseUrl: catalog.databaseUrl,
      callsPerSecond: 0,
      pace: testPace,
      signUp: true,
      egressAllow: ["127.0.0.1"],
      publicUrl: "https://manifold.example.org",
      smtpUrl: mail.url,
      mailFrom: "Manifold <alerts@example.org>",
      smsUrl: `http://AC1:phone-token@${phoneUrl.host}`,
      smsFrom: "+3225550199",
      smsPerDay: perDay,
    });
    dataset = await people.push();
  });
  test.after(async () => {
    await people?.close();
    await catalog?.close();
    await Promise.all([hooks, phones, mail, ...sinks].map((each) => each?.close()));
  });

  /**
   * Opens a sink that only one test uses. Owners are notified over older channels, whose sinks no test checks.
   */
  const openSink = async (): Promise<HttpSink> => {
    const sink = await openHttpSink();
    sinks.push(sink);
    return sink;
  };

  const of = (name: string) => ({ dataset_id: dataset.id, column_id: dataset.columns[name] });
  const sum = () => ({ ...of("km"), aggregation: { type: "sum" } });
  const query = (least = 0) => ({
    dimensions: [of("region")],
    measures: [sum()],
    having: [{ expression: "? > ?", parameters: [sum(), least] }],
  });
  const createAlert = (properties: Json = {}, by = people.owner) =>
    by.create<Alert>("alert", {
      name: { en: "Busy" },
      query: query(),
      frequency: "hour",
      ...properties,
    });
  /** Makes an alert due, and waits for its evaluation. */
  const evaluate = async ({ id, schedule_id }: Alert): Promise<void> => {
    const count = async () => (await catalog.knex("alertevent").where({ alert_id: id })).length;
    const before = await count();
    await catalog
      .knex("schedule")
      .where({ id: schedule_id })
      .update({ scheduled_at: catalog.knex.raw("now() - interval '1 minute'") });
    while ((await count()) === before) await sleep(100);
  };
  /** Returns the deliveries of an alert once none of them is waiting. */
  const deliveriesOf = async (alertId: string): Promise<readonly Delivered[]> => {
    for (;;) {
      const rows: Delivered[] = await catalog
        .knex("delivery as d")
        .join("alertevent as e", "e.id", "d.alertevent_id")
        .where("e.alert_id", alertId)
        .select("d.*")
        .orderBy("d.created_at");
      if (rows.length > 0 && rows.every(({ outcome }) => outcome !== "waiting")) return rows;
      await sleep(100);
    }
  };

  test("testing an alert returns the result of one evaluation and stores nothing", async () => {
    const config = { url: hooks.url };
    const channels = [{ name: "hook", type: "webhook", config }];
    const alert = await createAlert({ channels });
    const state = async () => {
      const [row] = await catalog.knex("alert").where({ id: alert.id });
      const [schedule] = await catalog.knex("schedule").where({ id: alert.schedule_id });
      const events = await catalog.knex("alertevent").where({ alert_id: alert.id });
      return JSON.stringify([row, schedule, events]);
    };
    const before = await state();
    const told = await people.owner.test<Tested>("alert", {
      id: alert.id,
      options: { explain: true, deliver: "me" },
    });
    assert.equal([told.outcome, told.rows, told.evaluated_as], ["answered", 2, "user"]);
    assert.equal([told["status_before"], told["status_after"]], ["ok", "firing"]);
    assert.equal(told["notices"], [{ key: "", kind: "firing" }]);
    assert.is(told["condition"], "sum of km > 0");
    assert.ok(told["explain"], "explain says how the query was answered");
    assert.equal(told["delivery"], { outcome: "delivered", problem: null });
    assert.match(mail.mails.at(-1)?.source ?? "", /^Subject: Test: Busy\r?$/m);
    assert.is(await state(), before);
    assert.equal(hooks.calls, []);
    const quiet = { id: alert.id, properties: { query: query(1000) } };
    assert.is((await people.owner.test<Tested>("alert", quiet)).rows, 0);
    assert.is(await state(), before);
    const unmade = await people.owner.test<Tested>("alert", { properties: { query: query(10) } });
    assert.equal([unmade.rows, unmade.evaluated_as], [1, "caller"]);
  });

  test("testing, previewing or backtesting an alert uses only rows that the caller's token may see", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 12, soak: 25 }); round++) {
        const filter = () =>
          random.chance(0.5)
            ? {
                column_id: dataset.columns["region"],
                expression: "? = ?",
                value: random.pick(["north", "south", "east"]),
              }
            : { column_id: dataset.columns["km"], expression: "? > ?", value: random.below(7) };
        const mint = (filters: readonly Json[]) =>
          people.mint({
            username: `round-${round}`,
            role: "designer",
            access: { datasets: [{ id: dataset.id, rights: "use" }] },
            filters: filters.map((each) => ({ securable_id: dataset.id, ...each })),
          });
        const first = await mint([filter()]);
        const alert = await createAlert({}, first);
        const newest = await mint([filter(), filter()]);
        const rowsOf = async (token: typeof first) =>
          (await token.get<Tested>("data", query())).data;
        for (const [token, evaluatedAs] of [
          [first, "caller"],
          [newest, "token"],
        ] as const) {
          const seen = await rowsOf(token);
          const told = await token.test<Tested>("alert", { id: alert.id });
          assert.equal([told.evaluated_as, told.data], [evaluatedAs, seen]);
          const drafted = { id: alert.id, properties: { query: query() } };
          assert.equal((await token.test<Tested>("alert", drafted)).data, seen);
          const { previews } = await token.preview<{ previews: readonly Json[] }>({
            id: alert.id,
            options: { type: "webhook" },
          });
          const [shown] = previews.map((each) => each["body"] as { data: { rows: unknown } });
          assert.equal(shown?.data.rows, seen);
          const options = { from: new Date(Date.now() - 2 * 3_600_000).toISOString(), run: true };
          const { slots } = await token.backtest<{ slots: readonly Json[] }>({
            id: alert.id,
            options,
          });
          for (const slot of slots) assert.equal(slot["data"], seen);
        }
        // A live evaluation uses the user's newest token.
        await evaluate(alert);
        const [event] = await catalog.knex("alertevent").where({ alert_id: alert.id });
        assert.is(event.rows, (await rowsOf(newest)).length);
        const mailed = { id: alert.id, options: { deliver: "me" } };
        assert.is((await refused(newest.test("alert", mailed))).status, 403);
      }
    });
  });

  /** Creates the owner of another organization. */
  const openForeigner = async (): Promise<Person> => {
    const { status, body } = await people.call("user", {
      action: "create",
      properties: {
        email: `eve-${randomUUID()}@example.org`,
        company: "Another",
        password: "an apple a day keeps",
      },
    });
    assert.is(status, 200, JSON.stringify(body));
    const login = createClient({
      url: people.host.url,
      key: String(body["key"]),
      token: String(body["token"]),
    });
    const pair = await login.create<{ id: string; token: string }>("authorization", {
      type: "api",
    });
    const own = { key: pair.id, token: pair.token };
    return { ...createClient({ url: people.host.url, ...own }), id: String(body["id"]), pair: own };
  };

  test("an alert of another user or organization returns the same error as an unknown id", async () => {
    const sink = await openSink();
    const config = { recipients: [{ email: "ada@example.org" }] };
    const channel = await people.owner.create<Alert>("channel", { type: "email", config });
    mail.plan(550);
    const alert = await createAlert();
    await people.owner.associate("alert", alert.id, { role: "Channels", id: channel.id });
    await evaluate(alert);
    const [delivery] = await deliveriesOf(alert.id);
    const [event] = await catalog.knex("alertevent").where({ alert_id: alert.id });
    const find = {
      where: { state: ["waiting", "running", "completed", "failed"] as const },
      limit: 1000,
    };
    const [job] = (await people.owner.get("job", find)).rows;
    const ids: Ids = {
      alert: alert.id,
      channel: channel.id,
      delivery: String(delivery?.id),
      schedule: alert.schedule_id,
      alertevent: event.id,
      job: String(job?.["id"]),
    };
    const absent = Object.fromEntries(Object.keys(ids).map((each) => [each, randomUUID()]));
    const stored = async () => {
      const tables = ["alert", "channel", "schedule", "alertevent", "delivery", "alert_channel"];
      const rows = await Promise.all(tables.map((table) => catalog.knex(table).orderByRaw("1, 2")));
      return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
    };
    // The owner is notified that the mail was rejected.
    while ((await catalog.knex("delivery").where({ outcome: "waiting" })).length > 0)
      await sleep(100);
    const [before, mailCount] = [await stored(), mail.mails.length];
    const from = new Date(Date.now() - 3_600_000).toISOString();
    interface Ids {
      readonly [resource: string]: string;
    }
    const callsOf = (client: Client, own: { readonly alert: string; readonly channel: string }) => {
      const calls = (given: Ids) => [
        () => client.test("alert", { id: given["alert"]! }),
        () => client.test("alert", { id: given["alert"]!, properties: { query: query() } }),
        () => client.preview({ id: given["alert"]!, options: { type: "sms" } }),
        () => client.backtest({ id: given["alert"]!, options: { from } }),
        () => client.backtest({ id: given["alert"]!, options: { from, source: "ledger" } }),
        () => client.test("channel", { id: given["channel"]! }),
        () => client.resend(given["delivery"]!),
        () => client.update("job", given["job"]!, { state: "cancelled" }),
        () => client.update("job", given["job"]!, { state: "waiting" }),
        ...["alert", "channel", "schedule"].flatMap((resource) => [
          () => client.update(resource, given[resource]!, { name: { en: "Taken" } }),
          () => client.delete(resource, given[resource]!),
        ]),
        () => client.associate("alert", given["alert"]!, { role: "Channels", id: own.channel }),
        () => client.associate("alert", own.alert, { role: "Channels", id: given["channel"]! }),
        () => client.associate("alert", own.alert, { role: "Schedule", id: given["schedule"]! }),
        () => client.dissociate("alert", given["alert"]!, { role: "Channels", id: own.channel }),
      ];
      return { theirs: calls(ids), none: calls(absent) };
    };
    for (const [who, client] of [
      ["another user", await people.add("stranger")],
      ["another organization", await openForeigner()],
    ] as const) {
      const ownChannel = await client.create<Alert>("channel", {
        type: "webhook",
        config: { url: "https://hooks.example.org/" },
      });
      const ownAlert = await client.create<Alert>("alert", {
        name: { en: "Mine" },
        query: sumOf(await people.push(client)),
        frequency: "day",
      });
      const { theirs, none } = callsOf(client, { alert: ownAlert.id, channel: ownChannel.id });
      for (const [index, call] of theirs.entries()) {
        const [one, random] = [await refused(call()), await refused(none[index]!())];
        const about = `${who}: ${call.toString()}`;
        assert.is(one.status, random.status, about);
        if (who === "another organization") assert.is(one.status, 404, about);
        const plain = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, "an id");
        assert.is(plain(one.message), plain(random.message), about);
      }
      for (const resource of ["alertevent", "delivery", "channel", "schedule", "alert"]) {
        const { rows } = await client.get(resource, { where: { id: ids[resource] } });
        assert.equal(rows, [], `${who}: ${resource}`);
      }
      if (who === "another organization")
        assert.equal(await client.get("job", find), { count: 0, rows: [] });
      else assert.is((await refused(client.get("job", find))).status, 403);
      await client.delete("alert", ownAlert.id);
      await client.delete("channel", ownChannel.id);
    }
    assert.is(await stored(), before);
    assert.is(mail.mails.length, mailCount);
    assert.equal(sink.calls, []);
    for (const resource of ["alert", "channel"] as const)
      await people.owner.delete(resource, String(ids[resource]));
  });

  test("a failed message is listed, and sending the message again keeps its id", async () => {
    const sink = await openSink();
    const channels = [{ name: "hook", type: "webhook", config: { url: sink.url } }];
    const alert = await createAlert({ channels });
    const before = sink.calls.length;
    sink.plan(404);
    await evaluate(alert);
    const [failed] = await deliveriesOf(alert.id);
    assert.equal([failed?.outcome, failed?.problem], ["failed", "the address returned status 404"]);
    const shown = await people.owner.get("delivery", {
      where: { outcome: "failed", id: failed?.id },
    });
    assert.is(shown.count, 1);
    const again = await people.owner.resend<Delivered>(String(failed?.id));
    assert.is(again.outcome, "waiting");
    const [sent] = await deliveriesOf(alert.id);
    assert.is(sent?.outcome, "delivered");
    const ids = sink.calls.slice(before).map(({ headers }) => headers["webhook-id"]);
    assert.equal(ids.filter((id) => id === failed?.id).length, 2);
    assert.is((await refused(people.owner.resend(String(failed?.id)))).status, 409);
  });

  test("a recipient can unsubscribe with one click and without signing in, which does not affect other recipients", async () => {
    const recipients = [{ email: "ada@example.org" }, { email: "Grace@example.org" }];
    const texts = { subject: "{{name}}: {{count}} rows", message: { en: "Look at {{link}}" } };
    const channels = [{ name: "post", type: "email", config: { recipients, ...texts } }];
    const alert = await createAlert({ channels });
    const mailsFor = async () => {
      const before = mail.mails.length;
      await evaluate(alert);
      await deliveriesOf(alert.id);
      return mail.mails.slice(before);
    };
    const sent = await mailsFor();
    assert.equal(sent.flatMap(({ to }) => to).toSorted(), ["ada@example.org", "grace@example.org"]);
    const [, link = ""] =
      /^List-Unsubscribe: <([^>]+)>\r?$/m.exec(
        sent.find(({ to }) => to[0] === "ada@example.org")?.source ?? "",
      ) ?? [];
    assert.match(sent[0]?.source ?? "", /^Subject: Busy: 2 rows\r?$/m);
    assert.match(link, /^https:\/\/manifold\.example\.org\/unsubscribe\/[\w-]{60,}$/);
    assert.not.match(link, /ada|example\.org\/.*example/);
    const { pathname } = new URL(link);
    const send = async (path: string, method = "POST") => {
      const answer = await fetch(`${people.host.url}${path}`, {
        method,
        redirect: "error",
        ...(method === "POST" && {
          body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
        }),
      });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    };
    const page = await send(pathname, "GET");
    assert.equal([page.status, page.text.includes("<form")], [200, true]);
    assert.match(page.headers.get("content-security-policy") ?? "", "default-src 'none'");
    assert.is((await mailsFor()).length, 2, "a GET changes nothing");
    assert.is((await send(pathname)).status, 200);
    assert.is((await send(pathname)).status, 200, "a second click changes nothing");
    assert.equal(
      (await mailsFor()).map(({ to }) => to),
      [["grace@example.org"]],
    );
    const [channel] = (await people.owner.get("channel", { where: { type: "email" } })).rows;
    assert.equal(channel?.["unsubscribed"], ["ada@example.org"]);
    // A link whose token was changed is invalid.
    const wrong = [
      `${pathname}A`,
      pathname.slice(0, -3) + (pathname.endsWith("A") ? "BBB" : "AAA"),
      `/unsubscribe/${"A".repeat(120)}`,
      `/unsubscribe/${channel?.["id"] as string}`,
      `${pathname.slice(0, -1)}/again`,
    ];
    const answers = await Promise.all(wrong.map((path) => send(path)));
    for (const answer of answers)
      assert.equal([answer.status, answer.text], [404, answers[0]?.text]);
    assert.is((await send(`${pathname}/again`)).status, 200);
    assert.is((await mailsFor()).length, 2);
  });

  test("testing a channel makes one attempt and returns its outcome", async () => {
    const sink = await openSink();
    const make = (type: string, config: Json) =>
      people.owner.create<Alert>("channel", { name: { en: "Mine" }, type, config });
    const tried = async (id: string) =>
      (await people.owner.test<{ results: readonly Json[] }>("channel", { id })).results;
    const hook = await make("webhook", { url: sink.url });
    const none = { recipient: null };
    assert.equal(await tried(hook.id), [{ ...none, outcome: "delivered", problem: null }]);
    for (const [status, headers] of [
      [500, {}],
      [429, { "retry-after": "60" }],
      [410, {}],
      [302, { location: sink.url }],
    ] as const) {
      const before = sink.calls.length;
      sink.plan(status, headers);
      assert.equal(await tried(hook.id), [
        { ...none, outcome: "failed", problem: `the address returned status ${status}` },
      ]);
      assert.is(sink.calls.length, before + 1, "redirects are not followed");
    }
    for (const url of ["http://10.0.0.1/", "http://169.254.169.254/latest", "http://[::1]:9/"]) {
      const failure = await refused(make("webhook", { url }));
      assert.match(failure.message, /properties\.config\.url .*not a public address/);
    }
    const teams = await make("teams", { url: sink.url });
    assert.is((await tried(teams.id))[0]?.["outcome"], "accepted");
    // A successful test message enables a disabled channel again.
    await catalog.knex("channel").where({ id: hook.id }).update({ disabled_reason: "gone" });
    await tried(hook.id);
    assert.is((await catalog.knex("channel").where({ id: hook.id }))[0].disabled_reason, null);
  });

  test("text messages are sent to each number through the SMS provider, up to the organization's daily limit", async () => {
    const config = { to: ["+32 2 555 01 00", "+32 2 555 01 01", "+32 2 555 01 02"] };
    const { id } = await people.owner.create<Alert>("channel", { type: "sms", config });
    phones.plan(201);
    phones.plan(400);
    const { results } = await people.owner.test<{ results: readonly Json[] }>("channel", { id });
    assert.equal(
      results.map(({ outcome, problem }) => [outcome, problem]),
      [
        ["accepted", null],
        ["failed", "the text message service returned status 400"],
        ["failed", `the organization has reached its limit of ${perDay} text messages today`],
      ],
    );
    assert.is(phones.calls.length, perDay);
    const [{ headers, body } = { headers: {}, body: "" }] = phones.calls;
    assert.is(headers["authorization"], `Basic ${btoa("AC1:phone-token")}`);
    const form = new URLSearchParams(body);
    assert.equal([form.get("To"), form.get("From")], ["+3225550100", "+3225550199"]);
    assert.match(form.get("Body") ?? "", /^Test: sms https:\/\/manifold\.example\.org\/channels\//);
  });

  test("messages in the preview of an alert that is not yet stored have no link", async () => {
    const properties = { name: { en: "Draft" }, query: query() };
    for (const type of ["webhook", "email", "slack", "teams", "sms"]) {
      const { previews } = await people.owner.preview<{ previews: readonly Json[] }>({
        properties,
        options: { type },
      });
      assert.match(JSON.stringify(previews), "Draft");
      assert.not.match(JSON.stringify(previews), "/alerts/", type);
    }
  });

  test("the error for an invalid draft or option of an alert names the member", async () => {
    const { id } = await createAlert();
    const { owner } = people;
    for (const [call, place] of [
      [() => owner.test("alert", {}), "properties"],
      [() => owner.test("alert", { properties: {} }), "properties.query"],
      [() => owner.test("alert", { id, properties: { query: {} } }), "properties.query"],
      [() => owner.test("alert", { id, properties: { for: "soon" } }), "properties.for"],
      [() => owner.test("alert", { id, options: { deliver: "all" } }), "options.deliver"],
      [() => owner.test("alert", { id, options: { where: 1 } }), "options.where"],
      [() => owner.preview({ id, options: { type: "pigeon" } }), "options.type"],
      [() => owner.preview({ id, options: { config: {} } }), "options.type"],
      [
        () => owner.preview({ id, options: { type: "slack", config: { text: "{{secret}}" } } }),
        "options.config.text",
      ],
    ] as const) {
      const { status, message } = await refused(call());
      assert.is(status, 400, place);
      assert.match(message, place);
    }
    const properties = { name: "x", frequency: "day", query: query(), instance_by: [randomUUID()] };
    const checked = await owner.validate<Json>("alert", properties);
    assert.is(checked["valid"], false, "validate checks instances");
  });
});
