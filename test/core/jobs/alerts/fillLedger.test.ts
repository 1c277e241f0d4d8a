import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

/** One row per day for twenty days. The amount is the day of the month. */
const rows = Array.from({ length: 20 }, (_, index) => [
  new Date(Date.UTC(2001, 0, 1 + index)).toISOString().slice(0, 10),
  index + 1,
]);
const [fromMs, toMs] = [Date.UTC(2001, 0, 8), Date.UTC(2001, 0, 16)];

suite("core/jobs/alerts/fillLedger", (test) => {
  let host: Host;
  let client: Client;
  let alertId: string;
  test.before(async () => {
    host = await openTestHost();
    client = createClient({ url: host.url, ...(host.madeCredentials ?? { key: "", token: "" }) });
    const made = await client.create<{ rows: { id: string; columns: { id: string }[] }[] }>(
      "data",
      {
        type: "create",
        data: rows,
        options: { header: ["day", "amount"], name: { en: "Days" } },
      },
    );
    const [{ id: dataset_id, columns } = { id: "", columns: [] }] = made.rows;
    const [day, amount] = columns.map(({ id: column_id }) => ({ dataset_id, column_id }));
    const sum = { ...amount, aggregation: { type: "sum" } };
    const alert = await client.create<{ id: string }>("alert", {
      name: { en: "Much" },
      frequency: "daily",
      timezone_id: "UTC",
      notify: "change",
      channels: [
        { name: { en: "Hook" }, type: "webhook", config: { url: "https://example.org/" } },
      ],
      query: {
        measures: [sum],
        where: [{ expression: "ago", parameters: [day, { unit: 5, quantity: 1 }] }],
        having: [{ expression: "? > ?", parameters: [sum, 10] }],
        options: { timezone_id: "UTC" },
      },
    });
    alertId = alert.id;
  });
  test.after(() => host?.close());

  const ledger = () =>
    client.get<{ rows: Readonly<Record<string, unknown>>[] }>("alertevent", {
      where: { alert_id: alertId },
      order: [["slot_at", "asc"]],
    });

  test.deep(
    "backfilling records each past slot with the state at the slot's time, marked as evaluated afterwards",
    async () => {
      assert.is(await host.fillLedger({ alertId, fromMs, toMs }), 8);
      const events = (await ledger()).rows;
      // Each slot queries the previous day, so the slots from the 8th to the 15th have the amounts 7 to 14, or 8 to 15.
      const states = events.map(({ status_after: state }) => state);
      const first = states.indexOf("firing");
      assert.ok(first > 0, states.join());
      assert.equal(
        states,
        states.map((_, at) => (at < first ? "ok" : "firing")),
      );
      const [{ slot_at: firstAt = "" } = {}] = events.slice(first);
      assert.is(String(firstAt).slice(0, 10), "2001-01-12");
      assert.is(new Set(events.map(({ reason }) => reason)).size, 1, "one reason");
      assert.match(String(events[0]?.["reason"]), "evaluated later");
      const [notices] = events.slice(first).map((each) => each["notices"]);
      assert.is((notices as unknown[]).length, 1);
    },
  );

  test.deep("backfilled slots send no messages and do not count as late", async () => {
    assert.is((await client.get("delivery", {})).count, 0);
    const ready = await fetch(`${host.url}/readyz`);
    const { jobs } = (await ready.json()) as {
      readonly jobs: { readonly evaluations: { readonly count: number } };
    };
    assert.is(jobs.evaluations.count, 0);
  });

  test.deep("backfilling does not change slots that are already in the ledger", async () => {
    const before = (await ledger()).rows;
    await host.fillLedger({ alertId, fromMs, toMs });
    assert.equal((await ledger()).rows, before);
  });

  test.deep("backfilling fails for an unknown alert or more than 500 slots", async () => {
    const unknown = { alertId: "00000000-0000-4000-8000-000000000000", fromMs, toMs };
    assert.is((await refusal(host.fillLedger(unknown))).code, "RECORD_NOT_FOUND");
    const long = { alertId, fromMs: Date.UTC(1999, 0, 1), toMs };
    assert.is((await refusal(host.fillLedger(long))).code, "MEMBER_INVALID");
  });
});
