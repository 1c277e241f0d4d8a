import type { Connections } from "../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import { readConfig } from "../../../../core/base/config.ts";
import { openConnections } from "../../../../core/sources/connections/index.ts";
import { createQueries, type Queries, type QueryAnswer } from "../../../../core/queries/index.ts";
import type { Plugin } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import {
  openFaultyPlugin,
  type Answering,
  type FaultyPlugin,
} from "../../../support/faultyPlugin.ts";
import { createMemoryRecords } from "../../../support/memoryRecords.ts";
import { rounds } from "../../../support/layer.ts";
import { createPlainHost, principalOf } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

/**
 * Deadline in milliseconds for plugins that answer too late. Other plugins have more time, because other tests may keep
 * the machine busy.
 */
const deadlineMs = 1_500;
/** Milliseconds that are enough to reject answers of several megabytes, even while other tests run. */
const longDeadlineMs = 60_000;
/** Maximum size of a plugin's answer in megabytes. */
const answerMb = 1;
const rows = [
  ["a", 1, "2024-01-01T00:00:00.000Z"],
  ["a", 2.5, null],
  ["b", 4, "2024-03-01T00:00:00.000Z"],
] as const;
const columns = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
] as const;
const expected = [
  [{ id: "a", name: { en: "a" } }, 3.5, "2024-01-01T00:00:00.000Z"],
  [{ id: "b", name: { en: "b" } }, 4, "2024-03-01T00:00:00.000Z"],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const groupedQuery = {
  dimensions: [ref("city")],
  measures: [ref("km"), ref("at", { aggregation: "min" })],
};

/**
 * The valid answers to the query in each of the three protocols. The plugin with pushdown receives a query for groups
 * by city and instant, with the sum and the count of the numbers, and with the number of rows.
 */
const vectors = {
  rowCount: rows.length,
  columns: columns.map(({ type }, index) => ({
    type,
    values: rows.map((row) => row[index] ?? null),
  })),
};
const groups = [
  ["a", "2024-01-01T00:00:00.000Z", "1", "1", "1"],
  ["a", null, "2.5", "1", "1"],
  ["b", "2024-03-01T00:00:00.000Z", "4", "1", "1"],
];
interface Kind {
  readonly version: "1.0.0" | "2.0.0" | "manifold-1";
  readonly pushdown: boolean;
  readonly answer: () => unknown;
}
const kinds: readonly Kind[] = [
  { version: "1.0.0", pushdown: false, answer: () => rows },
  { version: "2.0.0", pushdown: true, answer: () => groups },
  { version: "manifold-1", pushdown: false, answer: () => vectors },
];

const ended =
  (status: number, text: string): Answering =>
  (response) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end(text);
  };
const changed =
  (change: (good: string) => string): Answering =>
  (response, good) =>
    ended(200, change(JSON.stringify(good)))(response, good);
/** Replaces one cell of the numeric column in an answer of any protocol. */
const withCell = (cell: string) => changed((good) => good.replace(/"2\.5"|2\.5/, cell));

