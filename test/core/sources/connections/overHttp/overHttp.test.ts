import * as assert from "uvu/assert";
import { connect } from "../../../../../core/sources/connections/connect.ts";
import type { Connection } from "../../../../../core/base/contracts/index.ts";
import { type Egress, openEgress } from "../../../../../core/sources/connections/egress.ts";
import {
  overHttp,
  type RemotePlugin,
} from "../../../../../core/sources/connections/overHttp/index.ts";
import {
  type Dataset,
  type Filter,
  type Query,
  type QueryColumn,
  rowsOfBatch,
} from "../../../../../plugins/protocol/index.ts";
import {
  type LegacyPlugin,
  type LegacyPluginOptions,
  openLegacyPlugin,
} from "../../../../support/legacyPlugin.ts";
import { suite } from "../../../../support/suite.ts";
import { failureOf } from "../../../../support/refused.ts";

const trips = {
  id: "public.trips",
  name: { en: "Trips" },
  columns: [
    { id: "city", name: { en: "City" }, type: "string", subtype: null },
    { id: "km", name: { en: "Km" }, type: "numeric", subtype: "duration" },
    { id: "at", name: "At", type: "datetime", subtype: "date" },
    { id: "paid", type: "boolean" },
    { id: "note", name: { en: "Note" }, type: "hierarchy" },
  ],
  rows: [
    ["Ghent", 3, "2024-01-05T00:00:00.000Z", true, "a"],
    ["Ghent", 1.5, "2024-01-20T00:00:00.000Z", false, "b"],
    ["Bruges", 5, "2024-02-01T00:00:00.000Z", true, null],
    [null, 2, "2024-02-02T00:00:00.000Z", null, "c"],
  ],
} as const;

const user = { id: "u1", name: "Ada", email: "ada@example.org", metadata: { tenant: "t1" } };
const tenant = { organization: "secret organization", user: "u1" };
const caller = () => ({ user, tenant, signal: new AbortController().signal });
const credentials = {
  host: "db.example.org",
  key: "ada",
  token: "pässword",
  properties: { Region: "eu", apiKey: "k-1" },
};

