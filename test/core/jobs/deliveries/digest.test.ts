import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import type { Records, ResourceRow } from "../../../../core/base/contracts/index.ts";
import { resendDelivery } from "../../../../core/jobs/actions/resendDelivery.ts";
import type { Recorded } from "../../../../core/jobs/alerts/ledger.ts";
import { createNotify } from "../../../../core/jobs/deliveries/createNotify.ts";
import { deliver, type DeliverOptions } from "../../../../core/jobs/deliveries/deliver.ts";
import type { Attempt } from "../../../../core/jobs/deliveries/driver.ts";
import type { Message } from "../../../../core/jobs/deliveries/message.ts";
import { renderMessage } from "../../../../core/jobs/deliveries/renderMessage.ts";
import type { NewJob } from "../../../../core/jobs/queue/openQueue.ts";
import { removeOld } from "../../../../core/jobs/removeOld.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { rounds } from "../../../support/layer.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { webhookEvent } from "../../../support/webhookEvent.ts";
import { suite } from "../../../support/suite.ts";

suite("core/jobs/deliveries/digest", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
  });
  test.after(() => catalog.close());

  type Channel = ResourceRow<"channel">;
  interface Sent {
    readonly id: string;
    readonly recipient: string | null;
    readonly message: Message;
  }
  const done: Attempt = { outcome: "delivered" };
  const later: Attempt = { outcome: "later", problem: "the address returned status 503" };
  const open = new AbortController().signal;
  const slotMs = Date.UTC(2026, 0, 1);

  /** The deliveries of a host. Evaluations add messages, and the test runs the jobs. */
  const openWorld = async (answer: () => Attempt = () => done) => {
    const makeUser = async () =>
      (await records.insert("user", { name: "Ada", email: `${randomUUID()}@example.org` })).id;
    const userId = await makeUser();
    const jobs: NewJob[] = [];
    const sent: Sent[] = [];
    const options: DeliverOptions = {
      records,
      knex: catalog.transactions,
      log: silentLog,
      publicUrl: () => "https://example.org",
      hasMail: false,
      now: () => Date.now(),
      // As in the real queue, jobs exist only once their transaction has committed.
      async addJobs(added, { executionPromise }) {
        void executionPromise.then(
          () => jobs.push(...added),
          () => undefined,
        );
      },
      async send({ id, recipient, message }) {
        sent.push({ id, recipient, message });
        return answer();
      },
    };
    const notify = createNotify({ ...options, pace: { digestAfter: 3, digestMs: 60_000 } });
    const makeChannel = (type: "webhook" | "email" = "webhook", recipients: string[] = []) =>
      records.insert("channel", {
        name: { en: "Ours" },
        type,
        config: { url: "x", recipients: recipients.map((email) => ({ email })) },
        user_id: userId,
      });
    /** Records evaluations of new alerts, and notifies their channels. */
    const record = (
      count: number,
      channels: readonly Channel[],
      { notices = [{ key: "", kind: "firing" as const }], by = userId } = {},
    ) =>
      records.transaction(async (transaction) => {
        const alerts = await records.insertMany(
          "alert",
          Array.from({ length: count }, (_, index) => ({
            name: { en: `alert ${index}` },
            query: {},
            frequency: { unit: "hour", quantity: 1 },
            user_id: by,
          })),
          transaction,
        );
        const links = alerts.flatMap(({ id }) =>
          channels.map((channel) => ({ alert_id: id, channel_id: channel.id })),
        );
        await transaction("alert_channel").insert(links);
        const events = await records.insertMany(
          "alertevent",
          alerts.map(({ id }, index) => ({
            alert_id: id,
            slot_at: new Date(slotMs + index),
            started_at: new Date(),
            completed_at: new Date(),
            outcome: "answered",
            rows: 2,
            status_before: "ok",
            status_after: "firing",
            notices: [...notices],
            user_id: by,
          })),
          transaction,
        );
        const recorded = alerts.map((alert, index): Recorded => ({
          alert,
          alertEventId: events[index]!.id,
          evaluation: {
            slotMs: slotMs + index,
            startedMs: slotMs,
            outcome: "answered",
            step: { state: new Map(), transitions: [], notices: [...notices] },
          },
        }));
        await notify(recorded, transaction);
        return alerts;
      });
    return {
      userId,
      makeUser,
      makeChannel,
      record,
      jobs,
      sent,
      options,
      notify,
      digestJobs: () => jobs.filter(({ data }) => "digestId" in data),
      async run(signal = open) {
        while (jobs.length > 0) await deliver(jobs.shift()!.data, signal, options);
      },
      deliveriesOf: (channel: Channel) => records.find("delivery", { channel_id: channel.id }),
    };
  };
  const alertsIn = ({ message }: Sent) =>
    message.alerts?.map(({ alertId }) => alertId) ?? [message.alertId];

  test("a user who lost access to an alert gets none of its queued messages, neither separately nor in a digest", async () => {
    const world = await openWorld();
    const channel = await world.makeChannel();
    const other = await world.makeUser();
    await catalog.knex("channel_user").insert({ channel_id: channel.id, user_id: other });
    await world.record(5, [channel], { by: other });
    const kept = await world.record(2, [channel]);
    await records.change("user", other, { feature_overrides: ["!flag_alerting"] });
    await world.run();
    const told = world.sent.flatMap(alertsIn);
    assert.equal(told.toSorted(), kept.map(({ id }) => id).toSorted());
    const ended = await world.deliveriesOf(channel);
    const failed = ended.filter(({ outcome }) => outcome === "failed");
    assert.is(failed.length, 5);
    for (const { problem } of failed) assert.match(String(problem), "!flag_alerting");
  });

  test("a channel with many alerts sends the first messages separately and the rest in one digest", async () => {
    const world = await openWorld();
    const hook = await world.makeChannel();
    const mail = await world.makeChannel("email", ["a@example.org", "b@example.org"]);
    const first = await world.record(10, [hook, mail]);
    const second = await world.record(4, [hook, mail]);
    assert.is(world.jobs.length, 3 * 3 + 3, "the second evaluations join the open digest");
    for (const { startAfter } of world.digestJobs())
      assert.ok(startAfter!.getTime() > Date.now() + 50_000);
    await world.run();
    const ids = [...first, ...second].map(({ id }) => id).toSorted();
    for (const recipient of [null, "a@example.org", "b@example.org"]) {
      const own = world.sent.filter((each) => each.recipient === recipient);
      assert.is(own.length, 4);
      assert.equal(own.flatMap(alertsIn).toSorted(), ids, "each alert once");
    }
    const digest = world.sent.find(({ message: { kind } }) => kind === "digest")!;
    assert.equal([digest.message.rowCount, digest.message.noticeCounts], [11, { firing: 11 }]);
    const { body } = renderMessage("webhook", digest.message, {}) as { body: object };
    const { type, data } = webhookEvent(body);
    assert.equal([type, data["alert_count"]], ["digest", 11]);
    const { subject, text } = renderMessage("email", digest.message, {}) as {
      subject: string;
      text: string;
    };
    assert.is(subject, "11 alerts: Ours");
    assert.match(text, `https://example.org/alerts/${String(digest.message.alerts?.[0]?.alertId)}`);
    for (const row of await world.deliveriesOf(hook)) {
      assert.equal([row.outcome, row.attempts, row.message], ["delivered", 1, null]);
    }
    const alone = (await world.deliveriesOf(hook)).filter(({ digest_id }) => digest_id === null);
    assert.is(alone.length, 3);
    // A later evaluation starts a new digest.
    await world.record(1, [hook]);
    assert.is(world.digestJobs().length, 1);
    await world.run();
    assert.is(new Set(world.sent.map(({ id }) => id)).size, world.sent.length);
  });

  test("the number of SQL statements does not grow with the number of alerts", async () => {
    const world = await openWorld();
    const channels = [await world.makeChannel(), await world.makeChannel()];
    let count = 0;
    const onQuery = () => count++;
    const countOf = async (alerts: number) => {
      count = 0;
      catalog.transactions.on("query", onQuery);
      await world.record(alerts, channels);
      catalog.transactions.off("query", onQuery);
      return count;
    };
    await countOf(10);
    const [few, many] = [await countOf(10), await countOf(60)];
    assert.is(many, few);
  });

  test("an undeliverable digest is retried with the same id and then listed as failed, and can be sent again", async () => {
    let answer: Attempt = later;
    const world = await openWorld(() => answer);
    const channel = await world.makeChannel();
    await world.record(6, [channel]);
    const { data } = world.digestJobs()[0]!;
    const { digestId } = data as { digestId: string };
    await deliver(data, open, world.options);
    const members = async () =>
      (await world.deliveriesOf(channel)).filter(({ digest_id }) => digest_id === digestId);
    for (const { outcome, attempts, problem, next_attempt_at } of await members()) {
      assert.equal([outcome, attempts, problem], ["waiting", 1, later.problem]);
      assert.ok(next_attempt_at);
    }
    assert.equal(world.jobs.at(-1)?.data, { digestId });
    answer = { outcome: "refused", problem: "the address returned status 404" };
    await deliver(data, open, world.options);
    const failed = await members();
    assert.equal(
      failed.map(({ outcome, attempts }) => [outcome, attempts]),
      Array.from({ length: 3 }, () => ["failed", 2]),
    );
    // Resending this digest does not resend the alert of the other user in it.
    const other = await world.makeUser();
    const [kept] = failed;
    await catalog
      .knex("alert")
      .whereRaw("id = (select alert_id from alertevent where id = ?)", [kept!.alertevent_id])
      .update({ user_id: other });
    await catalog.knex("alertevent").where({ id: kept!.alertevent_id }).update({ user_id: other });
    const again: NewJob[] = [];
    const resend = (id: string) =>
      resendDelivery(
        {
          body: { id },
          principal: { ...principalOf(world.userId), organizationId: randomUUID() },
          signal: open,
        } as never,
        {
          ...world.options,
          cipher: catalog.cipher,
          addDeliveryJobs: async (jobs: readonly NewJob[]) => void again.push(...jobs),
        } as never,
      );
    await resend(failed[1]!.id);
    assert.equal(
      again.map((job) => job.data),
      [{ digestId }],
    );
    answer = done;
    await deliver(again[0]!.data, open, world.options);
    const ended = new Map((await members()).map((row) => [row.id, row.outcome]));
    assert.equal(
      failed.map(({ id }) => ended.get(id)),
      ["failed", "delivered", "delivered"],
    );
    const refusal = await resend(failed[1]!.id).catch((failure: Error) => failure.message);
    assert.match(String(refusal), /has not failed/);
    const absent = await resend(kept!.id).catch((failure: { code: string }) => failure.code);
    assert.is(absent, "RECORD_NOT_FOUND");
    assert.equal([...new Set(world.sent.map(({ id }) => id))], [digestId]);
    assert.equal(world.sent.at(-1)?.message.rowCount, 2);
  });

  test("deleted alerts are removed from their digest, and a digest without alerts is not sent", async () => {
    const world = await openWorld();
    const channel = await world.makeChannel();
    const alerts = await world.record(5, [channel]);
    await catalog.knex("alert").where({ id: alerts[3]!.id }).delete();
    const [job] = world.digestJobs();
    await deliver(job!.data, open, world.options);
    assert.equal(alertsIn(world.sent[0]!), [alerts[4]!.id]);
    const second = await world.record(2, [channel]);
    await catalog
      .knex("alert")
      .whereIn(
        "id",
        second.map(({ id }) => id),
      )
      .delete();
    await deliver(world.digestJobs().at(-1)!.data, open, world.options);
    assert.is(world.sent.length, 1);
    await catalog.knex("delivery").where({ channel_id: channel.id }).delete();
    await removeOld(catalog.knex, new Date(Date.now() + 60_000), open);
    assert.equal(await catalog.knex("digest").where({ channel_id: channel.id }), []);
  });

  test("hosts that record and send alerts concurrently lose no alert and send no alert twice", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const world = await openWorld();
      const channels = [await world.makeChannel(), await world.makeChannel()];
      const made: string[] = [];
      const hosts = Array.from({ length: 3 }, async () => {
        for (let round = 0; round < rounds({ quick: 6, deep: 60 }); round++) {
          const some = random.pick([channels, channels.slice(0, 1), channels.slice(1)]);
          const alerts = await world.record(1 + random.below(5), some);
          made.push(...alerts.flatMap(({ id }) => some.map((channel) => `${channel.id} ${id}`)));
          if (random.chance(0.6))
            for (const { data } of world.jobs.splice(0, 1 + random.below(3)))
              await deliver(data, open, world.options);
        }
      });
      await Promise.all(hosts);
      await world.run();
      const rows = (await Promise.all(channels.map(world.deliveriesOf))).flat();
      assert.ok(rows.every(({ outcome }) => outcome === "delivered"));
      assert.is(rows.length, made.length);
      // A digest names its alerts but not its channel, so every alert is expected once per channel.
      assert.equal(
        world.sent.flatMap(alertsIn).toSorted(),
        made.map((each) => each.split(" ")[1]).toSorted(),
      );
      assert.ok(world.sent.length < made.length, `${world.sent.length} of ${made.length}`);
    });
  });
});