/** Faults that a plugin of any protocol can have, with the expected error codes. */
const faults: readonly (readonly [string, Answering, RegExp])[] = [
  [
    "is cut in the middle of its JSON",
    changed((good) => good.slice(0, good.length / 2)),
    /BAD_ANSWER/,
  ],
  [
    "breaks off in the middle of its body",
    (response, good) => {
      response.writeHead(200, { "Content-Length": "5000" }).write(JSON.stringify(good));
      setTimeout(() => response.destroy(), 20);
    },
    /SOURCE_FAILED/,
  ],
  [
    "closes the connection without an answer",
    (response) => void response.destroy(),
    /SOURCE_FAILED/,
  ],
  ["is empty", ended(200, ""), /BAD_ANSWER/],
  ["is an HTML page", ended(200, "<!DOCTYPE html><p>Welcome"), /BAD_ANSWER/],
  ["is an empty object", ended(200, "{}"), /BAD_ANSWER/],
  ["is null", ended(200, "null"), /BAD_ANSWER/],
  ["is a list of nulls", ended(200, "[null, null]"), /BAD_ANSWER/],
  ["has a string for a number", withCell('"three"'), /BAD_ANSWER/],
  ["has an object for a number", withCell('{"value": 3}'), /BAD_ANSWER/],
  ["has the string NaN for a number", withCell('"NaN"'), /BAD_ANSWER/],
  ["has the string Infinity for a number", withCell('"Infinity"'), /BAD_ANSWER/],
  ["has NaN in its JSON", withCell("NaN"), /BAD_ANSWER/],
  ["has a number larger than any double", withCell("1e999"), /BAD_ANSWER/],
  [
    "has a number for an instant",
    changed((good) => good.replace('"2024-03-01T00:00:00.000Z"', "1709251200000")),
    /BAD_ANSWER/,
  ],
  [
    "has a day that does not exist",
    changed((good) => good.replace("2024-03-01", "2024-02-30")),
    /BAD_ANSWER/,
  ],
  [
    "is nested 100,000 levels deep",
    ended(200, "[".repeat(100_000) + "]".repeat(100_000)),
    /BAD_ANSWER/,
  ],
  [
    "is larger than the limit",
    (response, good) => {
      const [, ...cells] = Array.isArray(good) ? (good[0] as unknown[]) : [];
      const row = JSON.stringify(["x".repeat(20), ...cells]);
      const rowCount = Math.ceil((answerMb * 2 ** 20) / row.length);
      ended(200, `[${Array.from({ length: rowCount }, () => row).join()}]`)(response, good);
    },
    /SOURCE_FAILED/,
  ],
  ["fails with 500", ended(500, '"disk full"'), /SOURCE_FAILED/],
  ["refuses with 403", ended(403, '"no"'), /FORBIDDEN/],
  [
    "redirects",
    (response) => void response.writeHead(302, { Location: "http://127.0.0.1:9/" }).end(),
    /SOURCE_FAILED/,
  ],
  ["never comes", () => undefined, /TIMEOUT/],
  [
    "comes after the deadline",
    (response, good) => void setTimeout(() => response.end(JSON.stringify(good)), deadlineMs + 150),
    /TIMEOUT/,
  ],
  [
    "comes a byte at a time",
    (response, good) => {
      const text = JSON.stringify(good);
      let sent = 0;
      const timer = setInterval(() => response.write(text[sent++ % text.length]), 15);
      response.on("close", () => clearInterval(timer));
    },
    /TIMEOUT/,
  ],
];
/** Faults that are possible only in lists of rows, or only in columns. */
const ofRows: readonly (readonly [string, Answering, RegExp])[] = [
  [
    "has a row with a missing cell",
    changed((good) => good.replace(/,[^,\]]*\]/, "]")),
    /BAD_ANSWER/,
  ],
  ["has a row with an extra cell", changed((good) => good.replace("]", ",null]")), /BAD_ANSWER/],
  [
    "has rows of 100,000 cells",
    ended(200, JSON.stringify([Array.from({ length: 100_000 }, () => 1)])),
    /BAD_ANSWER/,
  ],
  ["has a string for a row", changed((good) => good.replace(/\[[^[\]]*\]/, '"row"')), /BAD_ANSWER/],
];
const ofColumns: readonly (readonly [string, Answering, RegExp])[] = [
  [
    "lacks a column",
    ended(200, JSON.stringify({ ...vectors, columns: vectors.columns.slice(1) })),
    /BAD_ANSWER/,
  ],
  [
    "has thousands of columns",
    ended(
      200,
      JSON.stringify({
        rowCount: 0,
        columns: Array.from({ length: rounds({ quick: 10_000, deep: 20_000 }) }, () => ({
          type: "numeric",
          values: [],
        })),
      }),
    ),
    /BAD_ANSWER/,
  ],
  [
    "has columns shorter than its row count",
    ended(200, JSON.stringify({ ...vectors, rowCount: 4 })),
    /BAD_ANSWER/,
  ],
  [
    "has a negative row count",
    ended(200, JSON.stringify({ ...vectors, rowCount: -1 })),
    /BAD_ANSWER/,
  ],
  [
    "has its columns in another order",
    ended(200, JSON.stringify({ ...vectors, columns: vectors.columns.toReversed() })),
    /BAD_ANSWER/,
  ],
];

interface Path {
  readonly kind: Kind;
  readonly plugin: FaultyPlugin;
  readonly queries: Queries;
}

