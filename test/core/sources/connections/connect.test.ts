import * as assert from "uvu/assert";
import { connect } from "../../../../core/sources/connections/connect.ts";
import type { Connection } from "../../../../core/base/contracts/index.ts";
import {
  type Batch,
  type Dataset,
  type Plugin,
  PluginError,
  type Query,
  type QueryCall,
} from "../../../../plugins/protocol/index.ts";
import { suite } from "../../../support/suite.ts";
import { failureOf } from "../../../support/refused.ts";

const dataset: Dataset = {
  id: "d",
  name: { en: "D" },
  columns: [
    { id: "n", name: { en: "N" }, type: "numeric" },
    { id: "t", name: { en: "T" }, type: "hierarchy" },
  ],
};
const query: Query = {
  id: "d",
  columns: [{ column_id: "n" }],
  filters: [],
  options: { pushdown: false },
};
const numeric = (...values: number[]) =>
  ({ type: "numeric", values: Float64Array.from(values) }) as const;

function bind(plugin: Partial<Plugin>, timeoutMs = 60_000): Connection {
  const whole: Plugin = {
    capabilities: { projection: true },
    datasets: async () => [dataset],
    query: async () => ({ rowCount: 0, columns: [] }),
    ...plugin,
  };
  const credentials = { token: "t0ken", properties: {} };
  return connect({
    name: "acme",
    plugin: whole,
    credentials,
    fingerprint: "f",
    timeoutMs,
    sizeBytes: 64,
  });
}