suite("core/sources/connections/overHttp/overHttp", (test) => {
  let egress: Egress;
  let plugin: LegacyPlugin | undefined;
  test.before(() => {
    egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 60_000, sizeBytes: 2 ** 20 });
  });
  test.afterEach(async () => {
    await plugin?.close();
    plugin = undefined;
  });
  test.after(() => egress.close());

  const open = async (
    options: Partial<LegacyPluginOptions> = {},
    remote: Partial<RemotePlugin> = {},
  ): Promise<{ plugin: LegacyPlugin; connection: Connection; dataset: Dataset }> => {
    const version = options.version ?? "3.0.0";
    const pushdown = options.pushdown ?? true;
    plugin = await openLegacyPlugin({
      version,
      pushdown,
      datasets: [trips],
      secret: "s3cret-of-host",
      ...options,
    });
    const bound = await overHttp(
      {
        slug: "trips",
        baseUrl: plugin.url,
        protocolVersion: version,
        secret: "s3cret-of-host",
        pushdown,
        supportsDistinctcount: false,
        ...remote,
      },
      egress,
    );
    const connection = connect({
      name: "trips",
      plugin: bound,
      credentials,
      fingerprint: "f",
      timeoutMs: 60_000,
      sizeBytes: 2 ** 20,
    });
    const [dataset] = await connection.datasets(caller());
    plugin.requests.length = 0;
    return { plugin, connection, dataset: dataset! };
  };
  const sendQuery = (
    columns: readonly QueryColumn[],
    filters: readonly Filter[] = [],
    pushdown = true,
  ): Query => ({
    id: "public.trips",
    columns,
    filters,
    options: { pushdown },
  });

  for (const version of ["1.0.0", "1.1.0", "2.0.0", "3.0.0"] as const)
    test(`a plugin of version ${version} lists its datasets in answer to ${version.startsWith("1.") ? "GET" : "POST"}`, async () => {
      const { connection, plugin } = await open({ version });
      const [dataset] = await connection.datasets(caller());
      assert.is(plugin.requests[0]?.method, version.startsWith("1.") ? "GET" : "POST");
      assert.equal(dataset, {
        id: "public.trips",
        name: { en: "Trips" },
        columns: [
          { id: "city", name: { en: "City" }, type: "hierarchy" },
          { id: "km", name: { en: "Km" }, type: "numeric", subtype: "duration" },
          { id: "at", name: { en: "At" }, type: "datetime", subtype: "date" },
          { id: "paid", name: { en: "paid" }, type: "hierarchy" },
          { id: "note", name: { en: "Note" }, type: "hierarchy" },
        ],
      });
      await connection.query(
        sendQuery([{ column_id: "km" }], [{ column_id: "km", expression: ">", value: [1] }], false),
        dataset!,
        caller(),
      );
      const expected =
        version === "1.0.0"
          ? undefined
          : [{ column_id: "km", expression: ">", value: [1], dataset_id: "public.trips" }];
      assert.equal(plugin.requests[1]?.body?.filters_all, expected);
    });

  test("filters on other datasets are sent in filters_all", async () => {
    const { connection, plugin, dataset } = await open({ version: "1.1.0" });
    const own = { column_id: "km", expression: "=", value: [1] } as const;
    const other = { column_id: "city", expression: "in", value: ["Ghent"] } as const;
    const nested = { or: [other, own] };
    const alongside = [
      { id: "public.cities", filters: [other, nested] },
      { id: "public.none", filters: [{ column_id: "x", expression: "in", value: [] } as const] },
    ];
    await connection.query(sendQuery([{ column_id: "km" }], [own], false), dataset, {
      ...caller(),
      alongside,
    });
    const sent = { ...own, expression: "in" };
    assert.equal(plugin.requests[0]?.body?.filters, [sent]);
    assert.equal(plugin.requests[0]?.body?.filters_all, [
      { ...sent, dataset_id: "public.trips" },
      { ...other, dataset_id: "public.cities" },
    ]);
  });

  test("each credential is sent in both forms of its header, even if it contains non-ASCII characters", async () => {
    const { connection, plugin } = await open();
    await connection.datasets(caller());
    const headers = plugin.requests[0]!.headers;
    const expected = {
      "x-secret": "s3cret-of-host",
      "x-key": "ada",
      "x-property-key": "ada",
      "x-token": "pässword",
      "x-property-token": "pässword",
      "x-host": "db.example.org",
      "x-property-host": "db.example.org",
      "x-property-region": "eu",
      "x-property-apikey": "k-1",
      "content-type": "application/json",
    };
    for (const [name, value] of Object.entries(expected)) assert.is(headers[name], value, name);
  });

  test("`authorize` sends the user and the credentials in the body and in the headers", async () => {
    const { connection, plugin } = await open({ authorize: { key: "ada", token: "pässword" } });
    await connection.authorize(caller());
    const { id, name, email, host, key, token } = plugin.requests[0]!.body!;
    assert.equal(
      { id, name, email, host, key, token },
      {
        id: "u1",
        name: "Ada",
        email: "ada@example.org",
        host: "db.example.org",
        key: "ada",
        token: "pässword",
      },
    );
  });

  test("a plugin without `authorize` accepts every credential", async () => {
    const { connection, plugin } = await open();
    await connection.authorize(caller());
    assert.is(plugin.requests[0]?.path, "/authorize");
  });

  test("rejected credentials fail with PLUGIN_FORBIDDEN, the plugin's own message and the connection's name", async () => {
    const { connection } = await open({ authorize: { key: "ada", token: "other" } });
    const failure = await failureOf(connection.authorize(caller()));
    assert.is(failure.code, "PLUGIN_FORBIDDEN");
    assert.match(failure.message, "Wrong user name or password");
    assert.match(failure.message, "(connection trips)");
  });

  test("a wrong secret fails with PLUGIN_FORBIDDEN", async () => {
    const opened = open({}, { secret: "wrong" });
    assert.is((await failureOf(opened)).code, "PLUGIN_FORBIDDEN");
  });

  test("grouping columns are sent first, and the cells of the answer have the requested order and types", async () => {
    const { connection, plugin, dataset } = await open();
    const columns: QueryColumn[] = [
      { column_id: "km", aggregation: "sum" },
      { column_id: "at", level: "month" },
      { column_id: "*", aggregation: "count" },
      { column_id: "city" },
      { column_id: "km", aggregation: "sum" },
    ];
    const batch = await connection.query(sendQuery(columns), dataset, caller());
    assert.equal(rowsOfBatch(batch), [
      [4.5, "2024-01-01T00:00:00.000Z", 2, "Ghent", 4.5],
      [5, "2024-02-01T00:00:00.000Z", 1, "Bruges", 5],
      [2, "2024-02-01T00:00:00.000Z", 1, null, 2],
    ]);
    assert.equal(plugin.requests[0]?.body?.columns, [
      { column_id: "at", level: "month", type: "datetime" },
      { column_id: "city", type: "hierarchy" },
      { column_id: "km", aggregation: "sum", type: "numeric" },
      { column_id: "*", aggregation: "count" },
    ]);
    assert.equal(plugin.requests[0]?.body?.options, { pushdown: true });
    assert.equal(plugin.requests[0]?.body?.user, user);
    assert.not.match(JSON.stringify(plugin.requests), "secret organization");
  });

  test("a byte order mark before JSON is ignored", async () => {
    const { connection, plugin, dataset } = await open({ pushdown: false });
    const answered = await connection.datasets(caller());
    const { name, columns } = trips;
    plugin.answerNext("/datasets", (response) =>
      response.end(`\ufeff${JSON.stringify([{ id: trips.id, name, columns }])}`),
    );
    assert.equal(await connection.datasets(caller()), answered);
    plugin.answerNext("/query", (response) => response.end(`\ufeff${JSON.stringify(trips.rows)}`));
    const query = sendQuery([{ column_id: "km" }], [], false);
    const marked = await connection.query(query, dataset, caller());
    assert.equal(marked, await connection.query(query, dataset, caller()));
  });

  test("boolean cells are read as strings", async () => {
    const { connection, dataset } = await open();
    const batch = await connection.query(
      sendQuery([{ column_id: "paid" }], [], false),
      dataset,
      caller(),
    );
    assert.equal(rowsOfBatch(batch), [["true"], ["false"], ["true"], [null]]);
  });

  test("a basic plugin returns all columns of all rows", async () => {
    const { connection, dataset } = await open({ pushdown: false });
    assert.equal(connection.capabilities, {});
    const batch = await connection.query(
      sendQuery([{ column_id: "km" }], [], false),
      dataset,
      caller(),
    );
    assert.is(batch.columns.length, 5);
    assert.equal(rowsOfBatch(batch)[2], ["Bruges", 5, "2024-02-01T00:00:00.000Z", "true", null]);
  });

  test("a cell that would lose digits fails only queries that read its column", async () => {
    const { connection, dataset } = await open({
      pushdown: false,
      datasets: [{ ...trips, rows: [["Ghent", "9007199254740993", null, true, "a"]] }],
    });
    const query = sendQuery([{ column_id: "city" }, { column_id: "km" }], [], false);
    const failure = await failureOf(connection.query(query, dataset, caller()));
    assert.match(failure.message, /row 0 of column "km" must be a number that keeps its digits/);
    const batch = await connection.query(query, dataset, { ...caller(), unread: ["km"] });
    assert.equal(rowsOfBatch(batch), [["Ghent", null, null, "true", "a"]]);
  });

  test("if a basic plugin has added a column, the host still finds the known columns by id", async () => {
    const { connection, dataset } = await open({ pushdown: false });
    const known = { ...dataset, columns: [dataset.columns[1]!, dataset.columns[0]!] };
    const batch = await connection.query(
      sendQuery([{ column_id: "km" }], [], false),
      known,
      caller(),
    );
    assert.equal(rowsOfBatch(batch)[0], [3, "Ghent"]);
  });

  test("`=` and `!=` are sent as `in` and `not in`, which every existing plugin supports", async () => {
    const { connection, plugin, dataset } = await open();
    const filters: Filter[] = [
      { column_id: "note", expression: "!=", value: ["a"] },
      { column_id: "km", expression: "=", value: [2] },
    ];
    const batch = await connection.query(
      sendQuery([{ column_id: "note" }], filters),
      dataset,
      caller(),
    );
    assert.equal(rowsOfBatch(batch), [["c"]]);
    assert.equal(
      plugin.requests.map(({ body }) => body?.filters),
      [
        [
          { column_id: "note", expression: "not in", value: ["a"] },
          { column_id: "km", expression: "in", value: [2] },
        ],
      ],
    );
  });

  test("a null in the list of a `not in` test is sent as a separate test", async () => {
    const { connection, plugin, dataset } = await open();
    const filters: Filter[] = [{ column_id: "city", expression: "not in", value: ["Ghent", null] }];
    const batch = await connection.query(
      sendQuery([{ column_id: "city" }], filters),
      dataset,
      caller(),
    );
    assert.equal(rowsOfBatch(batch), [["Bruges"]]);
    assert.equal(plugin.requests[0]?.body?.filters, [
      { column_id: "city", expression: "not in", value: ["Ghent"] },
      { column_id: "city", expression: "is not null" },
    ]);
  });

  for (const version of ["1.0.0", "2.0.0"] as const)
    test(`a basic plugin of version ${version} receives the filters that the host tests itself`, async () => {
      const { connection, plugin, dataset } = await open({ version, pushdown: false });
      const hints: Filter[] = [
        { column_id: "city", expression: "=", value: ["Ghent"] },
        { or: [{ column_id: "km", expression: ">", value: [1] }] },
        { column_id: "city", expression: "like", value: ["G"] },
      ];
      const batch = await connection.query(sendQuery([{ column_id: "km" }], [], false), dataset, {
        ...caller(),
        hints,
      });
      assert.is(batch.rowCount, 4);
      const told = { column_id: "city", expression: "in", value: ["Ghent"] };
      const body = plugin.requests.at(-1)?.body;
      assert.equal(body?.filters, [told]);
      const all = version === "1.0.0" ? undefined : [{ ...told, dataset_id: dataset.id }];
      assert.equal(body?.filters_all, all);
    });

  test("null tests are sent without a value, and a list of only null becomes a null test", async () => {
    const { connection, plugin, dataset } = await open();
    const filters: Filter[] = [
      { column_id: "city", expression: "is null" },
      { column_id: "note", expression: "not in", value: [null] },
      { column_id: "paid", expression: "in", value: [null] },
      { column_id: "km", expression: "not in", value: [] },
    ];
    const batch = await connection.query(
      sendQuery([{ column_id: "km" }], filters),
      dataset,
      caller(),
    );
    assert.equal(rowsOfBatch(batch), [[2]]);
    assert.equal(plugin.requests[0]?.body?.filters, [
      { column_id: "city", expression: "is null" },
      { column_id: "note", expression: "is not null" },
      { column_id: "paid", expression: "is null" },
    ]);
  });

  test("a filter with an empty list matches no rows, so the plugin is not called", async () => {
    const { connection, plugin, dataset } = await open();
    const filters: Filter[] = [{ column_id: "city", expression: "in", value: [] }];
    const grouped = await connection.query(
      sendQuery([{ column_id: "city" }], filters),
      dataset,
      caller(),
    );
    const measures: QueryColumn[] = [
      { column_id: "*", aggregation: "count" },
      { column_id: "km", aggregation: "sum" },
    ];
    const total = await connection.query(sendQuery(measures, filters), dataset, caller());
    assert.equal([rowsOfBatch(grouped), rowsOfBatch(total)], [[], [[0, null]]]);
    assert.is(plugin.requests.length, 0);
  });

  test("measures over no rows return one row, even if the plugin returns none", async () => {
    const { connection, plugin, dataset } = await open();
    plugin.answerNext("/query", (response) => response.end("[]"));
    const batch = await connection.query(
      sendQuery([{ column_id: "km", aggregation: "count" }]),
      dataset,
      caller(),
    );
    assert.equal(rowsOfBatch(batch), [[0]]);
  });

  test("a plugin counts distinct values if it declares that capability", async () => {
    const { connection, dataset } = await open({}, { supportsDistinctcount: true });
    const columns: QueryColumn[] = [{ column_id: "city", aggregation: "distinctcount" }];
    assert.equal(rowsOfBatch(await connection.query(sendQuery(columns), dataset, caller())), [[2]]);
  });

  const notOffered: readonly (readonly [string, Partial<Query>])[] = [
    ["average", { columns: [{ column_id: "km", aggregation: "average" }] }],
    [
      "a distinct count that the plugin does not declare",
      { columns: [{ column_id: "city", aggregation: "min" }] },
    ],
    ["nested filters", { filters: [{ or: [] }] }],
    ["like", { filters: [{ column_id: "city", expression: "like", value: ["G"] }] }],
    [
      "a level in a filter",
      {
        filters: [
          { column_id: "at", expression: "=", value: ["2024-01-01T00:00:00.000Z"], level: "month" },
        ],
      },
    ],
    ["order", { order: [{ column: 0, order: "asc" }] }],
    ["limit", { limit: { by: 1 } }],
    ["having", { having: [{ column: 0, expression: "is null" }] }],
    [
      "a level in another time zone",
      {
        columns: [{ column_id: "at", level: "day" }],
        options: { pushdown: true, timezone_id: "Europe/Paris" },
      },
    ],
  ];
  for (const [what, part] of notOffered)
    test(`a query with ${what} fails if the plugin does not offer this capability`, async () => {
      const { connection, plugin, dataset } = await open();
      const query = { ...sendQuery([{ column_id: "city" }]), ...part };
      assert.is(
        (await failureOf(connection.query(query, dataset, caller()))).code,
        "PLUGIN_NOT_OFFERED",
      );
      assert.is(plugin.requests.length, 0);
    });

  const faults: readonly (readonly [string, number, string, string, RegExp])[] = [
    [
      "an error in plain text",
      500,
      "relation missing",
      "PLUGIN_SOURCE_FAILED",
      /relation missing \(\/query, status 500\)/,
    ],
    ["an error in a JSON string", 400, '"Bad host"', "PLUGIN_MALFORMED", /Bad host/],
    [
      "an error in an object with code and message",
      404,
      '{"type":{"code":404,"description":"NotFound"},"message":"no such table"}',
      "PLUGIN_INVALID",
      /no such table/,
    ],
    [
      "an error in an HTML page",
      502,
      "<html><b>nginx</b></html>",
      "PLUGIN_SOURCE_FAILED",
      /an HTML page/,
    ],
    ["status 429", 429, "slow down", "PLUGIN_BUSY", /slow down/],
    ["status 504", 504, "late", "PLUGIN_TIMEOUT", /late/],
    [
      "control characters in an error",
      500,
      "a\u0000b\u202Ec\r\nd",
      "PLUGIN_SOURCE_FAILED",
      /a b c d/,
    ],
    [
      "the host's secrets in an error",
      500,
      "bad s3cret-of-host for k-1x p\u00e4ssword",
      "PLUGIN_SOURCE_FAILED",
      /bad \*\*\* for k-1x \*\*\*/,
    ],
    ["truncated JSON", 200, "[[1,2", "PLUGIN_BAD_ANSWER", /not JSON/],
    ["an HTML page instead of rows", 200, "<html>", "PLUGIN_BAD_ANSWER", /an HTML page/],
    ["an object instead of rows", 200, '{"rows":[]}', "PLUGIN_BAD_ANSWER", /must return an array/],
    [
      "a row that is not an array",
      200,
      "[[1],{}]",
      "PLUGIN_BAD_ANSWER",
      /row 1 must be an array, not an object/,
    ],
    [
      "a row that is too wide",
      200,
      "[[1],[1,2]]",
      "PLUGIN_BAD_ANSWER",
      /row 1 has 2 cells; it must have one per column, 1/,
    ],
    [
      "a string in a number column",
      200,
      '[["x"]]',
      "PLUGIN_BAD_ANSWER",
      /row 0 of column "km" must be a number, not another string/,
    ],
    [
      "a number larger than any double",
      200,
      '[["1e400"]]',
      "PLUGIN_BAD_ANSWER",
      /must be a number/,
    ],
    [
      "an object as a cell",
      200,
      '[[{"__proto__":1}]]',
      "PLUGIN_BAD_ANSWER",
      /must be a number, not an object/,
    ],
    ["a redirect", 302, "", "PLUGIN_SOURCE_FAILED", /redirect/],
  ];
  for (const [what, status, text, code, message] of faults)
    test(`an answer with ${what} fails with ${code}`, async () => {
      const { connection, plugin, dataset } = await open();
      plugin.answerNext("/query", (response) => {
        response
          .writeHead(status, { "Content-Type": "application/json", Location: plugin.url })
          .end(text);
      });
      const query = sendQuery([{ column_id: "km" }], [], false);
      const failure = await failureOf(connection.query(query, dataset, caller()));
      assert.is(failure.code, code);
      assert.match(failure.message, message);
      assert.not.match(failure.message, "s3cret-of-host");
      assert.ok(failure.message.length < 700);
    });

  const lists: readonly (readonly [string, unknown, RegExp])[] = [
    ["an object around the list", { data: [] }, /must return an array/],
    ["a dataset without an id", [{ columns: [] }], /dataset 0 must have an id/],
    [
      "two datasets with the same id",
      [
        { id: "a", columns: [] },
        { id: "a", columns: [] },
      ],
      /the dataset "a" must occur only once/,
    ],
    [
      "two columns with the same id",
      [{ id: "a", columns: [{ id: "x" }, { id: "x" }] }],
      /column of dataset "a" "x"/,
    ],
    ["a dataset without columns", [{ id: "a" }], /"a" must have a list of columns/],
    [
      "a string as a column",
      [{ id: "a", columns: ["x"] }],
      /column 0 of dataset "a" must be an object/,
    ],
  ];
  for (const [what, answer, message] of lists)
    test(`a list of datasets with ${what} fails, and the error names the member`, async () => {
      const { connection, plugin } = await open();
      plugin.answerNext("/datasets", (response) => response.end(JSON.stringify(answer)));
      const failure = await failureOf(connection.datasets(caller()));
      assert.is(failure.code, "PLUGIN_BAD_ANSWER");
      assert.match(failure.message, message);
    });

  test("a credential with a line break fails, and the error names the credential without its value", async () => {
    const { plugin } = await open();
    const bound = await overHttp(
      {
        slug: "x",
        baseUrl: plugin.url,
        protocolVersion: "3.0.0",
        pushdown: true,
        supportsDistinctcount: false,
      },
      egress,
    );
    const bad = { properties: { region: "eu\r\nX-Evil: 1" } };
    const failure = await failureOf(bound.datasets({ credentials: bad, signal: caller().signal }));
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, "region");
    assert.not.match(failure.message, "Evil");
  });

  test("malformed capabilities of a manifold-1 plugin fail, and the error names the member", async () => {
    const { plugin } = await open();
    plugin.answerNext("/capabilities", (response) =>
      response.end('{"filters":{"operators":[]},"limit":1}'),
    );
    const remote = {
      slug: "x",
      baseUrl: plugin.url,
      protocolVersion: "manifold-1",
      pushdown: false,
      supportsDistinctcount: false,
    } as const;
    const failure = await failureOf(overHttp(remote, egress));
    assert.is(failure.code, "PLUGIN_BAD_ANSWER");
    assert.match(failure.message, "/capabilities is not valid at /");
  });

  for (const baseUrl of [
    "ftp://example.org",
    "http://a:b@example.org",
    "http://example.org/?x=1",
    "http://example.org/#x",
    "nothing",
  ])
    test(`the base_url ${baseUrl} is rejected`, async () => {
      const remote = {
        slug: "x",
        baseUrl,
        protocolVersion: "3.0.0",
        pushdown: false,
        supportsDistinctcount: false,
      } as const;
      assert.is((await failureOf(overHttp(remote, egress))).code, "PLUGIN_INVALID");
    });

  test("`exchange` sends a code to the plugin's provider and returns the credentials that it gets", async () => {
    const { plugin } = await open();
    const bound = await overHttp(
      {
        slug: "x",
        baseUrl: plugin.url,
        protocolVersion: "2.0.0",
        secret: "s3cret-of-host",
        pushdown: false,
        supportsDistinctcount: false,
      },
      egress,
    );
    const traded = await bound.exchange?.({
      code: "c1",
      credentials: { properties: {} },
      signal: caller().signal,
    });
    assert.equal(traded, { access_token: "access-c1", refresh_token: "refresh" });
  });
});
