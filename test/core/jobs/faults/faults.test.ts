import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SMTPServer } from "smtp-server";
import * as assert from "uvu/assert";
import { createCipher } from "../../../../core/catalog/index.ts";
import { ensureOwner } from "../../../../core/identity/access/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import type { Records } from "../../../../core/base/contracts/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { type Order, secret, steps } from "./faultSteps.ts";

/** A message that a sink received. */
interface Taken {
  readonly id: string;
  readonly medium: "http" | "smtp";
}

const alertCount = 6;

suite("core/jobs/faults", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  const taken: Taken[] = [];
  /** Kills a process after a sink has received a message, before the sink answers. */
  let killAtSink: (() => void) | undefined;
  const take = (each: Taken) => {
    taken.push(each);
    killAtSink?.();
    killAtSink = undefined;
  };
  const http = createServer((request, response) => {
    request.resume().on("end", () => {
      take({ id: String(request.headers["webhook-id"]), medium: "http" });
      response.writeHead(204).end();
    });
  });
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const id = /^Message-ID: <([^@>]+)@/im.exec(Buffer.concat(parts).toString())?.[1];
        take({ id: String(id), medium: "smtp" });
        done();
      });
    },
  });
  const alertIds: string[] = [];
  const children = new Set<ChildProcess>();
  /** Folder with the cache of compiled modules. With it, replacing a killed process takes a third of the time. */
  const compiledDir = mkdtempSync(join(tmpdir(), "manifold-compiled-"));
  let smtpUrl = "";

  test.before(async () => {
    catalog = await openTestCatalog();
    const cipher = createCipher(secret);
    records = openRecords({ catalog, cipher });
    await ensureOwner({ records, key: undefined, token: undefined });
    for (const listen of [http, smtp.server]) {
      const listening = once(listen, "listening");
      listen.listen(0, "127.0.0.1");
      await listening;
    }
    // In some tests, a host is killed while it sends, which breaks the connection.
    smtp.on("error", () => undefined);
    const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
    smtpUrl = `smtp://127.0.0.1:${portOf(smtp.server)}`;
    const [user] = await records.find("user", {});
    const userId = String(user?.id);
    const channels = await records.insertMany("channel", [
      {
        name: { en: "hook" },
        type: "webhook",
        config: { url: `http://127.0.0.1:${portOf(http)}/`, secret: "a secret of the hook" },
        user_id: userId,
      },
      {
        name: { en: "mail" },
        type: "email",
        config: { recipients: [{ email: "ada@example.org" }] },
        user_id: userId,
      },
    ]);
    for (let index = 0; index < alertCount; index++) {
      const schedule = await records.insert("schedule", {
        // During the test, no slot becomes due unless the test makes it due.
        frequency_unit: "year",
        frequency_quantity: 1,
        timezone: "UTC",
        started_at: new Date(Date.now() - 86_400_000),
        task: "alert",
        user_id: userId,
      });
      const alert = await records.insert("alert", {
        name: { en: `alert ${index}` },
        query: {},
        frequency: { unit: "hour", quantity: 1 },
        schedule_id: schedule.id,
        user_id: userId,
      });
      alertIds.push(alert.id);
      await catalog
        .knex("alert_channel")
        .insert(channels.map(({ id }) => ({ alert_id: alert.id, channel_id: id })));
    }
  });
  test.after(async () => {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all([...children].map((child) => once(child, "exit")));
    await new Promise<void>((resolve) => smtp.close(resolve));
    http.closeAllConnections();
    await new Promise<void>((resolve) => http.close(() => resolve()));
    await catalog.close();
    rmSync(compiledDir, { recursive: true, force: true });
  });

  const start = async (): Promise<ChildProcess> => {
    const child = fork(
      fileURLToPath(new URL("./jobsProcess.ts", import.meta.url)),
      [catalog.databaseUrl, smtpUrl, "3"],
      { env: { ...process.env, NODE_COMPILE_CACHE: compiledDir } },
    );
    children.add(child);
    child.once("exit", () => children.delete(child));
    const [said] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [unknown];
    assert.is(said, "ready", "the process of the jobs did not start");
    return child;
  };
  const close = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.send("close");
    const [status] = (await once(child, "exit")) as [number | null];
    assert.is(status, 0, "a closing process stops cleanly");
  };
  let slotMs = Math.floor(Date.now() / 60_000) * 60_000 - 40 * 86_400_000;
  /** Makes every alert due for the same new slot, and returns the slot. */
  const makeDue = async (): Promise<number> => {
    // The previous slot must not be replaced before a host has claimed it.
    const left = () => catalog.knex("schedule").where("scheduled_at", "<=", catalog.knex.fn.now());
    while ((await left()).length > 0) await sleep(50);
    slotMs += 60_000;
    await catalog
      .knex("schedule")
      .update({ scheduled_at: new Date(slotMs), started_at: new Date(slotMs) });
    return slotMs;
  };
  /**
   * Makes all running jobs appear one minute old, so that the jobs of killed hosts run again, and some jobs run twice.
   */
  const age = () =>
    catalog.knex.raw(
      "update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'",
    );
  const isSettled = async (): Promise<boolean> => {
    const { rows } = await catalog.knex.raw(
      `select (select count(*) from schedule where scheduled_at <= now())::int
            + (select count(*) from jobs.job where state < 'completed')::int
            + (select count(*) from delivery where outcome = 'waiting')::int as left`,
    );
    return rows[0].left === 0;
  };
  const untilSettled = async () => {
    const giveUpAt = Date.now() + 90_000;
    while (!(await isSettled())) {
      if (Date.now() > giveUpAt) {
        const { rows } = await catalog.knex.raw(
          "select name, state, retry_count, start_after - now() as after, output from jobs.job where state < 'completed'",
        );
        throw new Error(`work is left: ${JSON.stringify(rows.slice(0, 5))}`);
      }
      await age();
      // Retries would wait for seconds. The test skips these waits.
      await catalog.knex.raw("update jobs.job set start_after = now() where state < 'active'");
      await catalog
        .knex("delivery")
        .where({ outcome: "waiting" })
        .update({ next_attempt_at: null });
      await sleep(150);
    }
  };
  /**
   * Checks that every slot is recorded once with both deliveries. Also checks that every sink received each message,
   * separately or in a digest, and nothing else.
   */
  const checkAll = async (slots: readonly number[]) => {
    const events: { alert_id: string; slot_at: Date; outcome: string; id: string }[] = await catalog
      .knex("alertevent")
      .select("id", "alert_id", "slot_at", "outcome");
    const expected = alertIds.flatMap((id) => slots.map((slot) => `${id} ${slot}`)).toSorted();
    assert.equal(events.map((e) => `${e.alert_id} ${e.slot_at.getTime()}`).toSorted(), expected);
    assert.ok(events.every(({ outcome }) => outcome === "answered"));
    const deliveries: {
      id: string;
      digest_id: string | null;
      channel_id: string;
      outcome: string;
    }[] = await catalog.knex("delivery").select("id", "digest_id", "channel_id", "outcome");
    assert.is(deliveries.length, 2 * events.length);
    assert.equal([...new Set(deliveries.map(({ outcome }) => outcome))], ["delivered"]);
    for (const own of Map.groupBy(deliveries, ({ channel_id }) => channel_id).values()) {
      assert.is(own.length, events.length);
      const medium = taken.find(({ id }) => own.some((each) => wireId(each) === id))?.medium;
      const arrived = taken.filter((each) => each.medium === medium).map(({ id }) => id);
      assert.equal(new Set(arrived), new Set(own.map(wireId)), medium);
    }
    assert.ok(deliveries.some(({ digest_id }) => digest_id === null));
    assert.ok(deliveries.some(({ digest_id }) => digest_id !== null));
  };

  /** Returns the id under which a delivery was sent: the id of its digest, or else its own id. */
  const wireId = ({ id, digest_id }: { readonly id: string; readonly digest_id: string | null }) =>
    digest_id ?? id;

  /** Kills one of two processes at a step while all alerts are due. */
  const killAt = async (
    step: Order["step"],
    hosts: ChildProcess[],
    random: Random,
  ): Promise<number> => {
    const place = random.below(hosts.length);
    const victim = hosts[place]!;
    const order: Order = { step, after: random.below(3) };
    const died = once(victim, "exit");
    if (step === "sent") killAtSink = () => void victim.kill("SIGKILL");
    else victim.send(order);
    const slot = await makeDue();
    // The other process may have done all the work before this process reached the step.
    const isDead = await Promise.race([died.then(() => true), sleep(3_000, false)]);
    killAtSink = undefined;
    if (!isDead) {
      victim.kill("SIGKILL");
      await died;
    }
    hosts[place] = await start();
    return slot;
  };

  const roundCount = rounds({ quick: 20, deep: 20, soak: 200 });
  /** Number of rounds per test. */
  const partCount = 20;
  /** The slots of all tests so far. Later tests check these slots again. */
  const slots: number[] = [];

  for (let first = 0; first < roundCount; first += partCount) {
    const last = Math.min(roundCount, first + partCount);
    const which = roundCount > partCount ? ` (rounds ${first + 1} to ${last})` : "";
    test.deep(
      `wherever a host dies, each slot is recorded once and each message arrives under one id${which}`,
      async () => {
        const random = createRandom();
        await withSeed(random, async () => {
          const hosts = await Promise.all([start(), start()]);
          const begin = random.below(steps.length);
          for (let round = first; round < last; round++) {
            slots.push(await killAt(steps[(begin + round) % steps.length]!, hosts, random));
            await age();
          }
          await untilSettled();
          await checkAll(slots);
          await Promise.all(hosts.map(close));
        });
      },
    );
  }

  test.deep(
    "setting the clock forward or back by an hour neither repeats nor skips a slot",
    async () => {
      const hosts = await Promise.all([start(), start()]);
      const hourMs = 3_600_000;
      const minute = Math.floor(Date.now() / 60_000) * 60_000;
      const [anchorMs, dueMs] = [minute - hourMs / 2, minute + hourMs / 2];
      await catalog.knex("schedule").update({
        frequency_unit: "hour",
        started_at: new Date(anchorMs),
        scheduled_at: new Date(dueMs),
      });
      const set = async (aheadMs: number) => {
        for (const host of hosts) {
          const done = once(host, "message");
          host.send({ aheadMs });
          await done;
        }
      };
      const due = async (): Promise<readonly number[]> => {
        const rows: { scheduled_at: Date }[] = await catalog
          .knex("schedule")
          .select("scheduled_at");
        return [...new Set(rows.map(({ scheduled_at }) => scheduled_at.getTime()))];
      };
      for (const aheadMs of [0, -hourMs]) {
        await set(aheadMs);
        assert.equal(await due(), [dueMs], "nothing is due yet");
      }
      await set(hourMs);
      slots.push(dueMs);
      // The queue uses the catalog's clock, so the test starts its jobs itself.
      await untilSettled();
      await checkAll(slots);
      for (const aheadMs of [0, hourMs, -hourMs, hourMs, 0]) {
        await set(aheadMs);
        assert.equal(await due(), [dueMs + hourMs], "each schedule advanced once");
      }
      await untilSettled();
      await checkAll(slots);
      await Promise.all(hosts.map(close));
    },
  );

  test.deep(
    "two hosts with clocks a minute apart evaluate each slot once, whichever clock is ahead",
    async () => {
      const hosts = await Promise.all([start(), start()]);
      const [minuteMs, hourMs] = [60_000, 3_600_000];
      for (const [index, ahead] of hosts.entries()) {
        for (const host of hosts) {
          const done = once(host, "message");
          host.send({ aheadMs: host === ahead ? minuteMs : 0 });
          await done;
        }
        // By the clock of one host this slot is due now, and by the clock of the other host it is due in half a minute.
        const dueMs = Math.floor(Date.now() / 1000) * 1000 + minuteMs / 2 + index * 5_000;
        await catalog.knex("schedule").update({
          frequency_unit: "hour",
          started_at: new Date(dueMs - hourMs),
          scheduled_at: new Date(dueMs),
        });
        slots.push(dueMs);
        const isLeft = () =>
          catalog.knex("schedule").where("scheduled_at", new Date(dueMs)).first();
        while (await isLeft()) await sleep(50);
        await untilSettled();
        await checkAll(slots);
        const next = await catalog.knex("schedule").distinct("scheduled_at");
        assert.equal(
          next.map(({ scheduled_at: at }) => Number(at)),
          [dueMs + hourMs],
        );
      }
      await Promise.all(hosts.map(close));
    },
  );

  test.deep(
    "after a day without evaluations, each alert fires for only one of its missed slots, and memory stays limited",
    async () => {
      const count = rounds({ quick: 3_000, deep: 3_000, soak: 100_000 });
      const { knex } = catalog;
      const dayMs = 86_400_000;
      const minute = Math.floor(Date.now() / 60_000) * 60_000;
      // The alerts are due every quarter of an hour, so each of them has missed 96 slots.
      const [anchorMs, dueMs] = [minute - 3 * dayMs, minute - dayMs];
      await knex.raw(
        `with alerts as (
           insert into alert (id, name, query, frequency, schedule_id, user_id, created_at, updated_at)
           select gen_random_uuid(), '{"en": "many"}', '{}', '{"unit": "minute", "quantity": 15}', gen_random_uuid(), user_id,
                  now(), now()
             from (select user_id from alert limit 1) u, generate_series(1, ?) returning schedule_id, user_id)
         insert into schedule (id, frequency_unit, frequency_quantity, timezone, started_at, scheduled_at, task, user_id,
                               active, retries, created_at, updated_at)
         select schedule_id, 'minute', 15, 'UTC', ?, ?, 'alert', user_id, true, 0, now(), now() from alerts`,
        [count, new Date(anchorMs), new Date(dueMs)],
      );
      const hosts = await Promise.all([start(), start()]);
      let mostBytes = 0;
      for (const host of hosts)
        host.on("message", (said: { readonly residentBytes?: number }) => {
          mostBytes = Math.max(mostBytes, said.residentBytes ?? 0);
        });
      const left = async () => {
        const { rows } = await knex.raw(
          `select (select count(*) from schedule where scheduled_at <= now())::int
                + (select count(*) from jobs.job where state < 'completed')::int as left`,
        );
        return rows[0].left as number;
      };
      while ((await left()) > 0) {
        for (const host of hosts) host.send("memory");
        await sleep(300);
      }
      const { rows } = await knex.raw(
        `select count(*)::int as events, count(distinct e.alert_id)::int as alerts,
                min(e.slot_at) as first, max(e.slot_at) as last,
                (select min(scheduled_at) from schedule s join alert a on a.schedule_id = s.id
                  where a.name ->> 'en' = 'many') as next
           from alertevent e join alert a on a.id = e.alert_id where a.name ->> 'en' = 'many'`,
      );
      const [found] = rows as {
        events: number;
        alerts: number;
        first: Date;
        last: Date;
        next: Date;
      }[];
      assert.equal([found?.events, found?.alerts], [count, count]);
      assert.equal([found?.first.getTime(), found?.last.getTime()], [dueMs, dueMs]);
      assert.ok((found?.next.getTime() ?? 0) > Date.now(), "the next slot is in the future");
      assert.ok(mostBytes < 400 * 2 ** 20, `a host held ${Math.round(mostBytes / 2 ** 20)} MiB`);
      await Promise.all(hosts.map(close));
      await knex("alert").whereRaw("name ->> 'en' = 'many'").delete();
    },
  );
});