suite("core/sources/connections/connect", (test) => {
  const caller = () => ({ signal: new AbortController().signal });

  test("a call passes the caller's credentials, user, tenant and dataset to the plugin", async () => {
    const calls: QueryCall[] = [];
    const connection = bind({
      query: async (call) => {
        calls.push(call);
        return { rowCount: 1, columns: [numeric(1)] };
      },
    });
    const user = { id: "u", name: "U", email: "e" };
    const tenant = { organization: "o", user: "u" };
    await connection.query(query, dataset, { ...caller(), user, tenant });
    assert.equal(calls[0]?.tenant, tenant);
    assert.is(calls[0]?.credentials.token, "t0ken");
    assert.equal([calls[0]?.user, calls[0]?.dataset, calls[0]?.query], [user, dataset, query]);
  });

  const unsound: readonly (readonly [string, Batch, RegExp])[] = [
    ["too few columns", { rowCount: 0, columns: [] }, /0 columns instead of 1/],
    [
      "too many columns",
      { rowCount: 0, columns: [numeric(), numeric()] },
      /2 columns instead of 1/,
    ],
    [
      "another type",
      { rowCount: 0, columns: [{ type: "datetime", values: new Float64Array() }] },
      /"n" as datetime instead of numeric/,
    ],
    ["another length", { rowCount: 2, columns: [numeric(1)] }, /1 cells of "n" for 2 rows/],
    ["no row count", { rowCount: Number.NaN, columns: [numeric()] }, /must have a row count/],
    [
      "a list instead of a typed array",
      { rowCount: 1, columns: [{ type: "numeric", values: [1] as unknown as Float64Array }] },
      /typed array/,
    ],
  ];
  for (const [what, batch, message] of unsound)
    test(`an answer with ${what} fails and is reported as a bug of the plugin`, async () => {
      const failure = await failureOf(
        bind({ query: async () => batch }).query(query, dataset, caller()),
      );
      assert.is(failure.code, "PLUGIN_BAD_ANSWER");
      assert.match(failure.message, message);
      assert.match(failure.message, "(connection acme)");
    });

  test("a list with names that the catalog cannot store fails and is reported as a bug of the plugin", async () => {
    const [column] = dataset.columns;
    const cases: readonly (readonly [string, Dataset])[] = [
      ["the dataset", { ...dataset, name: { en: "a\u0000" } }],
      ["the dataset", { ...dataset, description: { en: "\ud800" } }],
      ['the column "n\\u0000"', { ...dataset, columns: [{ ...column!, id: "n\u0000" }] }],
    ];
    for (const [what, offered] of cases) {
      const bound = bind({ datasets: async () => [offered] });
      const failure = await failureOf(bound.datasets(caller()));
      assert.is(failure.code, "PLUGIN_BAD_ANSWER");
      assert.match(failure.message, "must not contain NUL or an unpaired surrogate");
      assert.ok(failure.message.includes(what), failure.message);
    }
  });

  test("an answer of a basic plugin must contain all columns of the dataset", async () => {
    const text = { type: "hierarchy", codes: Int32Array.of(0), dictionary: ["a"] } as const;
    const basic = bind({
      capabilities: {},
      query: async () => ({ rowCount: 1, columns: [numeric(1), text] }),
    });
    assert.is((await basic.query(query, dataset, caller())).columns.length, 2);
  });

  test("a plugin's answer above the size limit fails", async () => {
    const connection = bind({
      query: async () => ({ rowCount: 9, columns: [numeric(1, 2, 3, 4, 5, 6, 7, 8, 9)] }),
    });
    assert.is(
      (await failureOf(connection.query(query, dataset, caller()))).code,
      "PLUGIN_SOURCE_FAILED",
    );
  });

  test("rows that arrive early are checked and count towards the size limit, like the rows of the complete answer", async () => {
    const early: readonly (readonly [string, Batch, string])[] = [
      [
        "another type",
        { rowCount: 0, columns: [{ type: "datetime", values: new Float64Array() }] },
        "PLUGIN_BAD_ANSWER",
      ],
      ["too many", { rowCount: 5, columns: [numeric(1, 2, 3, 4, 5)] }, "PLUGIN_SOURCE_FAILED"],
    ];
    for (const [what, rows, code] of early) {
      const taken: Batch[] = [];
      const connection = bind({
        query: async ({ append }) => {
          await append?.({ rowCount: 4, columns: [numeric(1, 2, 3, 4)] });
          await append?.(rows);
          return { rowCount: 0, columns: [numeric()] };
        },
      });
      const append = async (batch: Batch) => void taken.push(batch);
      const failure = await failureOf(connection.query(query, dataset, { ...caller(), append }));
      assert.is(failure.code, code, what);
      assert.is(taken.length, 1, what);
    }
  });

  test("an error in the receiver of rows does not name the plugin that sent the rows", async () => {
    const connection = bind({
      query: async ({ append }) => {
        await append?.({ rowCount: 1, columns: [numeric(1)] });
        return { rowCount: 0, columns: [numeric()] };
      },
    });
    const full = new PluginError("PLUGIN_BUSY", ["the store is full (connection strata)"]);
    const failure = await failureOf(
      connection.query(query, dataset, { ...caller(), append: () => Promise.reject(full) }),
    );
    assert.is(failure, full);
  });

  test("a plugin that rejects a query after it has sent rows is not queried again", async () => {
    const connection = bind({
      query: async ({ append }) => {
        await append?.({ rowCount: 1, columns: [numeric(1)] });
        throw new PluginError("PLUGIN_NOT_OFFERED", ["filters"]);
      },
    });
    const failure = await failureOf(
      connection.query(query, dataset, { ...caller(), append: async () => undefined }),
    );
    assert.is(failure.code, "PLUGIN_BAD_ANSWER");
    assert.match(failure.message, "(connection acme)");
  });

  test("a call to a plugin that ignores the abort signal fails at the deadline", async () => {
    const signals: AbortSignal[] = [];
    const connection = bind(
      {
        datasets: ({ signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      },
      20,
    );
    const failure = await failureOf(connection.datasets(caller()));
    assert.is(failure.code, "PLUGIN_TIMEOUT");
    assert.ok(signals[0]?.aborted);
  });

  test("a caller that aborts stops its call, even if it aborted before the call began", async () => {
    const controller = new AbortController();
    let callCount = 0;
    const connection = bind({
      datasets: () => {
        callCount += 1;
        controller.abort();
        return new Promise(() => {});
      },
    });
    const { signal } = controller;
    assert.is((await failureOf(connection.datasets({ signal }))).code, "PLUGIN_TIMEOUT");
    assert.is((await failureOf(connection.datasets({ signal }))).code, "PLUGIN_TIMEOUT");
    assert.is(callCount, 1);
  });

  test("an error that plugins may not throw becomes PLUGIN_BUG without the original message", async () => {
    const connection = bind({
      datasets: async () => Promise.reject(new Error("password is t0ken")),
    });
    const failure = await failureOf(connection.datasets(caller()));
    assert.is(failure.code, "PLUGIN_BUG");
    assert.not.match(failure.message, "t0ken");
    assert.match(String(failure.cause), "t0ken");
  });

  test("a plugin's error keeps its code and message, and gets the name of the connection", async () => {
    const thrown = new PluginError("PLUGIN_UNKNOWN_COLUMN", ["d", "x"]);
    const failure = await failureOf(
      bind({ datasets: async () => Promise.reject(thrown) }).datasets(caller()),
    );
    assert.is(failure.message, "the dataset d has no column x (connection acme)");
    assert.is(failure.cause, thrown);
  });

  test("the host never sends writes to a plugin that is not writable", async () => {
    const failure = await failureOf(bind({}).write({ action: "drop", id: "d" }, caller()));
    assert.is(failure.code, "PLUGIN_NOT_OFFERED");
  });
});
