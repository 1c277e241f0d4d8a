import * as assert from "uvu/assert";
import type { QueryFailure } from "../../../core/queries/index.ts";
import { PluginError, type Cell, type Plugin } from "../../../plugins/protocol/index.ts";
import {
  principalOf,
  createPlainHost,
  type PlainColumn,
  type PlainHostOptions,
} from "../../support/plainHost.ts";
import { createPlainPlugin, everyCapability } from "../../support/plainPlugin.ts";
import { suite } from "../../support/suite.ts";
import { refusal } from "../../support/refused.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
  { id: "day", type: "datetime", subtype: "date" },
];
const rows: readonly (readonly Cell[])[] = [
  ["Ghent", 3, "2024-01-31T23:30:00.000Z", "2024-01-31T00:00:00.000Z"],
  ["ghent", null, "2024-02-01T00:30:00.000Z", "2024-02-01T00:00:00.000Z"],
  [null, 5, null, null],
  ["Ghent", 4, "2024-03-31T22:30:00.000Z", "2024-03-31T00:00:00.000Z"],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const text = (id: string) => ({ id, name: { en: id } });
const open = (options: Partial<PlainHostOptions> = {}) =>
  createPlainHost({ columns, rows, ...options });

suite("core/queries/createQueries", (test) => {
  test("rows contain the dimensions and then the measures, as cells in wire form", async () => {
    const host = await open();
    const answer = await host.sendQuery({
      dimensions: [ref("city")],
      measures: [
        ref("km"),
        ref("*", { aggregation: { type: "count" } }),
        ref("at", { aggregation: "max" }),
        ref("city", { aggregation: "min" }),
        ref("km", { aggregation: "average" }),
        ref("at"),
      ],
    });
    assert.is(answer.cached, false);
    assert.is(answer.performance.rows, 3);
    for (const phase of ["validating", "preparing", "queuing", "querying", "processing"] as const)
      assert.ok(answer.performance[phase] >= 0, phase);
    assert.equal(answer.data, [
      [text("Ghent"), 7, 2, "2024-03-31T22:30:00.000Z", text("Ghent"), 3.5, 2],
      [text("ghent"), null, 1, "2024-02-01T00:30:00.000Z", text("ghent"), null, 1],
      [null, 5, 1, null, null, 5, 0],
    ]);
  });

  test("a call of a user with too many waiting queries fails as a whole, and other users are served", async () => {
    const gate = Promise.withResolvers<void>();
    const host = await open({
      limits: { tenantConcurrency: 1, tenantBurstLength: 2 },
      wrap: (plugin) => ({
        ...plugin,
        async query(requested) {
          await gate.promise;
          return plugin.query(requested);
        },
      }),
    });
    const query = { measures: [ref("km")] };
    const waiting = [host.sendQuery(query), host.sendQuery(query), host.sendQuery(query)];
    const { status, code } = await refusal(host.askAll([query, query]));
    assert.equal({ status, code }, { status: 503, code: "HOST_BUSY" });
    const other = await refusal(host.sendQuery(query, "bob"));
    assert.is(other.code, "RECORD_NOT_FOUND", "the query of another user is handled");
    gate.resolve();
    const answers = await Promise.all(waiting);
    assert.equal(
      answers.map(({ data }) => data),
      [[[12]], [[12]], [[12]]],
    );
  });

  test("a column that appears twice is fetched once and returned twice", async () => {
    const host = await open();
    const answer = await host.sendQuery({
      dimensions: [ref("city"), ref("city")],
      measures: [ref("km"), ref("km", { aggregation: "sum" })],
    });
    assert.equal(answer.data[0], [text("Ghent"), text("Ghent"), 7, 7]);
    assert.is(host.source.requested[0]?.columns.length, 2);
  });

  test("a query with only measures returns one row, and a query with only dimensions returns their distinct combinations", async () => {
    const host = await open({ rows: [] });
    const measures = [ref("km"), ref("km", { aggregation: "count" })];
    assert.equal((await host.sendQuery({ measures })).data, [[null, 0]]);
    assert.equal((await host.sendQuery({ dimensions: [ref("city")], measures })).data, []);
    const full = await open();
    assert.equal((await full.sendQuery({ dimensions: [ref("city")] })).data, [
      [text("Ghent")],
      [text("ghent")],
      [null],
    ]);
  });

  test("periods start in the query's time zone, and values of date columns are never shifted", async () => {
    const host = await open();
    const month = async (column: string, timezone_id?: string) =>
      (
        await host.sendQuery({ dimensions: [ref(column, { level: 3 })], options: { timezone_id } })
      ).data.map(([cell]) => cell);
    assert.equal(await month("at"), [
      "2024-01-01T00:00:00.000Z",
      "2024-02-01T00:00:00.000Z",
      "2024-03-01T00:00:00.000Z",
      null,
    ]);
    assert.equal(await month("at", "Europe/Brussels"), [
      "2024-01-31T23:00:00.000Z",
      "2024-03-31T22:00:00.000Z",
      null,
    ]);
    assert.equal(await month("day", "Europe/Brussels"), await month("day"));
    const both = {
      dimensions: [ref("at", { level: 5 }), ref("day", { level: 5 })],
      options: { timezone_id: "Europe/Brussels" },
    };
    assert.equal((await host.sendQuery(both)).data[0], [
      "2024-01-31T23:00:00.000Z",
      "2024-01-31T00:00:00.000Z",
    ]);
    const months = {
      dimensions: [ref("at", { level: 5 }), ref("day", { level: 3 })],
      options: { timezone_id: "Europe/Brussels" },
    };
    assert.equal((await host.sendQuery(months)).data[0], [
      "2024-01-31T23:00:00.000Z",
      "2024-01-01T00:00:00.000Z",
    ]);
  });

  test("plain rows ignore aggregations and are ordered by all their columns", async () => {
    const host = await open();
    const query = {
      dimensions: [ref("city")],
      measures: [ref("km", { aggregation: "sum" })],
      options: { rollup_data: false },
    };
    const data = [
      [text("Ghent"), 3],
      [text("Ghent"), 4],
      [text("ghent"), null],
      [null, 5],
    ];
    assert.equal((await host.sendQuery(query)).data, data);
    const order = [ref("km", { aggregation: "sum", order: "desc" })];
    assert.equal((await host.sendQuery({ ...query, order })).data, [
      data[3],
      data[1],
      data[0],
      data[2],
    ]);
    const having = [{ expression: "? > ?", parameters: [ref("km", { aggregation: "sum" }), 1] }];
    assert.match(
      (await refusal(host.sendQuery({ ...query, having }))).message,
      /^having is not valid: plain rows/,
    );
    const star = { ...query, measures: [ref("*", { aggregation: "count" })] };
    assert.match((await refusal(host.sendQuery(star))).message, /^measures\[0\]\.column_id/);
  });

  test("`order` can name a dimension or measure, puts nulls last and breaks ties by the remaining dimensions", async () => {
    const host = await open();
    const query = {
      dimensions: [ref("city")],
      measures: [ref("km"), ref("km", { aggregation: "count" })],
    };
    const cities = async (...order: object[]) =>
      (await host.sendQuery({ ...query, order })).data.map(
        ([cell]) => (cell as { id: string } | null)?.id,
      );
    assert.equal(await cities(ref("city", { order: "desc" })), ["ghent", "Ghent", undefined]);
    assert.equal(await cities(ref("km", { aggregation: { type: "sum" }, order: "asc" })), [
      undefined,
      "Ghent",
      "ghent",
    ]);
    assert.equal(await cities(ref("km", { order: "desc" })), ["Ghent", undefined, "ghent"]);
    assert.equal(await cities(ref("km", { aggregation: "count" })), ["ghent", undefined, "Ghent"]);
    for (const wrong of [ref("day"), ref("km", { aggregation: "max" }), ref("at", { level: 3 })]) {
      const refused = await refusal(host.sendQuery({ ...query, order: [wrong] }));
      assert.match(refused.message, /^order\[0\].*must be a dimension or measure/);
      assert.is(refused.status, 400);
    }
    const unclear = {
      dimensions: [ref("at", { level: 1 }), ref("at", { level: 3 })],
      order: [ref("at")],
    };
    assert.match((await refusal(host.sendQuery(unclear))).message, /^order\[0\].*several/);
  });

  test("`having` can test a measure that is not in the answer", async () => {
    const host = await open();
    const having = [
      {
        or: [
          { expression: "? = ?", parameters: [ref("*", { aggregation: "count" }), 2] },
          { expression: "? is null", parameters: [ref("city")] },
        ],
      },
    ];
    const query = { dimensions: [ref("city")], measures: [ref("km")], having };
    const data = [
      [text("Ghent"), 7],
      [null, 5],
    ];
    assert.equal((await host.sendQuery(query)).data, data);
    const { having: _, ...without } = everyCapability;
    const residual = await open({ source: createPlainPlugin(without) });
    assert.equal((await residual.sendQuery(query)).data, data);
    const stray = [{ expression: "? = ?", parameters: [ref("day"), "2024-01-01"] }];
    assert.match(
      (await refusal(host.sendQuery({ ...query, having: stray }))).message,
      /^having\[0\]\.parameters\[0\]/,
    );
  });

  test("columns that are used only in `having` count towards the column limit", async () => {
    const query = { dimensions: [ref("city")], measures: [ref("km")] };
    const having = [{ expression: "? > ?", parameters: [ref("km", { aggregation: "max" }), 3] }];
    const host = await open({ limits: { columnCount: 2 } });
    assert.is((await host.sendQuery(query)).data.length, 3);
    assert.match(
      (await refusal(host.sendQuery({ ...query, having }))).message,
      /^having is not valid: a query must have at most 2 columns/,
    );
  });

  test("a filter fails with 400 if its value or operator does not fit the column's type", async () => {
    const host = await open();
    const cases: readonly (readonly [string, string, unknown, RegExp])[] = [
      [
        "? = ?",
        "km",
        "3",
        /where\[0\]\.parameters\[1\].*numeric, so the value must be a number, not a string/,
      ],
      ["? in ?", "city", ["a", 3], /must be a string, not a number/],
      ["? >= ?", "at", 1_704_067_200_000, /must be an ISO date-time, not a number/],
      ["? >= ?", "at", "yesterday", /ISO date or date-time/],
      [
        "? < ?",
        "city",
        "a",
        /where\[0\]\.expression.*a column of type numeric or datetime, but city is hierarchy/,
      ],
      ["? like ?", "km", 3, /must have a column of type hierarchy/],
      ["? between ?", "city", ["a", "b"], /must have a column of type numeric or datetime/],
    ];
    for (const [expression, column, value, message] of cases) {
      const refused = await refusal(
        host.sendQuery({
          measures: [ref("km")],
          where: [{ expression, parameters: [ref(column), value] }],
        }),
      );
      assert.match(refused.message, message);
      assert.is(refused.status, 400);
    }
    const at = async (value: string) =>
      (
        await host.sendQuery({
          measures: [ref("*", { aggregation: "count" })],
          where: [{ expression: "? >= ?", parameters: [ref("at"), value] }],
        })
      ).data[0]?.[0];
    assert.is(await at("2024-02-01"), 2);
    assert.is(await at("2024-02-01 00:30:00"), 2);
    assert.is(await at("2024-02-01T02:30:00+02:00"), 2);
    assert.is(await at("2024-02-01T00:30:00.001Z"), 1);
  });

  test("nested groups of filters keep their meaning at every depth up to the limit", async () => {
    const host = await open();
    const count = async (where: unknown) =>
      (await host.sendQuery({ measures: [ref("*", { aggregation: "count" })], where }))
        .data[0]?.[0];
    const is = (value: number) => ({ expression: "? = ?", parameters: [ref("km"), value] });
    assert.is(await count([{ or: [is(3), [is(4), is(5)], { and: [is(5)] }] }]), 2);
    assert.is(await count([{ or: [is(3), { and: [] }] }]), 4);
    assert.is(await count([{ and: [] }, []]), 4);
    let nested: unknown = [is(3), { or: [is(3), is(4)] }];
    for (let depth = 0; depth < 14; depth++) nested = { or: [[is(3), nested], is(99)] };
    assert.is(await count([nested]), 1);
  });

  test("a query fails if its columns, levels, aggregations or datasets do not exist or do not match", async () => {
    const host = await open({ columns: [...columns, { id: "place", type: "spatial" }] });
    await host.records.insert("column", {
      id: "broken",
      securable_id: "D",
      type: "numeric",
      expression: "1+",
      order: 9,
      name: { en: "s" },
    });
    await host.records.insert("securable", { id: "B", type: "dashboard", owner_id: "ada" });
    await host.records.insert("securable", {
      id: "E",
      type: "dataset",
      storage: "plainstore",
      owner_id: "ada",
    });
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [
        { dimensions: [ref("town")] },
        "QUERY_UNKNOWN_COLUMN",
        /^dimensions\[0\]\.column_id.*dataset D.*: town; it has: city \(city\), km \(km\)/,
      ],
      [{ dimensions: [ref("source.km")] }, "QUERY_UNKNOWN_COLUMN", /source\.km/],
      [{ dimensions: [ref("__proto__")] }, "QUERY_UNKNOWN_COLUMN", /__proto__/],
      [
        { dimensions: [ref("km", { level: 3 })] },
        "MEMBER_INVALID",
        /dimensions\[0\]\.level.*only datetime/,
      ],
      [
        { dimensions: [ref("city", { aggregation: "count" })] },
        "MEMBER_INVALID",
        /dimensions\[0\]\.aggregation/,
      ],
      [{ dimensions: [ref("*")] }, "MEMBER_INVALID", /only allowed for the measure count/],
      [
        { measures: [ref("city", { aggregation: "sum" })] },
        "MEMBER_INVALID",
        /measures\[0\]\.aggregation.*sum needs a numeric column/,
      ],
      [
        { measures: [ref("at", { aggregation: "average" })] },
        "MEMBER_INVALID",
        /average needs a numeric column/,
      ],
      [{ measures: [ref("*", { aggregation: "sum" })] }, "MEMBER_INVALID", /can only be counted/],
      [
        {
          measures: [ref("km")],
          where: [{ expression: "? is null", parameters: [ref("km", { aggregation: "sum" })] }],
        },
        "MEMBER_INVALID",
        /where\[0\]\.parameters\[0\]\.aggregation/,
      ],
      [
        { measures: [{ column_id: "*", aggregation: "count" }] },
        "MEMBER_MISSING",
        /measures\[0\]\.dataset_id/,
      ],
      [
        { dimensions: [ref("place")] },
        "QUERY_NOT_SERVED",
        /place \(place\) is a column of type spatial/,
      ],
      [{ dimensions: [ref("broken")] }, "MEMBER_INVALID", /dimensions\[0\]\.column_id.*line 1/],
      [
        { dimensions: [ref("city"), { column_id: "x", dataset_id: "E" }] },
        "QUERY_NOT_JOINABLE",
        /no columns link D with E/,
      ],
      [
        { dimensions: [{ column_id: "x", dataset_id: "B" }] },
        "MEMBER_INVALID",
        /B is a dashboard, not a dataset/,
      ],
      [
        { dimensions: [{ column_id: "x", dataset_id: "E" }] },
        "MEMBER_INVALID",
        /the dataset has no columns/,
      ],
    ];
    for (const [query, code, message] of cases) {
      const refused = await refusal(host.sendQuery(query));
      assert.match(refused.message, message);
      assert.is(refused.code, code, refused.message);
      assert.is(refused.status, 400);
    }
    assert.equal(
      (await host.sendQuery({ measures: [{ column_id: "*", aggregation: "count" }, ref("km")] }))
        .data,
      [[4, 12]],
    );
  });

  test("another person's dataset returns the same error as an unknown id, unless the caller may read the dataset", async () => {
    const host = await open();
    const sendQuery = (id: string) =>
      host.sendQuery({ dimensions: [{ column_id: "city", dataset_id: id }] }, "eve");
    const [foreign, unknown] = [await refusal(sendQuery("D")), await refusal(sendQuery("nowhere"))];
    assert.is(foreign.status, 404);
    assert.is(foreign.code, unknown.code);
    assert.is(foreign.message.replace("D,", "nowhere,"), unknown.message);
    assert.is(host.source.requested.length, 0);
    host.records.grant("D", "eve", "read");
    assert.is((await sendQuery("D")).data.length, 3);
  });

  test("each query of a call succeeds or fails on its own, and answers keep the order of the queries", async () => {
    const host = await open();
    const answers = await host.askAll([
      { measures: [ref("km")] },
      { measures: [ref("nope")] },
      { measures: [ref("km", { aggregation: "max" })] },
    ]);
    assert.equal([answers[0]?.data, answers[2]?.data], [[[12]], [[5]]]);
    const { error, data } = answers[1] as QueryFailure;
    assert.is(error.code, 400);
    assert.equal(error.type, { code: "QUERY_UNKNOWN_COLUMN", description: "Bad Request" });
    assert.match(error.message, /^queries\[1\]\.measures\[0\]\.column_id/);
    assert.equal(data, []);
    const [one] = [await host.askAll([{ measures: [ref("km")] }])];
    assert.not.ok(Array.isArray(one));
    assert.is(
      (await refusal(host.askAll([{ measures: [ref("nope")] }]))).code,
      "QUERY_UNKNOWN_COLUMN",
    );
  });

  test("an unexpected failure fails the whole call, not only one query", async () => {
    const host = await open({
      wrap: (plugin) => ({
        ...plugin,
        query: () => Promise.reject(new TypeError("inner")),
      }),
    });
    try {
      await host.askAll([{ measures: [ref("km")] }, { measures: [ref("km")] }]);
      assert.unreachable();
    } catch (failure) {
      assert.instance(failure, TypeError);
    }
  });

  test("an answer at the row limit is returned, and a larger answer fails with 413 and an error that names `limit`", async () => {
    for (const capabilities of [everyCapability, {}]) {
      const host = await open({
        source: createPlainPlugin(capabilities),
        limits: { answerRowCount: 3 },
      });
      const query = { dimensions: [ref("at")], options: { rollup_data: false } };
      const refused = await refusal(host.sendQuery(query));
      assert.is(refused.status, 413);
      assert.match(refused.message, /3 rows.*limit/);
      assert.is(
        (await refusal(host.sendQuery({ ...query, limit: { by: 1_000_000 } }))).status,
        413,
      );
      assert.is((await host.sendQuery({ ...query, limit: { by: 3 } })).data.length, 3);
      assert.is((await host.sendQuery({ ...query, limit: { by: 0 } })).data.length, 0);
    }
  });

  test("a plugin that supports less than it declares is queried again for plain rows", async () => {
    const host = await open({
      wrap: (plugin) => ({
        ...plugin,
        async query(call) {
          const plain =
            !call.query.options.pushdown && call.query.filters.length === 0 && !call.query.order;
          if (!plain) throw new PluginError("PLUGIN_NOT_OFFERED", ["groups after all"]);
          return plugin.query(call);
        },
      }),
    });
    const where = [{ expression: "? is not null", parameters: [ref("city")] }];
    assert.equal(
      (await host.sendQuery({ dimensions: [ref("city")], measures: [ref("km")], where })).data,
      [
        [text("Ghent"), 7],
        [text("ghent"), null],
      ],
    );
    let calls = 0;
    const never = await open({
      wrap: (plugin) => ({
        ...plugin,
        query() {
          calls++;
          throw new PluginError("PLUGIN_NOT_OFFERED", ["anything"]);
        },
      }),
    });
    assert.is((await refusal(never.sendQuery({ measures: [ref("km")] }))).status, 501);
    assert.is(calls, 2);
  });

  test("a plugin that sends more rows than requested fails with an error that names the plugin", async () => {
    const host = await open({
      wrap: (plugin) => ({
        ...plugin,
        query: (call) => plugin.query({ ...call, query: { ...call.query, limit: { by: 100 } } }),
      }),
    });
    const refused = await refusal(host.sendQuery({ dimensions: [ref("city")], limit: { by: 1 } }));
    assert.is(refused.code, "PLUGIN_BAD_ANSWER");
    assert.match(refused.message, /3 rows, but at most 1 were requested/);
  });

  test("the temporary dataset of a residual is dropped after an answer, a failure or an abort", async () => {
    const controller = new AbortController();
    const failures: readonly (readonly [string, (call: Parameters<Plugin["query"]>[0]) => void])[] =
      [
        ["answers", () => {}],
        [
          "fails",
          () => {
            throw new PluginError("PLUGIN_SOURCE_FAILED", ["memory"]);
          },
        ],
        [
          "is aborted",
          (call) => {
            controller.abort();
            call.signal.throwIfAborted();
          },
        ],
      ];
    for (const [what, happen] of failures) {
      const scratch = createPlainPlugin();
      const ids: string[] = [];
      const watched: Plugin = {
        ...scratch,
        async query(call) {
          ids.push(call.query.id);
          assert.is(scratch.rowsOf(call.query.id)?.length, 4);
          happen(call);
          return scratch.query(call);
        },
      };
      const host = await open({ source: createPlainPlugin({}), scratch: watched });
      const answer = host.sendQuery({ measures: [ref("km")] }, "ada", controller.signal);
      const settled = await answer.then(
        () => "answers",
        () => "fails",
      );
      assert.is(settled, what === "answers" ? "answers" : "fails", what);
      assert.is(ids.length, 1);
      assert.is(scratch.rowsOf(ids[0] ?? ""), undefined, what);
    }
  });

  test("a query that exceeds its deadline fails with 504, and the error names its connection", async () => {
    const host = await open({
      limits: { timeoutMs: 20 },
      wrap: (plugin) => ({
        ...plugin,
        query: ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
          }),
      }),
    });
    const refused = await refusal(host.sendQuery({ measures: [ref("km")] }));
    assert.is(refused.code, "PLUGIN_TIMEOUT");
    assert.is(refused.status, 504);
    assert.match(refused.message, /20 ms for one query \(connection plain\)/);
  });

  test("a query of a pushed dataset reaches the store with the store's ids, the user and the tenant", async () => {
    let user: unknown;
    let tenant: unknown;
    const host = await open({
      wrap: (plugin) => ({
        ...plugin,
        query(call) {
          ({ user, tenant } = call);
          return plugin.query(call);
        },
      }),
    });
    await host.sendQuery({ measures: [ref("km")] });
    assert.equal(user, { id: "ada", name: "ada", email: "ada@example.org" });
    assert.equal(tenant, { organization: "00000000-0000-4000-8000-00000000000b", user: "ada" });
    const { signal } = new AbortController();
    const own = tenant;
    await host.queries.evaluate({ measures: [ref("km")] }, principalOf("ada"), signal, Date.now());
    assert.equal(tenant, { ...(own as object), isBackground: true });
    assert.is(host.source.requested[0]?.id, "sheet");
    assert.is(host.source.requested[0]?.columns[0]?.column_id, "source.km");
  });
});
