import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import type { Principals } from "../../../../core/identity/access/index.ts";
import type { Principal, Records, Restriction } from "../../../../core/base/contracts/index.ts";
import { backtestAlert } from "../../../../core/jobs/actions/backtestAlert.ts";
import { createEvaluator } from "../../../../core/jobs/alerts/createEvaluator.ts";
import { aggregationDefinitions, aggregations } from "../../../../plugins/protocol/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { rounds } from "../../../support/layer.ts";
import { createPlainHost, principalOf, type PlainHost } from "../../../support/plainHost.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const hourMs = 3_600_000;
const firstMs = Date.UTC(2026, 2, 28);
const hourCount = 60;
const [at, city, km] = [randomUUID(), randomUUID(), randomUUID()];
const ofColumn = (id: string) => ({ dataset_id: "D", column_id: id });
const sum = { ...ofColumn(km), aggregation: { type: "sum" } };
const signal = new AbortController().signal;
const iso = (ms: number) => new Date(ms).toISOString();

type Json = Readonly<Record<string, unknown>>;
interface Slot {
  readonly slot_at: Date;
  readonly outcome: string;
  readonly rows: number | null;
  readonly data: readonly unknown[];
  readonly [member: string]: unknown;
}
interface Told {
  readonly way: string;
  readonly ran: boolean;
  readonly slot_count: number;
  readonly query_count: number;
  readonly notified_count: number;
  readonly slots: readonly Slot[];
}

