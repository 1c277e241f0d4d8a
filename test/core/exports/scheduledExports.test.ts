// This file costs more than three seconds, because its own host draws and sends each scheduled file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { openHttpSink, type HttpSink } from "../../support/httpSink.ts";
import { refused } from "../../support/refused.ts";
import { openSmtpSink, type SmtpSink, type TakenMail } from "../../support/smtpSink.ts";
import { testPace } from "../../support/testPace.ts";
import { webhookEvent } from "../../support/webhookEvent.ts";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Event extends Json {
  readonly id: string;
  readonly outcome: string;
  readonly reason: string | null;
}

suite("core/host and scheduled exports", (test) => {
  let catalog: TestCatalog;
  let people: People;
  let smtp: SmtpSink;
  let hooks: HttpSink;
  let dataset: Dataset;
  let board: string;
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-scheduled-"));
  test.before(async () => {
    [catalog, smtp, hooks] = await Promise.all([openTestCatalog(), openSmtpSink(), openHttpSink()]);
    people = await openPeople({
      dataDir,
      databaseUrl: catalog.databaseUrl,
      smtpUrl: smtp.url,
      mailFrom: "Manifold <boards@example.org>",
      callsPerSecond: 0,
      pace: testPace,
    });
    dataset = await people.push();
    board = await makeBoard(dataset);
  });
  test.after(async () => {
    await people?.close();
    await Promise.all([smtp?.close(), hooks?.close()]);
    await catalog?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const makeBoard = async ({ id, columns }: Dataset, measure = "km"): Promise<string> => {
    const slot = (name: string, column: string, type: string) => ({
      name,
      content: [{ columnId: columns[column], datasetId: id, type }],
    });
    const table = {
      id: "table",
      type: "regular-table",
      position: { col: 0, row: 0, sizeX: 48, sizeY: 16 },
      slots: [slot("columns", "region", "hierarchy"), slot("columns", measure, "numeric")],
    };
    const made = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Trips / 2001" },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items: [table] }] },
    });
    return made.id;
  };
  const makeChannel = async (recipients: readonly string[], by: Person = people.owner) => {
    const config = { recipients: recipients.map((email) => ({ email })) };
    const { id } = await by.create<{ id: string }>("channel", { type: "email", config });
    return id;
  };
  const makeSchedule = async (by: Person, channels: readonly string[] = [], values: Json = {}) => {
    const { id } = await by.create<{ id: string }>("schedule", {
      frequency_unit: "year",
      frequency_quantity: 1,
      task: "export",
      ...values,
    });
    for (const channel of channels)
      await by.associate("schedule", id, { role: "Channels", id: channel });
    return id;
  };
  const attach = (id: string, to = board, by: Person = people.owner) =>
    by.associate("schedule", id, { role: "Securable", id: to });
  /** Changes a schedule so that it is due now. */
  const makeDue = async (id: string) => {
    await catalog.knex("schedule").where({ id }).update({ scheduled_at: new Date() });
  };
  const eventsOf = async (schedule: string, by: Person = people.owner): Promise<Event[]> =>
    (await by.get("exportevent", { where: { schedule_id: schedule } })).rows as Event[];
  const until = async <Found>(find: () => Promise<Found | undefined>): Promise<Found> => {
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      await sleep(50);
    }
  };
  const nextEvent = async (schedule: string, by?: Person): Promise<Event> => {
    await makeDue(schedule);
    return until(async () => (await eventsOf(schedule, by))[0]);
  };
  const ended = (event: Event, by: Person = people.owner) =>
    until(async () => {
      const found = await by.get("delivery", { where: { exportevent_id: event.id } });
      return found.rows.every(({ outcome }) => outcome !== "waiting") ? found.rows : undefined;
    });
  const mailsTo = (address: string): readonly TakenMail[] =>
    smtp.mails.filter(({ to }) => to.includes(address));
  /** Returns the file attached to a mail. */
  const fileOf = ({ source }: TakenMail): Buffer => {
    const [, part = ""] = source.split(/Content-Disposition: (?:attachment|inline)[^\n]*filename/i);
    const [, base64 = ""] = /\r\n\r\n([\w+/=\r\n]+)/.exec(part) ?? [];
    return Buffer.from(base64, "base64");
  };

  test("a scheduled dashboard is sent once to each address of its channels and recorded in the ledger", async () => {
    const channels = [
      await makeChannel(["ann@example.org", "Bob@example.org"]),
      await makeChannel(["bob@example.org", "cem@example.org"]),
    ];
    const schedule = await makeSchedule(people.owner, channels);
    await attach(schedule);
    const event = await nextEvent(schedule);
    assert.equal([event.outcome, event.reason, event["type"]], ["sent", null, "pdf"]);
    const deliveries = await ended(event);
    assert.equal(
      deliveries
        .map(({ recipient, outcome }) => `${String(recipient)} ${String(outcome)}`)
        .toSorted(),
      ["ann@example.org delivered", "bob@example.org delivered", "cem@example.org delivered"],
    );
    for (const { id, recipient } of deliveries) {
      const mails = mailsTo(String(recipient));
      assert.is(mails.length, 1);
      const { source } = mails[0]!;
      assert.match(source, /^Subject: Trips \/ 2001/m);
      assert.match(source, `<${String(id)}@example.org>`);
      assert.match(source, /filename=.*Trips 2001 \d{4}-\d\d-\d\d\.pdf/);
      assert.match(source, /^List-Unsubscribe: </m);
      assert.match(fileOf(mails[0]!).subarray(0, 5).toString(), "%PDF-");
      assert.is(fileOf(mails[0]!).length, event["size_bytes"]);
    }
    const again = await people.owner.get("schedule", { where: { id: schedule } });
    assert.is(again.rows[0]?.["failure"], null);
  });

  test("a scheduled picture is drawn with the rights of the schedule's user", async () => {
    const dan = await people.add("dan");
    const shown = { flagUse: true, flagRead: true };
    const filter = {
      clause: "where",
      origin: "global",
      securable_id: dataset.id,
      column_id: dataset.columns["region"],
      expression: "? in ?",
      value: ["north"],
    };
    const own = { ...shown, filters: [filter] };
    await people.owner.associate<object>(
      "securable",
      dataset.id,
      { role: "Users", id: dan.id },
      own,
    );
    const rights = { ...shown, flagModify: true };
    await people.owner.associate("securable", board, { role: "Users", id: dan.id }, rights);
    const form = { export: { type: "png", width: 600, theme: "dark" } };
    const schedule = await makeSchedule(dan, [], form);
    await attach(schedule, board, dan);
    await ended(await nextEvent(schedule, dan), dan);
    const [mail] = mailsTo("dan@example.org");
    const exportedBy = async (by: Person) => {
      const answer = await fetch(`${people.host.url}/0.1.0/export`, {
        method: "POST",
        body: JSON.stringify({
          action: "create",
          version: "0.1.0",
          ...by.pair,
          properties: { type: "png", securable_id: board, width: 600, theme: "dark" },
        }),
      });
      return Buffer.from(await answer.arrayBuffer());
    };
    assert.ok(fileOf(mail!).equals(await exportedBy(dan)), "the pixels that the user sees");
    assert.not(
      fileOf(mail!).equals(await exportedBy(people.owner)),
      "not the pixels that the owner sees",
    );
    assert.match(mail!.source, /<img src=3D"cid:picture@manifold.invalid"|cid:picture@manifold/);
  });

  test("webhooks receive links to scheduled files, and mail recipients receive links if the files are too large", async () => {
    const hook = await people.owner.create<{ id: string }>("channel", {
      type: "webhook",
      config: { url: hooks.url, secret: "a secret of the hook" },
    });
    const schedule = await makeSchedule(people.owner, [hook.id]);
    await attach(schedule);
    const event = await nextEvent(schedule);
    await ended(event);
    const [call] = hooks.calls;
    const { type, data } = webhookEvent(String(call?.body));
    assert.is(type, "export");
    assert.is(data["export_id"], event["id"]);
    assert.is(data["schedule_id"], schedule);
    const file = await fetch(String(data["url"]));
    assert.is(file.status, 200);
    const bytes = Buffer.from(await file.arrayBuffer());
    assert.equal([bytes.length, bytes.subarray(0, 5).toString()], [event["size_bytes"], "%PDF-"]);
  });

  test("a user can neither link channels to another user's schedule nor assign a schedule to another user", async () => {
    const [eve, schedule] = [
      await people.add("eve", {}, { flagEditor: true }),
      await makeSchedule(people.owner),
    ];
    const own = await makeBoard(dataset);
    await people.owner.associate(
      "securable",
      own,
      { role: "Users", id: eve.id },
      { flagOwn: true, flagModify: true, flagUse: true, flagRead: true },
    );
    await attach(schedule, own);
    const channel = await makeChannel(["eve@example.org"], eve);
    const linking = eve.associate("schedule", schedule, { role: "Channels", id: channel });
    assert.match((await refused(linking)).message, /act as the user of the schedule/);
    // Eve sets the owner as the user of one of her schedules.
    const hers = await makeSchedule(eve, [channel]);
    await attach(hers, own, eve);
    await eve.associate("schedule", hers, { role: "User", id: people.owner.id });
    const skipped = await nextEvent(hers);
    assert.is(skipped.outcome, "skipped");
    assert.match(String(skipped.reason), /the schedule's user did not create the schedule/);
    assert.equal(mailsTo("eve@example.org"), []);
    // Eve's channel is removed from the schedule, because the owner has taken it over.
    await people.owner.associate("schedule", hers, { role: "User", id: people.owner.id });
    await people.owner.update("schedule", hers, { active: true });
    await makeDue(hers);
    const events = await until(async () => {
      const found = await eventsOf(hers);
      return found.length > 1 ? found : undefined;
    });
    const sent = events.find(({ outcome }) => outcome === "sent");
    const [delivery] = await ended(sent!);
    assert.not.equal(delivery?.["recipient"], "eve@example.org");
    assert.equal(mailsTo("eve@example.org"), []);
  });

  test("a schedule whose user has no rights on the dashboard sends nothing, and the ledger records the reason", async () => {
    const fay = await people.add("fay");
    const schedule = await makeSchedule(fay);
    const shared = await makeBoard(dataset);
    const rights = { flagModify: true, flagUse: true, flagRead: true };
    await people.owner.associate("securable", shared, { role: "Users", id: fay.id }, rights);
    await attach(schedule, shared, fay);
    await people.owner.dissociate("securable", shared, { role: "Users", id: fay.id });
    const event = await nextEvent(schedule, fay);
    assert.is(event.outcome, "failed");
    assert.match(String(event.reason), /no dashboard/i);
    assert.equal(mailsTo("fay@example.org"), []);
  });

  test("a dashboard that is too large to export is not retried, and the ledger records the reason", async () => {
    const position = { row: 1e9, col: 0, sizeX: 24, sizeY: 20 };
    const item = { id: "t", type: "text", options: {}, slots: [], position };
    const { id: large } = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Large" },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items: [item] }] },
    });
    const schedule = await makeSchedule(people.owner, [await makeChannel(["lin@example.org"])]);
    await attach(schedule, large);
    const event = await nextEvent(schedule);
    assert.is(event.outcome, "failed");
    assert.match(String(event.reason), "a picture must have at most 2000 rows");
    assert.equal(mailsTo("lin@example.org"), []);
  });

  test("a message waits while the mail server is down, and is then sent with the id of its first attempt", async () => {
    smtp.plan(421);
    const schedule = await makeSchedule(people.owner, [await makeChannel(["hal@example.org"])]);
    await attach(schedule);
    const event = await nextEvent(schedule);
    const waiting = await until(async () => {
      const found = await people.owner.get("delivery", { where: { exportevent_id: event.id } });
      return Number(found.rows[0]?.["attempts"]) > 0 ? found.rows[0] : undefined;
    });
    assert.equal([waiting["outcome"], mailsTo("hal@example.org").length], ["waiting", 0]);
    await catalog.knex.raw(
      "update jobs.job set start_after = now() where data ->> 'deliveryId' = ?",
      [String(waiting["id"])],
    );
    const [delivered] = await ended(event);
    assert.is(delivered?.["outcome"], "delivered");
    const [mail] = mailsTo("hal@example.org");
    assert.match(mail!.source, `<${String(waiting["id"])}@example.org>`);
  });

  test("the error for an invalid file format of a schedule says what is allowed", async () => {
    for (const [form, expected] of [
      [{ type: "docx" }, /pdf, png/],
      [{ theme: "sepia" }, /light, dark/],
      [{ width: 10 }, /320 to 4000/],
      [{ colour: "red" }, /not colour/],
    ] as const)
      assert.match(
        (await refused(people.owner.create<object>("schedule", { export: form }))).message,
        expected,
      );
  });
});
