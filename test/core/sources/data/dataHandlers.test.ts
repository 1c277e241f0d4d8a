import * as assert from "uvu/assert";
import { UnparsedJson, type ApiCall, type Principal } from "../../../../core/base/index.ts";
import { dataHandlers, pushRowLimit, reconcileStore } from "../../../../core/sources/data/index.ts";
import { createQueries } from "../../../../core/queries/index.ts";
import { PluginError, type Plugin } from "../../../../plugins/protocol/index.ts";
import { silentLog } from "../../../support/catalog.ts";
import { createMemoryRecords } from "../../../support/memoryRecords.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { createPlainOutbox } from "../../../support/plainOutbox.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { readAnswer } from "../../../support/readAnswer.ts";
import { suite } from "../../../support/suite.ts";
import { refusal } from "../../../support/refused.ts";

type Json = Readonly<Record<string, unknown>>;

const principalOf = (userId: string): Principal => ({
  authorizationId: "a",
  authorizationType: "api",
  userId,
  organizationId: "o",
  organizationRole: "member",
  name: userId,
  email: `${userId}@example.org`,
});

function openHost(
  wrap: (plugin: Plugin) => Plugin = (plugin) => plugin,
  warn: (details: object, message: string) => void = silentLog.warn,
) {
  const store = createPlainPlugin();
  const records = createMemoryRecords();
  const connections = createPlainConnections({ store: wrap(store), scratch: createPlainPlugin() });
  const queries = createQueries({ records, connections, rowFilters: async () => [] });
  const outbox = createPlainOutbox(records, connections);
  const handlers = dataHandlers({
    records,
    connections,
    queries,
    outbox,
    refuseFilteredColumns: async () => undefined,
    log: { warn },
  });
  const call = (body: Json, userId: string): ApiCall => ({
    resource: "data",
    action: "create",
    body,
    principal: principalOf(userId),
    requestId: "r",
    address: undefined,
    signal: new AbortController().signal,
  });
  const answer = async (properties: unknown, userId = "ada") =>
    (await handlers.create(call({ properties }, userId))) as {
      readonly rows: readonly (Json & { id: string; columns: Json[] })[];
      readonly warnings?: readonly string[];
    };
  const push = async (
    properties: unknown,
    userId = "ada",
  ): Promise<Json & { id: string; columns: Json[] }> => {
    const { rows } = await answer(properties, userId);
    return rows[0] as never;
  };
  const get = (find: unknown, userId = "ada") =>
    readAnswer(handlers.get(call(find === undefined ? {} : { find }, userId)));
  const read = async (dataset: { id: string; columns: Json[] }): Promise<unknown[][]> => {
    const dimensions = dataset.columns.map((column) => ({
      column_id: column["id"],
      dataset_id: dataset.id,
    }));
    const answer = (await get({ dimensions, options: { rollup_data: false } })) as {
      data: unknown[][];
    };
    return answer.data.map((row) =>
      row.map((cell) => (typeof cell === "object" && cell !== null ? (cell as Json)["id"] : cell)),
    );
  };
  const validate = (properties: unknown) => handlers.validate(call({ properties }, "ada"));
  return { store, records, connections, outbox, answer, push, get, read, validate };
}

/** Returns rows that the body of a push left as JSON. */
function leftJson(json: string): UnparsedJson {
  return new UnparsedJson(new TextEncoder().encode(json), async () => JSON.parse(json));
}

