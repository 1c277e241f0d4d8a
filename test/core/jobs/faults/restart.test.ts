import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { ensureOwner } from "../../../../core/identity/access/index.ts";
import { createCipher, openCatalog, type Catalog } from "../../../../core/catalog/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openHttpSink, type HttpSink } from "../../../support/httpSink.ts";
import { openOwnPostgres, type OwnPostgres } from "../../../support/ownPostgres.ts";
import { suite } from "../../../support/suite.ts";
import { silentLog } from "../../../support/testServer.ts";
import { secret } from "./faultSteps.ts";

const alertCount = 40;
const killCount = 3;

suite("core/jobs/faults/restart", (test) => {
  let postgres: OwnPostgres;
  let catalog: Catalog;
  let sink: HttpSink;
  const children = new Set<ChildProcess>();
  test.after(async () => {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all([...children].map((child) => once(child, "exit")));
    await sink?.close();
    await catalog?.close();
    await postgres?.close();
  });

  const start = async (databaseUrl: string) => {
    const file = fileURLToPath(new URL("./jobsProcess.ts", import.meta.url));
    const child = fork(file, [databaseUrl, "smtp://127.0.0.1:9"]);
    children.add(child);
    child.once("exit", () => children.delete(child));
    const [said] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [unknown];
    assert.is(said, "ready", "the process of the jobs did not start");
    return child;
  };
  /** Repeats a query while the server is down. */
  const steadily = async <Result>(sendQuery: () => PromiseLike<Result>): Promise<Result> => {
    for (;;)
      try {
        return await sendQuery();
      } catch {
        await sleep(100);
      }
  };

  test.deep(
    "killing PostgreSQL during evaluations and deliveries neither loses nor repeats a message",
    async () => {
      postgres = await openOwnPostgres();
      const { user, password, port } = postgres;
      const databaseUrl = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
      const cipher = createCipher(secret);
      catalog = await openCatalog({ databaseUrl, dataDir: tmpdir(), log: silentLog });
      const records = openRecords({ catalog, cipher });
      await ensureOwner({ records, key: undefined, token: undefined });
      sink = await openHttpSink();
      const { knex } = catalog;
      const [owner] = await records.find("user", {});
      const user_id = String(owner?.id);
      const channel = await records.insert("channel", {
        name: { en: "hook" },
        type: "webhook",
        config: { url: sink.url },
        user_id,
      });
      for (let index = 0; index < alertCount; index++) {
        const schedule = await records.insert("schedule", {
          frequency_unit: "year",
          frequency_quantity: 1,
          timezone: "UTC",
          started_at: new Date(Date.now() - 86_400_000),
          task: "alert",
          user_id,
        });
        const alert = await records.insert("alert", {
          name: { en: `alert ${index}` },
          query: {},
          frequency: { unit: "year", quantity: 1 },
          schedule_id: schedule.id,
          user_id,
        });
        await knex("alert_channel").insert({ alert_id: alert.id, channel_id: channel.id });
      }
      const hosts = await Promise.all([start(databaseUrl), start(databaseUrl)]);
      const eventCount = async () => (await knex("alertevent")).length;
      let slotMs = Math.floor(Date.now() / 60_000) * 60_000 - 40 * 86_400_000;
      const slots: number[] = [];
      for (let round = 0; round < killCount; round++) {
        slots.push((slotMs += 60_000));
        const before = await steadily(eventCount);
        await steadily(() =>
          knex("schedule").update({
            scheduled_at: new Date(slotMs),
            started_at: new Date(slotMs),
          }),
        );
        // Some evaluations are recorded by now and some are not.
        while ((await steadily(eventCount)) === before) await sleep(20);
        await postgres.kill();
        await postgres.ready();
        const left = () =>
          knex.raw(
            `select (select count(*) from schedule where scheduled_at <= now())::int
                  + (select count(*) from jobs.job where state < 'completed')::int
                  + (select count(*) from delivery where outcome = 'waiting')::int as left`,
          );
        while ((await steadily(left)).rows[0].left > 0) {
          // The test makes retries and lost jobs due instead of waiting for them. Lost jobs send no heartbeat, whereas
          // running jobs send one every three seconds.
          await steadily(() =>
            knex.raw("update jobs.job set start_after = now() where state < 'active'"),
          );
          await steadily(() =>
            knex.raw(
              `update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute'
                where state = 'active' and heartbeat_on < now() - interval '5 seconds'`,
            ),
          );
          await steadily(() =>
            knex("delivery").where({ outcome: "waiting" }).update({ next_attempt_at: null }),
          );
          await sleep(200);
        }
      }
      const failed = await knex.raw("select output from jobs.job where state = 'failed'");
      assert.equal(failed.rows, []);
      const events: { id: string; alert_id: string; slot_at: Date; outcome: string }[] = await knex(
        "alertevent",
      ).select("id", "alert_id", "slot_at", "outcome");
      const keys = events.map(({ alert_id, slot_at }) => `${alert_id} ${slot_at.getTime()}`);
      assert.equal([keys.length, new Set(keys).size], [alertCount * slots.length, keys.length]);
      assert.equal(
        [...new Set(events.map(({ slot_at }) => slot_at.getTime()))].toSorted(),
        slots.toSorted(),
      );
      assert.ok(events.every(({ outcome }) => outcome === "answered"));
      const deliveries: { id: string; outcome: string }[] = await knex("delivery").select(
        "id",
        "outcome",
      );
      assert.is(deliveries.length, events.length);
      assert.ok(deliveries.every(({ outcome }) => outcome === "delivered"));
      assert.equal(
        new Set(sink.calls.map(({ headers }) => headers["webhook-id"])),
        new Set(deliveries.map(({ id }) => id)),
      );
      for (const host of hosts) {
        host.send("close");
        assert.equal((await once(host, "exit"))[0], 0);
      }
    },
  );
});
