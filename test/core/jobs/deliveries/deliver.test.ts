import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import type { Records, ResourceRow } from "../../../../core/base/contracts/index.ts";
import { mostFailures } from "../../../../core/jobs/deliveries/breaker.ts";
import { addDeliveries } from "../../../../core/jobs/deliveries/addDeliveries.ts";
import { deliver, type DeliverOptions } from "../../../../core/jobs/deliveries/deliver.ts";
import type { Attempt } from "../../../../core/jobs/deliveries/driver.ts";
import { planAttempt } from "../../../../core/jobs/deliveries/planAttempt.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { sampleMessage } from "../../../support/sampleMessage.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const dayMs = 86_400_000;

suite("core/jobs/deliveries/deliver", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
  });
  test.after(() => catalog.close());

  type Answer = (channelId: string | undefined, atMs: number) => Attempt | Error;
  interface Sent {
    readonly channelId: string | undefined;
    readonly deliveryId: string;
    readonly kind: string;
    readonly failedChannelId: string | undefined;
    readonly link: string | undefined;
    readonly atMs: number;
  }

  /**
   * Deliveries with a test clock and a queue. Jobs run when they are due, and `answer` returns the outcome of each
   * attempt.
   */
  const openWorld = async (answer: Answer) => {
    const email = `${randomUUID()}@example.org`;
    const { id: userId } = await records.insert("user", { name: "Ada", email });
    let nowMs = Date.now();
    const waiting: { readonly deliveryId: string; readonly atMs: number }[] = [];
    const sent: Sent[] = [];
    const options: DeliverOptions = {
      records,
      knex: catalog.transactions,
      log: silentLog,
      publicUrl: () => "https://example.org",
      hasMail: true,
      now: () => nowMs,
      async addJobs(jobs) {
        for (const { data, startAfter } of jobs) {
          const { deliveryId } = data as { readonly deliveryId: string };
          waiting.push({ deliveryId, atMs: startAfter?.getTime() ?? nowMs });
        }
      },
      async send({ id, message }, channel) {
        const { kind, failedChannelId, link } = message;
        sent.push({
          channelId: channel?.id,
          deliveryId: id,
          kind,
          failedChannelId,
          link,
          atMs: nowMs,
        });
        const met = answer(channel?.id, nowMs);
        if (met instanceof Error) throw met;
        return met;
      },
    };
    const makeChannel = (values: object = {}) =>
      records.insert("channel", {
        type: "webhook",
        config: { url: "x" },
        user_id: userId,
        ...values,
      });
    return {
      sent,
      waiting,
      makeChannel,
      email,
      now: () => nowMs,
      channel: async (id: string): Promise<ResourceRow<"channel">> =>
        (await records.find("channel", { id }))[0]!,
      delivery: async (id: string): Promise<ResourceRow<"delivery">> =>
        (await records.find("delivery", { id }))[0]!,
      add: (channel: ResourceRow<"channel">) =>
        records.transaction(async (transaction) => {
          const added = { alertEventId: null, channels: [channel], message: sampleMessage };
          const jobs = await addDeliveries(records, [added], transaction);
          await options.addJobs(jobs, transaction);
          return jobs.map(({ data }) => (data as { deliveryId: string }).deliveryId);
        }),
      /** Runs the jobs that are due up to a time, in the order of their due times. */
      async runUntil(untilMs: number) {
        for (;;) {
          const [next] = waiting.toSorted((one, other) => one.atMs - other.atMs);
          if (!next || next.atMs > untilMs) break;
          waiting.splice(waiting.indexOf(next), 1);
          nowMs = Math.max(nowMs, next.atMs);
          await deliver(next, new AbortController().signal, options);
        }
        nowMs = untilMs;
      },
      async abort(deliveryId: string) {
        const gone = AbortSignal.abort(new Error("the host closes"));
        await deliver({ deliveryId }, gone, options);
      },
    };
  };
  const later: Attempt = { outcome: "later", problem: "the address returned status 503" };
  const done: Attempt = { outcome: "delivered" };

  test("an undeliverable message is retried for about a day at growing intervals and then listed as failed", async () => {
    const world = await openWorld(() => later);
    const channel = await world.makeChannel();
    const [id = ""] = await world.add(channel);
    const startMs = world.now();
    await world.runUntil(startMs + 3 * dayMs);
    const own = world.sent.filter(({ channelId }) => channelId === channel.id);
    const row = await world.delivery(id);
    assert.equal([row.outcome, row.attempts, row.problem], ["failed", 11, later.problem]);
    assert.ok(row.message !== null, "it can be sent again");
    assert.is(own.length, 11);
    const hours = ((own.at(-1)?.atMs ?? 0) - startMs) / 3_600_000;
    assert.ok(hours > 20 && hours < 40, `${hours} hours`);
    assert.is((await world.channel(channel.id)).disabled_reason, null);
  });

  test("retry delays have jitter and last at least as long as the server requests, up to a day", () => {
    assert.equal([planAttempt(1, 0, () => 0), planAttempt(1, 0, () => 1)], [10, 12.5]);
    assert.is(
      planAttempt(1, 90, () => 0),
      90,
    );
    assert.is(planAttempt(11), undefined);
    assert.is(planAttempt(1, 90_000), undefined);
  });

  test("after repeated failures, a channel tries one message at a time until it delivers one", async () => {
    let isDown = true;
    const world = await openWorld(() => (isDown ? later : done));
    const channel = await world.makeChannel();
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) ids.push(...(await world.add(channel)));
    const startMs = world.now();
    await world.runUntil(startMs + 40 * 60_000);
    const tried = world.sent.filter(({ channelId }) => channelId === channel.id);
    // Without the circuit breaker, the 12 messages would make 60 attempts in this time.
    assert.ok(tried.length >= mostFailures && tried.length < 25, `${tried.length} attempts`);
    assert.ok((await world.channel(channel.id)).paused_until !== null);
    isDown = false;
    await world.runUntil(startMs + dayMs);
    for (const id of ids) assert.is((await world.delivery(id)).outcome, "delivered");
    const { failures, paused_until } = await world.channel(channel.id);
    assert.equal([failures, paused_until], [0, null]);
  });

  test("the owner of a failing channel is notified once, over another channel or by mail", async () => {
    const broken = new Set<string>();
    const world = await openWorld((id) => (id !== undefined && broken.has(id) ? later : done));
    const channel = await world.makeChannel({ name: { en: "Ours" } });
    broken.add(channel.id);
    for (let count = 0; count < mostFailures + 1; count++) await world.add(channel);
    await world.runUntil(world.now() + 3_600_000);
    const told = () => world.sent.filter(({ kind }) => kind === "channel");
    assert.equal(
      told().map(({ channelId }) => channelId),
      [undefined],
      "at the user's address",
    );
    const { recipient, user_id } = await world.delivery(told()[0]?.deliveryId ?? "");
    assert.equal([recipient, user_id], [world.email, channel.user_id]);
    assert.match(told()[0]?.link ?? "", /\/alerts\?tab=channels$/);
    const other = await world.makeChannel({ type: "slack" });
    const second = await world.makeChannel();
    broken.add(second.id);
    for (let count = 0; count < 6; count++) await world.add(second);
    await world.runUntil(world.now() + 3_600_000);
    assert.equal(
      told().map(({ channelId }) => channelId),
      [undefined, other.id],
    );
    broken.add(other.id);
    await world.runUntil(world.now() + rounds({ quick: 3_600_000, deep: 2 * dayMs }));
    const lastMs = new Map<unknown, number>();
    const firstTries = new Map(
      told()
        .toReversed()
        .map((each) => [each.deliveryId, each]),
    );
    for (const { failedChannelId, atMs } of [...firstTries.values()].toReversed()) {
      const beforeMs = lastMs.get(failedChannelId) ?? -Infinity;
      assert.ok(atMs - beforeMs >= dayMs, "a channel is reported at most once a day");
      lastMs.set(failedChannelId, atMs);
    }
    assert.ok(!lastMs.has(other.id), "no message for the owner failed the channel five times");
  });

  test("a 410 response disables the channel, and its waiting messages fail without another attempt", async () => {
    const gone: Attempt = {
      outcome: "refused",
      problem: "the address returned status 410",
      disables: true,
    };
    const world = await openWorld(() => gone);
    const channel = await world.makeChannel();
    const [first = "", second = ""] = [await world.add(channel), await world.add(channel)].flat();
    await world.runUntil(world.now());
    assert.is((await world.channel(channel.id)).disabled_reason, gone.problem);
    for (const id of [first, second]) assert.is((await world.delivery(id)).outcome, "failed");
    assert.is(world.sent.filter(({ channelId }) => channelId === channel.id).length, 1);
  });

  test("a message is retried if its channel's driver throws, and an attempt that a shutdown aborts does not count", async () => {
    const world = await openWorld(() => new Error("a fault of ours with a secret in it"));
    const channel = await world.makeChannel();
    const [id = ""] = await world.add(channel);
    const failure = await world.abort(id).catch((reason: Error) => reason.message);
    assert.is(failure, "the host closes");
    assert.equal((await world.delivery(id)).attempts, 0);
    await world.runUntil(world.now());
    const { attempts, outcome, problem } = await world.delivery(id);
    assert.equal([attempts, outcome], [1, "waiting"]);
    assert.not.match(problem ?? "", /secret/);
  });
});