suite("core/sources/data/dataHandlers", (test) => {
  test("rows are parsed, and a warning is logged, if the thread that decodes them fails", async () => {
    for (const code of ["PLUGIN_BUG", "PLUGIN_INVALID"] as const) {
      const warnings: unknown[] = [];
      const decode = async () => {
        throw new PluginError(code, ["a worker failed"]);
      };
      const { push, read } = openHost(
        (plugin) => ({ ...plugin, decode }),
        (_, message) => warnings.push(message),
      );
      const dataset = await push({ type: "create", data: leftJson('[["a",1],["b",2]]') });
      assert.equal(await read(dataset), [
        ["a", 1],
        ["b", 2],
      ]);
      assert.equal(warnings, ["a thread failed while it decoded the rows of a push"]);
    }
  });

  test("a push fails if its rows are not decoded in time, because a thread may still read them", async () => {
    const decode = async () => {
      throw new PluginError("PLUGIN_TIMEOUT", ["more than 5 ms"]);
    };
    const { answer, validate } = openHost((plugin) => ({ ...plugin, decode }));
    const properties = { type: "create", data: leftJson('[["a",1]]') };
    for (const call of [answer, validate]) {
      const failure = await refusal(call(properties));
      assert.is(failure.code, "PLUGIN_TIMEOUT");
    }
  });

  test("`create` returns a new dataset with detected columns", async () => {
    const { push, read } = openHost();
    const data = [
      ["Ghent", 3, "2024-01-02", "2024-01-02T03:04:05Z", null, 7],
      [null, 1.5, "2024-01-03", "2024-01-02", null, "seven"],
    ];
    const header = ["city", "km", "day", "at", "nothing", "mixed"];
    const dataset = await push({
      type: "create",
      data,
      options: { header, name: { en: "Trips" } },
    });
    assert.is(dataset["type"], "dataset");
    assert.is(dataset["subtype"], "api");
    assert.is(dataset["storage"], "plainstore");
    assert.is(dataset["rows"], 2);
    assert.is(dataset["owner_id"], "ada");
    assert.equal(dataset["name"], { en: "Trips" });
    assert.equal(
      dataset.columns.map((column) => column["source_name"]),
      header,
    );
    assert.equal(
      dataset.columns.map((column) => column["order"]),
      [0, 1, 2, 3, 4, 5],
    );
    assert.equal(
      dataset.columns.map((column) => [column["type"], column["subtype"], column["lowestLevel"]]),
      [
        ["hierarchy", null, 0],
        ["numeric", null, 0],
        ["datetime", "date", 5],
        ["datetime", null, 9],
        ["hierarchy", null, 0],
        ["hierarchy", null, 0],
      ],
    );
    const ids = (type: string) =>
      dataset.columns.filter((column) => column["type"] === type).map((column) => column["id"]);
    assert.equal(dataset["shared_storage_metadata"], {
      numeric: ids("numeric"),
      hierarchy: ids("hierarchy"),
    });
    assert.equal(await read(dataset), [
      ["Ghent", 3, "2024-01-02T00:00:00.000Z", "2024-01-02T03:04:05.000Z", null, "7"],
      [null, 1.5, "2024-01-03T00:00:00.000Z", "2024-01-02T00:00:00.000Z", null, "seven"],
    ]);
  });

  test("column statistics cover all rows of the dataset after every push", async () => {
    const { push } = openHost();
    const header = ["city", "km", "day"];
    const told = ({ columns }: { readonly columns: readonly Json[] }) =>
      columns.map(({ cardinality, minimum, maximum, minBound, maxBound }) => {
        assert.equal([minBound, maxBound], [minimum, maximum]);
        return [cardinality, minimum, maximum];
      });
    const day = (text: string) => Date.parse(text);
    const made = await push({
      type: "create",
      data: [
        ["Ghent", 3, "2024-01-02"],
        ["Ghent", -1.5, null],
        [null, 3, "2024-01-01"],
      ],
      options: { header },
    });
    assert.equal(told(made), [
      [1, null, null],
      [2, -1.5, 3],
      [2, day("2024-01-01"), day("2024-01-02")],
    ]);
    const appended = await push({
      securable_id: made.id,
      data: [
        ["Lille", 7, "2023-12-31"],
        ["Ghent", null, "2024-01-01"],
      ],
    });
    assert.equal(told(appended), [
      [2, null, null],
      [3, -1.5, 7],
      [3, day("2023-12-31"), day("2024-01-02")],
    ]);
    const widened = await push({
      securable_id: made.id,
      data: [["Bruges", "new"]],
      options: { header: ["city", "more"], update_metadata: true },
    });
    assert.equal(told(widened).slice(0, 1), [[3, null, null]]);
    assert.equal(told(widened).slice(3), [[1, null, null]]);
    const replaced = await push({
      type: "replace",
      securable_id: made.id,
      data: [["Lille", 5]],
      options: { header: ["city", "km"] },
    });
    const nothing = [0, null, null];
    assert.equal(told(replaced), [[1, null, null], [1, 5, 5], nothing, nothing]);
    const emptied = await push({ type: "replace", securable_id: made.id, data: [] });
    assert.equal(told(emptied), [nothing, nothing, nothing, nothing]);
  });

  test("a push succeeds without statistics if the store cannot compute them", async () => {
    const { push, read } = openHost((plugin) => ({
      ...plugin,
      async query(call) {
        const isMeasuring = call.query.columns.some(({ aggregation }) => aggregation);
        if (isMeasuring) throw new PluginError("PLUGIN_SOURCE_FAILED", ["the disk is slow"]);
        return plugin.query(call);
      },
    }));
    const made = await push({ type: "create", data: [["a", 1]], options: { header: ["c", "n"] } });
    const appended = await push({ securable_id: made.id, data: [["b", 2]] });
    for (const column of appended.columns)
      assert.equal([column["cardinality"], column["maximum"]], [null, null]);
    assert.is((await read(made)).length, 2);
  });

  test("dates in a single format become datetimes, and later pushes must have that format", async () => {
    const { push, read } = openHost();
    const header = ["day", "at", "american"];
    const data = [
      ["05-01-2024", "31/12/2023 10:30", "12/31/2023"],
      ["2024-01-06", null, "01/05/2024"],
      ["25-01-2024", "01/02/2024 00:00", null],
    ];
    const made = await push({ type: "create", data, options: { header } });
    assert.equal(
      made.columns.map(({ type, subtype, informat }) => [type, subtype, informat]),
      [
        ["datetime", "date", "DD-MM-YYYY"],
        ["datetime", null, "DD-MM-YYYY HH:mm:ss.SSS"],
        ["datetime", "date", "MM-DD-YYYY"],
      ],
    );
    await push({ securable_id: made.id, data: [["01-02-2024", "01/02/2024 00:00", "01/02/2024"]] });
    assert.equal(
      await read(made),
      [
        ["2024-01-05T00:00:00.000Z", "2023-12-31T10:30:00.000Z", "2023-12-31T00:00:00.000Z"],
        ["2024-01-06T00:00:00.000Z", null, "2024-01-05T00:00:00.000Z"],
        ["2024-01-25T00:00:00.000Z", "2024-02-01T00:00:00.000Z", null],
        ["2024-02-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z", "2024-01-02T00:00:00.000Z"],
      ].toSorted(),
    );
    const { message } = await refusal(
      push({ securable_id: made.id, data: [["13-13-2024", null, null]] }),
    );
    assert.match(message, /row 1.*column 1.*does not match its informat/);
  });

  test("dates that fit several formats or none stay strings, with a warning", async () => {
    const { answer } = openHost();
    const header = ["either", "both", "mostly", "text"];
    const data = [
      ["05-01-2024", "25-01-2024", "25-01-2024", "a"],
      ["06-02-2024", "01-25-2024", "26-01-2024", "25-01-2024"],
      [null, null, "unknown", "b"],
    ];
    const { rows, warnings } = await answer({ type: "create", data, options: { header } });
    assert.equal(
      rows[0]?.columns.map(({ type, informat }) => [type, informat]),
      header.map(() => ["hierarchy", "hierarchy"]),
    );
    const hint = "send ISO dates, or first create the column with type datetime and its informat";
    assert.equal(warnings, [
      `the column "either" is stored as text: both DD-MM-YYYY and MM-DD-YYYY fit all values; ${hint}`,
      `the column "both" is stored as text: row 1 has the day before the month, but row 2 has it after the month; ${hint}`,
      `the column "mostly" is stored as text: most values are dates, but the value in row 3 is not; ${hint}`,
    ]);
    const added = await answer({
      type: "append",
      securable_id: rows[0]?.id,
      data: [["01-02-2024"]],
      options: { header: ["more"], update_metadata: true },
    });
    assert.match(String(added.warnings), 'the column "more" is stored as text');
    assert.is((await answer({ type: "create", data: [["a"]] })).warnings, undefined);
  });

  test("`create` without a header names columns by position", async () => {
    const { push } = openHost();
    const dataset = await push({ type: "create", data: [["a", 1]] });
    assert.equal(
      dataset.columns.map((column) => column["source_name"]),
      ["column_1", "column_2"],
    );
  });

  test("`create` with a header but no rows creates an empty dataset", async () => {
    const { push, read } = openHost();
    const dataset = await push({ type: "create", data: [], options: { header: ["a"] } });
    assert.is(dataset["rows"], 0);
    assert.equal(await read(dataset), []);
  });

  test("a push without a type appends rows, by name if it has a header and otherwise by position", async () => {
    const { push, read } = openHost();
    const made = await push({
      type: "create",
      data: [["a", 1]],
      options: { header: ["city", "km"] },
    });
    await push({ securable_id: made.id, data: [["b", 2]] });
    const last = await push({
      securable_id: made.id,
      data: [[3, "c"]],
      options: { header: ["km", "city"] },
    });
    await push({ securable_id: made.id, data: [["d"]], options: { header: ["city"] } });
    assert.is(last["rows"], 3);
    assert.is.not(last["shared_storage_version"], made["shared_storage_version"]);
    assert.equal(await read(made), [
      ["a", 1],
      ["b", 2],
      ["c", 3],
      ["d", null],
    ]);
  });

  test("`append` with `update_metadata` adds new columns at the end, which are null in existing rows", async () => {
    const { push, read } = openHost();
    const made = await push({ type: "create", data: [["a"]], options: { header: ["city"] } });
    const grown = await push({
      type: "append",
      securable_id: made.id,
      data: [[5, "b"]],
      options: { header: ["km", "city"], update_metadata: true },
    });
    assert.equal(
      grown.columns.map((column) => [column["source_name"], column["order"], column["type"]]),
      [
        ["city", 0, "hierarchy"],
        ["km", 1, "numeric"],
      ],
    );
    assert.equal(await read(grown), [
      ["a", null],
      ["b", 5],
    ]);
  });

  test("`replace` drops all rows and keeps the columns", async () => {
    const { push, read } = openHost();
    const made = await push({
      type: "create",
      data: [["a", 1]],
      options: { header: ["city", "km"] },
    });
    const replaced = await push({ type: "replace", securable_id: made.id, data: [["z", 9]] });
    assert.equal(
      replaced.columns.map((column) => column["id"]),
      made.columns.map((column) => column["id"]),
    );
    assert.equal(await read(replaced), [["z", 9]]);
    const emptied = await push({ type: "replace", securable_id: made.id, data: [] });
    assert.is(emptied["rows"], 0);
    assert.equal(await read(emptied), []);
  });

  test("`replace` with `update_metadata` adds, removes and reorders columns, and existing columns keep their ids", async () => {
    const { push, read } = openHost();
    const made = await push({
      type: "create",
      data: [["a", 1, 2]],
      options: { header: ["city", "km", "old"] },
    });
    const reshaped = await push({
      type: "replace",
      securable_id: made.id,
      data: [[4, "2024-05-06", "b"]],
      options: { header: ["km", "day", "city"], update_metadata: true },
    });
    assert.equal(
      reshaped.columns.map((column) => column["source_name"]),
      ["km", "day", "city"],
    );
    assert.is(reshaped.columns[0]?.["id"], made.columns[1]?.["id"]);
    assert.is(reshaped.columns[2]?.["id"], made.columns[0]?.["id"]);
    assert.equal(await read(reshaped), [[4, "2024-05-06T00:00:00.000Z", "b"]]);
  });

  test("a cell that cannot be stored fails the whole push, and the error names the row and column", async () => {
    const { push, read, store } = openHost();
    const header = ["city", "km", "at"];
    const good = ["a", 1, "2024-01-01"];
    const made = await push({ type: "create", data: [good], options: { header } });
    const wrong: readonly (readonly [unknown[], RegExp])[] = [
      [
        [true, 1, null],
        /row 2, column 1 \(city\), counted from 1: a cell cannot be a boolean; send it as a string/,
      ],
      [[["x"], 1, null], /column 1 \(city\).*a cell cannot be a list/],
      [[{ x: 1 }, 1, null], /column 1 \(city\).*a cell cannot be an object/],
      [
        ["a", "1 km", null],
        /column 2 \(km\).*a numeric column cannot be a string other than a number such as 12\.5; send a JSON number/,
      ],
      [["a", Number.NaN, null], /column 2 \(km\).*must be finite/],
      [["a", Number.POSITIVE_INFINITY, null], /column 2 \(km\).*must be finite/],
      [["a", 2 ** 53, null], /column 2 \(km\).*beyond 2\^53/],
      [["a", 1, "yesterday"], /column 3 \(at\).*not an ISO date-time/],
      [["a", 1, "2024-02-30"], /column 3 \(at\).*not an ISO date-time/],
      [["a", 1, 1704067200000], /column 3 \(at\).*a cell of a datetime column cannot be a number/],
    ];
    for (const [row, message] of wrong) {
      const refused = await refusal(push({ securable_id: made.id, data: [good, row] }));
      assert.is(refused.code, "DATA_CELL_INVALID", String(message));
      assert.is(refused.status, 422);
      assert.match(refused.message, message);
    }
    assert.equal(await read(made), [["a", 1, "2024-01-01T00:00:00.000Z"]]);
    const before = (
      await store.datasets({
        credentials: { properties: {} },
        signal: new AbortController().signal,
      })
    ).length;
    assert.match(
      (await refusal(push({ type: "create", data: [["a"], [false]] }))).message,
      /row 2, column 1 \(column_1\)/,
    );
    assert.is(
      (
        await store.datasets({
          credentials: { properties: {} },
          signal: new AbortController().signal,
        })
      ).length,
      before,
    );
  });

  test("a string that is exactly a number is stored in an existing numeric column, with a warning", async () => {
    const { push, answer, read } = openHost();
    const made = await push({
      type: "create",
      data: [["sour", 1]],
      options: { header: ["taste", "count"] },
    });
    const rows = [
      ["sweet", "126"],
      ["salty", "-1.5e1"],
      ["bitter", 7],
    ];
    for (const data of [rows, leftJson(JSON.stringify(rows))]) {
      const { warnings } = (await answer({ securable_id: made.id, type: "replace", data })) as {
        warnings?: unknown;
      };
      assert.equal(warnings, [
        '2 strings were read as numbers in the column "count"; send JSON numbers',
      ]);
      assert.equal((await read(made)).toSorted(), [
        ["bitter", 7],
        ["salty", -15],
        ["sweet", 126],
      ]);
    }
    for (const text of ["", " 1", "+1", "01", "1,5", "0x1", "1e999", "NaN", "9007199254740993"])
      assert.is(
        (await refusal(push({ securable_id: made.id, data: [["a", text]] }))).code,
        "DATA_CELL_INVALID",
        text,
      );
  });

  test("a malformed push fails with 400, and the error names the member", async () => {
    const { push } = openHost();
    const made = await push({
      type: "create",
      data: [["a", 1]],
      options: { header: ["city", "km"] },
    });
    const id = made.id;
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /^properties is required/],
      [[], /properties\.securable_id is required/],
      [
        { type: "upsert", securable_id: id, data: [] },
        /properties\.type.*create, append or replace/,
      ],
      [{ data: [["a", 1]] }, /properties\.securable_id is required/],
      [
        { type: "create", securable_id: id, data: [["a"]] },
        /properties\.securable_id.*use append or replace/,
      ],
      [{ securable_id: id }, /properties\.data is required/],
      [{ securable_id: id, data: "a" }, /properties\.data is not valid/],
      [{ securable_id: id, data: [["a", 1], "b"] }, /row 2, counted from 1.*a list of cells/],
      [
        { securable_id: id, data: [["a", 1], ["b"]] },
        /row 2, counted from 1.*has 1 cells, but the first row has 2/,
      ],
      [
        { securable_id: id, data: [["a", 1, 2]] },
        /row 1.*it has 3 cells, but the dataset has 2 columns/,
      ],
      [
        { securable_id: id, data: [["a"]], options: { header: ["city", "km"] } },
        /has 1 cells, but the header has 2/,
      ],
      [
        { securable_id: id, data: [["a"]], options: { header: ["town"] } },
        /no column "town"; it has "city", "km".*update_metadata/,
      ],
      [
        { securable_id: id, data: [["a", "b"]], options: { header: ["city", "city"] } },
        /city appears twice/,
      ],
      [{ securable_id: id, data: [["a"]], options: { header: [1] } }, /options\.header/],
      [
        { securable_id: id, data: [], options: { header: [] } },
        /options\.header.*at least one column/,
      ],
      [
        { securable_id: id, data: [], options: { update_metadata: "yes" } },
        /options\.update_metadata/,
      ],
      [{ securable_id: id, data: [], options: "x" }, /properties\.options/],
      [{ type: "create", data: [], options: {} }, /options\.header is required/],
      [{ type: "create", data: [[]] }, /row 1, counted from 1/],
      [{ type: "create", data: [["a"]], options: { name: { en: 1 } } }, /options\.name/],
    ];
    for (const [properties, message] of cases) {
      const refused = await refusal(push(properties));
      assert.is(refused.status, 400, `${message}: ${refused.message}`);
      assert.match(refused.message, message);
    }
  });

  test("a push with one row more than the limit fails with 413, and the error names the limit", async () => {
    const { push, read } = openHost();
    const made = await push({ type: "create", data: [["a"]] });
    const data = Array.from({ length: pushRowLimit + 1 }, () => ["b"]);
    const refused = await refusal(push({ securable_id: made.id, data }));
    assert.is(refused.status, 413);
    assert.match(refused.message, /10001 rows.*10000/);
    assert.equal(await read(made), [["a"]]);
  });

  test("a column may have a name that every JavaScript object has as a member, such as constructor", async () => {
    const { push, read } = openHost();
    const header = ["__proto__", "constructor", "toString"];
    const made = await push({ type: "create", data: [["a", 1, "c"]], options: { header } });
    await push({
      securable_id: made.id,
      data: [["z", 2]],
      options: { header: ["toString", "constructor"] },
    });
    assert.equal(
      made.columns.map((column) => column["source_name"]),
      header,
    );
    assert.equal(await read(made), [
      ["a", 1, "c"],
      [null, 2, "z"],
    ]);
    assert.is(({} as Json)["a"], undefined);
  });

  test("only owners can push to a dataset, and another person's dataset returns the same error as an unknown id", async () => {
    const { push, records } = openHost();
    const made = await push({ type: "create", data: [["a"]] });
    const random = "00000000-0000-4000-8000-000000000000";
    const foreign = await refusal(push({ securable_id: made.id, data: [["b"]] }, "eve"));
    const unknown = await refusal(push({ securable_id: random, data: [["b"]] }, "eve"));
    assert.is(foreign.status, 404);
    assert.is(foreign.message.replace(made.id, ""), unknown.message.replace(random, ""));
    records.grant(made.id, "eve", "modify");
    assert.is((await refusal(push({ securable_id: made.id, data: [["b"]] }, "eve"))).status, 403);
    records.grant(made.id, "eve", "own");
    await push({ securable_id: made.id, data: [["b"]] }, "eve");
    const dashboard = await records.insert("securable", { type: "dashboard", owner_id: "ada" });
    assert.match(
      (await refusal(push({ securable_id: dashboard.id, data: [] }))).message,
      /is a dashboard; only datasets/,
    );
    const live = await records.insert("securable", {
      type: "dataset",
      storage: "client",
      owner_id: "ada",
    });
    const refused = await refusal(push({ securable_id: live.id, data: [] }));
    assert.is(refused.status, 409);
    assert.match(refused.message, /are in its own source/);
  });

  test("if the store fails, neither a record nor a stored dataset remains", async () => {
    for (const failing of ["create", "append"]) {
      const host = openHost((plugin) => ({
        ...plugin,
        async write(call) {
          if (call.write.action === failing)
            throw new PluginError("PLUGIN_SOURCE_FAILED", ["disk"]);
          return (await plugin.write?.(call)) ?? { rowCount: 0, version: "" };
        },
      }));
      assert.is(
        (await refusal(host.push({ type: "create", data: [["a"]] }))).code,
        "PLUGIN_SOURCE_FAILED",
      );
      assert.equal(await host.records.find("securable", {}), []);
      assert.equal(await host.records.find("column", {}), []);
      assert.equal(
        await host.connections.store.datasets({ signal: new AbortController().signal }),
        [],
      );
    }
  });

  test("if an append fails in the store, rows, columns and version stay unchanged", async () => {
    let broken = false;
    const host = openHost((plugin) => ({
      ...plugin,
      async write(call) {
        if (broken) throw new PluginError("PLUGIN_SOURCE_FAILED", ["disk"]);
        return (await plugin.write?.(call)) ?? { rowCount: 0, version: "" };
      },
    }));
    const made = await host.push({ type: "create", data: [["a"]], options: { header: ["city"] } });
    const before = [
      await host.records.find("securable", {}),
      await host.records.find("column", {}),
    ];
    broken = true;
    const options = { header: ["city", "km"], update_metadata: true };
    await refusal(host.push({ securable_id: made.id, data: [["b", 1]], options }));
    assert.equal(
      [await host.records.find("securable", {}), await host.records.find("column", {})],
      before,
    );
    broken = false;
    assert.is((await host.push({ securable_id: made.id, data: [["b", 1]], options }))["rows"], 2);
  });

  test("pushes to the same dataset run one after another and lose no rows", async () => {
    let running = 0;
    let most = 0;
    const host = openHost((plugin) => ({
      ...plugin,
      async write(call) {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return (await plugin.write?.(call)) ?? { rowCount: 0, version: "" };
      },
    }));
    const made = await host.push({ type: "create", data: [[0]] });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        host.push({ securable_id: made.id, data: [[index + 1]] }),
      ),
    );
    assert.is(most, 1);
    assert.equal(
      answers.map((answer) => answer["rows"]),
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
    assert.is((await host.read(made)).length, 21);
  });

  test("`get` requires the `find` member, and runs the query in this member", async () => {
    const { push, get } = openHost();
    const refused = await refusal(get(undefined));
    assert.is(refused.status, 400);
    assert.match(refused.message, /^find is required/);
    const made = await push({ type: "create", data: [["a"], ["b"]] });
    const answer = (await get({
      measures: [{ column_id: "*", dataset_id: made.id, aggregation: { type: "count" } }],
    })) as Json;
    assert.equal(answer["data"], [[2]]);
  });

  test("`reconcileStore` drops tables without a record, but no tables of other programs or catalogs", async () => {
    const { push, records, connections, outbox, store } = openHost();
    const orphan = "7d444840-9dc0-41d1-b245-5ffdce74fad2";
    store.fill(orphan, [{ id: "a", type: "numeric" }], [[1]]);
    await reconcileStore({ records, connections, outbox });
    assert.ok(store.rowsOf(orphan));
    const made = await push({ type: "create", data: [["a"]] });
    store.fill("public.trips", [{ id: "a", type: "numeric" }], [[1]]);
    await reconcileStore({ records, connections, outbox });
    assert.not.ok(store.rowsOf(orphan));
    assert.ok(store.rowsOf("public.trips"));
    assert.ok(store.rowsOf(made.id));
  });

  test("`validate` returns the columns that `create` would create, but stores nothing", async () => {
    const { push, records, validate } = openHost();
    const properties = {
      type: "create",
      data: [
        ["Ghent", 3, "2024-01-02", "31/01/2024 10:00", null],
        [null, 1.5, "2024-01-03", "30/01/2024 11:00", "7/7/2024"],
      ],
      options: { header: ["city", "km", "day", "at", "unclear"] },
    };
    const described = (await validate(properties)) as { columns: Json[]; warnings: string[] };
    assert.equal(await records.find("securable", {}), []);
    const { columns } = await push(properties);
    assert.is(described.columns.length, 5);
    for (const [at, column] of described.columns.entries())
      for (const [member, value] of Object.entries(column))
        assert.equal(columns[at]?.[member] ?? null, value, member);
    assert.match(described.warnings.join(), /unclear.*stored as text/);
  });

  for (const [what, properties, message] of [
    [
      "a cell that no column accepts",
      { type: "create", data: [[{}]] },
      /row 1.*a cell cannot be an object/,
    ],
    ["rows for an existing dataset", { type: "append", securable_id: "d" }, /data/],
    [
      "another type",
      { type: "append", securable_id: "d", data: [] },
      /type.*must be create, not append/,
    ],
    ["nothing", undefined, /properties/],
  ] as const)
    test(`validating a push with ${what} returns the error that the push would cause`, async () => {
      const answer = (await openHost().validate(properties)) as Json;
      assert.is(answer["valid"], false);
      assert.match(String(answer["message"]), message);
    });
});