suite("core/queries/oracle/faults", (test) => {
  let sources: EverySource;
  let scratch: Plugin;
  const opened: Connections[] = [];
  const paths: Path[] = [];
  /** Plugins that run with the short deadline. */
  const impatient: Path[] = [];

  const openPath = async (kind: Kind, pluginTimeoutMs: number): Promise<Path> => {
    const plugin = await openFaultyPlugin({
      capabilities: { projection: true },
      datasets: [{ id: "sheet", name: { en: "Sheet" }, columns }],
      answer: kind.answer,
    });
    const records = createMemoryRecords();
    const owned = { user_id: "ada", owner_id: "ada" };
    await records.insert("plugin", {
      id: "P",
      slug: "faulty",
      base_url: plugin.url,
      protocol_version: kind.version,
      pushdown: kind.pushdown,
      organization_id: "o1",
      ...owned,
    });
    await records.insert("account", {
      id: "A",
      provider: "faulty",
      plugin_id: "P",
      active: true,
      ...owned,
    });
    await records.insert("securable", {
      id: "D",
      type: "dataset",
      storage: "client",
      source_sheet: "sheet",
      account_id: "A",
      ...owned,
    });
    await records.insertMany(
      "column",
      columns.map(({ id, type }, order) => ({
        id,
        type,
        securable_id: "D",
        source_name: id,
        name: { en: id },
        order,
      })),
    );
    const config = readConfig(
      { egressAllow: ["127.0.0.1"], pluginTimeoutMs, pluginAnswerMb: answerMb },
      {},
    );
    const plugins = { plugins: new Map([["strata", scratch]]), close: async () => undefined };
    const connections = await openConnections({ config, records, plugins });
    opened.push(connections);
    const queries = createQueries({ records, connections, rowFilters: async () => [] });
    return { kind, plugin, queries };
  };
  const sendQuery = async ({ queries }: Path, find: unknown = groupedQuery) =>
    (await queries.answer(find, principalOf("ada"), new AbortController().signal)) as QueryAnswer;

  test.before(async () => {
    sources = await openEverySource();
    ({ scratch } = await sources.stored({ columns, rows: [] }));
    // The first query starts the threads, which may take longer than the short deadline.
    await (
      await createPlainHost({ columns, rows, scratch, source: createPlainPlugin({}) })
    ).sendQuery(groupedQuery);
    for (const kind of kinds) {
      paths.push(await openPath(kind, longDeadlineMs));
      impatient.push(await openPath(kind, deadlineMs));
    }
  });
  test.after(async () => {
    for (const connections of opened) await connections.close();
    for (const { plugin } of [...paths, ...impatient]) await plugin.close();
    await sources.close();
  });
  const temporaryCount = async () => {
    const call = { credentials: { properties: {} }, signal: new AbortController().signal };
    return (await scratch.datasets(call)).filter(({ id }) => id !== "sheet").length;
  };

  for (const version of kinds.map((kind) => kind.version)) {
    const own = version === "manifold-1" ? ofColumns : ofRows;
    /** All versions share the transport, so the quick layer tests its faults in one version only. */
    const isQuick = (what: string, code: RegExp) =>
      version === "manifold-1" ||
      own.some(([named]) => named === what) ||
      (version === "1.0.0" && code.test("BAD_ANSWER"));
    for (const [what, answering, code] of [...faults, ...own])
      (isQuick(what, code) ? test : test.deep)(
        `if the answer of a plugin of version ${version} ${what}, the query fails with the expected code, and the next valid answer is accepted`,
        async () => {
          const path = (code.test("TIMEOUT") ? impatient : paths).find(
            ({ kind }) => kind.version === version,
          );
          if (!path) throw new Error(`there is no plugin of ${version}`);
          path.plugin.behave(answering);
          const failure = await refusal(sendQuery(path));
          assert.match(failure.code, code, failure.message);
          assert.match(failure.message, /faulty/);
          assert.not.match(failure.message, /127\.0\.0\.1:9|node_modules|\.ts:/);
          path.plugin.behave(undefined);
          assert.equal((await sendQuery(path)).data, expected);
          assert.is(await temporaryCount(), 0);
        },
      );
  }

  test("in a call with several queries, only the query with an invalid plugin response fails", async () => {
    for (const path of paths) {
      let count = 0;
      path.plugin.behave((response, good) =>
        ended(200, count++ === 1 ? "[[" : JSON.stringify(good))(response, good),
      );
      const answers = (await path.queries.answer(
        { queries: [groupedQuery, groupedQuery, groupedQuery] },
        principalOf("ada"),
        new AbortController().signal,
      )) as readonly (QueryAnswer & {
        readonly error?: { readonly type: { readonly code: string } };
      })[];
      const failed = answers.filter(({ error }) => error !== undefined);
      assert.equal(
        failed.map(({ data, error }) => [data, error?.type.code]),
        [[[], "PLUGIN_BAD_ANSWER"]],
      );
      assert.equal(
        answers.filter(({ error }) => error === undefined).map(({ data }) => data),
        [expected, expected],
      );
      path.plugin.behave(undefined);
    }
  });

  test("a plugin that fails every second call answers all other calls and leaves no temporary datasets", async () => {
    for (const path of paths) {
      let count = 0;
      path.plugin.behave((response, good) => {
        const bad = [
          ended(500, "broken"),
          changed((text) => text.slice(0, 9)),
          (late: typeof response) => void late.destroy(),
        ];
        if (count++ % 2 === 0) bad[(count >> 1) % bad.length]?.(response, good);
        else ended(200, JSON.stringify(good))(response, good);
      });
      const before = path.plugin.queryCount();
      const callCount = rounds({ quick: 8, deep: 24 });
      const answers = await Promise.allSettled(
        Array.from({ length: callCount }, () => sendQuery(path)),
      );
      const good = answers.filter((each) => each.status === "fulfilled");
      assert.is(path.plugin.queryCount() - before, callCount);
      assert.is(good.length, callCount / 2);
      for (const { value } of good) assert.equal(value.data, expected);
      for (const each of answers)
        if (each.status === "rejected")
          assert.match(
            (each.reason as { code: string }).code,
            /^PLUGIN_(BAD_ANSWER|SOURCE_FAILED)$/,
          );
      assert.is(await temporaryCount(), 0);
      path.plugin.behave(undefined);
    }
  });
});