suite("core/jobs/backtest", (test) => {
  const random = createRandom();
  let catalog: TestCatalog;
  let records: Records;
  let host: PlainHost;
  let user: Principal;
  let requested = 0;
  /** Hourly rows for about three days. Some hours have no rows. */
  const rows = Array.from({ length: 400 }, () => {
    const hour = random.below(hourCount);
    const isQuiet = hour % 7 === 3;
    return [
      iso(firstMs + (isQuiet ? hour + 1 : hour) * hourMs + random.below(hourMs)),
      random.chance(0.05) ? null : random.pick(["Ghent", "Lille", "Liège"]),
      random.chance(0.05) ? null : random.below(50),
    ] as const;
  });

  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
    const plain = await createPlainHost({
      columns: [
        { id: at, type: "datetime" },
        { id: city, type: "hierarchy" },
        { id: km, type: "numeric" },
      ],
      rows,
    });
    const { queries } = plain;
    const evaluate: typeof queries.evaluate = (...call) => {
      requested++;
      return queries.evaluate(...call);
    };
    host = { ...plain, queries: { ...queries, evaluate } };
    const { id } = await records.insert("user", { name: "Ada", email: "ada@example.org" });
    user = { ...principalOf("ada"), userId: id };
    for (const [order, [column, type]] of (
      [
        [at, "datetime"],
        [city, "hierarchy"],
        [km, "numeric"],
      ] as const
    ).entries())
      await records.insert("column", { id: column, type, order, user_id: id, name: { en: type } });
  });
  test.after(() => catalog.close());

  /** The caller. It owns the dataset of the host without grants. */
  let asker: Principal = principalOf("ada");
  const principals: Pick<Principals, "ofUsers" | "ofNewestTokens"> = {
    ofUsers: async (ids) => new Map(ids.map((id) => [id, asker])),
    ofNewestTokens: async () => new Map(),
  };
  const never = () => Promise.reject(new Error("nothing is sent"));
  const options = () => ({
    knex: catalog.transactions,
    records,
    cipher: catalog.cipher,
    connections: { store: never } as never,
    queries: host.queries,
    principals,
    deliveries: { send: never },
    addDeliveryJobs: never,
    publicUrl: () => "https://example.org",
    now: () => firstMs + 365 * 24 * hourMs,
  });
  const backtest = async (id: string, given: Json, properties?: Json): Promise<Told> => {
    const window = { from: iso(firstMs), to: iso(firstMs + hourCount * hourMs) };
    const body = {
      action: "backtest",
      id,
      ...(properties && { properties }),
      options: { ...window, list: "all", ...given },
    };
    const call = { resource: "alert", action: "backtest", body, principal: user } as const;
    return (await backtestAlert(
      { ...call, requestId: "r", address: undefined, signal },
      options(),
    )) as Told;
  };
  const makeAlert = async (values: Json): Promise<string> => {
    const schedule = await records.insert("schedule", {
      frequency_unit: "hour",
      frequency_quantity: 1,
      timezone: "Europe/Brussels",
      // The start is later than the window, because a backtest counts its slots backwards from it.
      started_at: new Date(firstMs + (hourCount + 5) * hourMs + 60_000),
      user_id: user.userId,
    });
    const { id } = await records.insert("alert", {
      name: { en: "Busy" },
      frequency: { unit: "hour", quantity: 1 },
      schedule_id: schedule.id,
      user_id: user.userId,
      query: {},
      ...values,
    });
    return id;
  };
  /** Evaluates each slot of a backtest as a live evaluation, with the clock set to the slot's time. */
  const evaluateLive = async (alertId: string, { slots }: Told): Promise<void> => {
    const notify = async () => undefined;
    const evaluator = createEvaluator({ ...options(), notify, addSlots: async () => undefined });
    for (const { slot_at } of slots)
      await evaluator.evaluate({ alertId, slotMs: slot_at.getTime(), signal });
  };
  const lastHour = {
    expression: "last_completed",
    parameters: [ofColumn(at), { unit: 6, quantity: 1 }],
  };
  const over = (least: number) => [{ expression: "? > ?", parameters: [sum, least] }];
  /** Returns the members of a slot that occur both in the ledger and in a backtest. */
  const common = ({ slot_at, outcome, rows: count, ...each }: Slot) => [
    slot_at.toISOString(),
    outcome,
    count,
    each["status_before"],
    each["status_after"],
    each["transitions"],
    each["notices"],
  ];
  /** As `common`, but without the reasons of notices. */
  const withoutReasons = (slot: Slot) =>
    common({
      ...slot,
      notices: (slot["notices"] as readonly Json[]).map((notice) => ({
        ...notice,
        reason: undefined,
      })),
    });
  const run = (id: string, given: Json = {}) => backtest(id, { run: true, ...given });

  test("a backtest returns the same states as live evaluations of the same slots", async () => {
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 10, soak: 40 }); round++) {
        const isEach = random.chance(0.6);
        const alert = {
          query: {
            ...(isEach && { dimensions: [ofColumn(city)] }),
            measures: [sum],
            where: [lastHour],
            having: over(random.below(120)),
            options: { timezone_id: random.pick(["UTC", "Europe/Brussels", "Asia/Kolkata"]) },
          },
          notify: random.pick(["every", "change"]),
          for: random.chance(0.3) ? { unit: "hour", quantity: 1 } : null,
          keep_firing_for: random.chance(0.3) ? { unit: "hour", quantity: 2 } : null,
          no_data: random.pick(["ok", "keep", "fire"]),
          ...(isEach && random.chance(0.7) && { instance_by: [city] }),
        };
        const id = await makeAlert(alert);
        const told = await run(id);
        await evaluateLive(id, told);
        const events = await records.find("alertevent", { alert_id: id });
        const live = events.toSorted((one, other) => Number(one.slot_at) - Number(other.slot_at));
        assert.is(live.length, hourCount, "each hour has one slot");
        const note = `${round} ${told.way} ${JSON.stringify(alert)}`;
        // A backtest cannot tell whether an instance has stopped reporting, so the effect of missing data differs.
        const isOfInstances = "instance_by" in alert;
        if (!isOfInstances || alert.no_data === "ok")
          assert.equal(
            told.slots.map(withoutReasons),
            live.map((each) => withoutReasons(each as never)),
            note,
          );
        // A replay with the same rule runs no query, and gives every instance the same states as the live evaluations.
        const before = requested;
        const replayed = await run(id, { source: "ledger" });
        assert.is(requested, before, "a replay runs no query");
        assert.equal(
          replayed.slots.map(common),
          live.map((each) => common(each as never)),
          note,
        );
      }
    });
  });

  test.deep("one grouped query returns the same rows as one query per slot", async () => {
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 4, deep: 20, soak: 150 }); round++) {
        const zone = random.pick(["UTC", "Europe/Brussels", "Asia/Kolkata"]);
        const count = { dataset_id: "D", column_id: "*", aggregation: { type: "count" } };
        const type = random.pick(
          aggregations.filter((name) => aggregationDefinitions[name].ofOneGroup),
        );
        const { takes } = aggregationDefinitions[type];
        const more = {
          ...(takes === "fraction" && { fraction: random.pick([0, 0.25, 0.9]) }),
          ...(takes === "weight" && ofColumn(km)),
        };
        const measure = { ...ofColumn(km), aggregation: { type, ...more } };
        const bound = { expression: "? < ?", parameters: [count, random.below(12)] };
        const id = await makeAlert({
          query: {
            dimensions: random.chance(0.5) ? [ofColumn(city)] : [],
            measures: [measure, count],
            where: [
              {
                expression: random.pick(["ago", "last_completed", "Last_Completed"]),
                parameters: [ofColumn(at), { unit: random.pick([5, 6]), quantity: 1 }],
              },
              ...(random.chance(0.5)
                ? [{ expression: "? != ?", parameters: [ofColumn(city), "Lille"] }]
                : []),
            ],
            ...(random.chance(0.6) && { having: [bound] }),
            ...(random.chance(0.3) && { order: [{ ...measure, order: "desc" }] }),
            options: { timezone_id: zone },
          },
        });
        const grouped = await run(id, { way: "grouped" });
        const slots = await run(id, { way: "slots" });
        assert.is(grouped.way, "grouped");
        assert.is(slots.query_count, hourCount);
        const shown = ({ slots: all }: Told) => all.map((each) => [...common(each), each.data]);
        const [row] = await records.find("alert", { id });
        assert.equal(shown(grouped), shown(slots), JSON.stringify(row?.query));
      }
    });
  });

  test("a backtest reports its number of queries in advance, and a run sends no more", async () => {
    const query = { measures: [sum], where: [lastHour], having: over(20) };
    const id = await makeAlert({ query });
    for (const way of ["grouped", "slots"]) {
      const before = requested;
      const told = await backtest(id, { way });
      assert.equal([told.ran, told.slot_count, requested], [false, hourCount, before]);
      await run(id, { way });
      assert.ok(
        requested - before <= told.query_count,
        `${requested - before} of ${told.query_count}`,
      );
      assert.ok(way === "slots" ? told.query_count === hourCount : told.query_count <= 3);
    }
  });

  test("a grouped query of a backtest supports percentiles and weighted averages", async () => {
    for (const more of [
      { type: "percentile", fraction: 0.9 },
      { type: "weightedaverage", ...ofColumn(km) },
    ]) {
      const measures = [{ ...ofColumn(km), aggregation: more }];
      const id = await makeAlert({
        query: { dimensions: [ofColumn(city)], measures, where: [lastHour] },
      });
      const grouped = await run(id, { way: "grouped" });
      const slots = await run(id, { way: "slots" });
      const shown = ({ slots: all }: Told) => all.map((each) => [...common(each), each.data]);
      assert.equal(shown(grouped), shown(slots), more.type);
      assert.is((await backtest(id, {})).way, "grouped", more.type);
    }
  });

  test("if rows cannot be grouped by slot, a backtest runs one query per slot", async () => {
    const base = { dimensions: [ofColumn(city)], measures: [sum], where: [lastHour] };
    const rolling = {
      expression: "last_now",
      parameters: [ofColumn(at), { unit: 6, quantity: 1 }],
    };
    const shared = { expression: "? > ?", parameters: [ofColumn(at), iso(firstMs)] };
    const weighted = (weight: object) => ({
      ...ofColumn(km),
      aggregation: { type: "weightedaverage", ...weight },
    });
    for (const query of [
      { ...base, limit: { by: 2 } },
      { ...base, where: [rolling] },
      { ...base, where: [shared] },
      { ...base, where: [lastHour, { or: [rolling, shared] }] },
      { ...base, where: [{ ...lastHour, parameters: [ofColumn(at), { unit: 6, quantity: 2 }] }] },
      { ...base, options: { rollup_data: false } },
      { ...base, measures: [{ ...ofColumn(km), aggregation: { type: "cumulativesum" } }] },
      { ...base, measures: [weighted({ expression: `{D:${km}} * 2` })] },
      {
        ...base,
        measures: [weighted({ ...ofColumn(km), discretization: { type: "linear", bins: 3 } })],
      },
      { ...base, dimensions: [{ ...ofColumn(km), discretization: { type: "linear", bins: 3 } }] },
      { ...base, dimensions: [{ ...ofColumn(at), level: 6 }] },
      { ...base, measures: [{ formula: `sum({D:${km}})`, dataset_id: "D" }] },
      // The columns of the inner answer have the ids of the columns of the catalog as names.
      {
        from: {
          query: { ...base, dimensions: [ofColumn(at), ofColumn(city)], where: [rolling] },
          columns: [at, city, km],
        },
        dimensions: [{ ...ofColumn(city), dataset_id: "from" }],
        measures: [{ ...sum, dataset_id: "from" }],
        where: [
          {
            ...lastHour,
            parameters: [{ ...ofColumn(at), dataset_id: "from" }, lastHour.parameters[1]],
          },
        ],
      },
    ]) {
      const { way } = await backtest(await makeAlert({ query }), {});
      assert.is(way, "slots", JSON.stringify(query));
    }
  });

  test("a row filter that is relative to now keeps a backtest from grouping its queries, and the message says what to do", async () => {
    const query = { dimensions: [ofColumn(city)], measures: [sum], where: [lastHour] };
    const id = await makeAlert({ query });
    const filter = {
      clause: "where",
      origin: "global",
      securable_id: "D",
      column_id: at,
      expression: "last_now",
      value: { unit: 6, quantity: 30 },
    } as const;
    const restriction: Restriction = {
      issuer: principalOf("ada"),
      role: "viewer",
      securables: new Map([["D", "use"]]),
      collections: new Map(),
      integrationId: undefined,
      filters: [filter],
      parameters: new Map(),
      hiddenColumns: new Set(),
      accountOverrides: new Map(),
      environment: null,
      metadata: undefined,
    };
    asker = { ...principalOf("ada"), restriction };
    try {
      const refused = await run(id).catch((failure: Error) => failure.message);
      assert.match(String(refused), /options\.way "slots"/);
      const told = await run(id, { way: "slots" });
      assert.is(told.slot_count, hourCount);
    } finally {
      asker = principalOf("ada");
    }
  });

  test.deep(
    "replaying recorded slots with other thresholds gives the same result as a query with those thresholds",
    async () => {
      const query = { dimensions: [ofColumn(city)], measures: [sum], where: [lastHour] };
      const id = await makeAlert({ query, instance_by: [city] });
      const all = await run(id);
      await evaluateLive(id, all);
      const wanted = await makeAlert({
        query: { ...query, having: over(90) },
        instance_by: [city],
      });
      const thresholds = [{ measure: 0, operator: ">", value: 90 }];
      const replayed = await run(id, { source: "ledger", thresholds });
      const told = (slots: readonly Slot[]) => slots.map((each) => [each.slot_at, each["notices"]]);
      assert.equal(told(replayed.slots), told((await run(wanted)).slots));
      assert.ok(replayed.notified_count > 0 && replayed.notified_count < all.notified_count);
    },
  );

  test("the error for an invalid window, too many slots or an unknown member names the member", async () => {
    const id = await makeAlert({ query: { measures: [sum], where: [lastHour] } });
    for (const [given, place] of [
      [{ from: "soon" }, "options.from"],
      [{ from: null }, "options.from"],
      [{ from: iso(firstMs), to: iso(0) }, "options.from"],
      [{ from: "1990-01-01T00:00:00Z" }, "options.from"],
      [{ way: "slots", to: iso(firstMs + 501 * hourMs) }, "options.from"],
      [{ thresholds: [{ measure: 0, operator: "~", value: 1 }] }, "options.thresholds"],
      [{ thresholds: [{ measure: 0, operator: ">", value: 1 }] }, "options.thresholds"],
      [{ nonsense: 1 }, "options.nonsense"],
      [{ run: "yes" }, "options.run"],
    ] as const) {
      const message = await backtest(id, given).then(
        () => "was accepted",
        (failure: Error) => failure.message,
      );
      assert.match(message, place, JSON.stringify(given));
    }
  });
});
