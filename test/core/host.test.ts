import Luzmo from "@luzmo/nodejs-sdk";
import { pino } from "pino";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../core/web/client/index.ts";
import type { Host } from "../../core/host.ts";
import { suite } from "../support/suite.ts";
import { send } from "../support/fakeApp.ts";
import { openTestHost } from "../support/openTestHost.ts";
import { refused } from "../support/refused.ts";

interface DatasetRecord {
  readonly id: string;
  readonly name: Readonly<Record<string, string>>;
  readonly rows: number;
  readonly columns: readonly {
    readonly id: string;
    readonly source_name: string;
    readonly type: string;
    readonly order: number;
  }[];
}

type Answer = {
  readonly data: readonly (readonly unknown[])[];
  readonly performance: Readonly<Record<string, number>>;
};

const rows = [
  ["Ghent", 3, "2024-01-05"],
  ["Lille", 5.5, "2024-01-20"],
  ["Ghent", null, "2024-02-01"],
  [null, 1, "2024-02-11"],
];
const header = ["city", "km", "day"];

suite("core/host", (test) => {
  const logged: string[] = [];
  let host: Host;
  let client: Client;
  let dataset: DatasetRecord;
  const column = (name: string) => {
    const found = dataset.columns.find((each) => each.source_name === name);
    return { dataset_id: dataset.id, column_id: found?.id };
  };

  test.before(async () => {
    const write = (line: string) => void logged.push(line);
    host = await openTestHost({ logger: pino({ level: "trace" }, { write }) });
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, key, token });
  });
  test.after(() => host.close());

  test("the first start creates the owner's key pair and makes the host ready", async () => {
    assert.match(host.madeCredentials?.key ?? "", /^[0-9a-f-]{36}$/);
    const ready = await send(`${host.url}/readyz`, { method: "GET" });
    const { jobs, ...state } = ready.json() as Record<string, unknown>;
    assert.equal(state, { status: "ready", catalog: "ok", store: "ok" });
    assert.type(jobs, "object");
  });

  test("pushed rows become a dataset with its columns", async () => {
    const answer = await client.create<{ count: number; rows: DatasetRecord[] }>("data", {
      type: "create",
      data: rows,
      options: { header, name: { en: "Trips" }, update_metadata: true },
    });
    assert.is(answer.count, 1);
    dataset = answer.rows[0]!;
    assert.is(dataset.rows, 4);
    assert.equal(
      dataset.columns.map(({ source_name, type, order }) => [source_name, type, order]),
      [
        ["city", "hierarchy", 0],
        ["km", "numeric", 1],
        ["day", "datetime", 2],
      ],
    );
  });

  test("a dataset can be queried with a single query or with a list of queries", async () => {
    const query = {
      dimensions: [column("city")],
      measures: [{ ...column("km"), aggregation: { type: "sum" } }],
      order: [{ ...column("km"), aggregation: { type: "sum" }, order: "desc" }],
    };
    const expected = [
      [{ id: "Lille", name: { en: "Lille" } }, 5.5],
      [{ id: "Ghent", name: { en: "Ghent" } }, 3],
      [null, 1],
    ];
    const listed = await client.get<Answer>("data", { queries: [query] });
    const bare = await client.get<Answer>("data", query);
    assert.equal(listed.data, expected);
    assert.equal(bare.data, expected);
    assert.equal(Object.keys(listed.performance).toSorted(), [
      "preparing",
      "processing",
      "querying",
      "queuing",
      "rows",
      "validating",
    ]);
  });

  test("several queries in one call are answered in order, and each succeeds or fails on its own", async () => {
    const good = { measures: [{ ...column("km"), aggregation: { type: "count" } }] };
    const bad = { measures: [{ ...column("km"), aggregation: { type: "twice" } }] };
    const answers = await client.get<(Answer & { error?: { message: string } })[]>("data", {
      queries: [good, bad, good],
    });
    assert.equal(answers[0]?.data, [[3]]);
    assert.match(answers[1]?.error?.message ?? "", /twice/);
    assert.equal(answers[2]?.data, [[3]]);
  });

  test("a push can append rows in the order of a header, or replace all rows", async () => {
    const appended = await client.create<{ rows: DatasetRecord[] }>("data", {
      securable_id: dataset.id,
      data: [["2024-03-01", "Namur"]],
      options: { header: ["day", "city"] },
    });
    assert.is(appended.rows[0]?.rows, 5);
    const replaced = await client.create<{ rows: DatasetRecord[] }>("data", {
      type: "replace",
      securable_id: dataset.id,
      data: rows,
    });
    assert.is(replaced.rows[0]?.rows, 4);
  });

  test("a push of 10,001 rows stores nothing, and the error states the limit", async () => {
    const data = Array.from({ length: 10_001 }, () => ["Ghent", 1, "2024-01-01"]);
    const failure = await refused(client.create("data", { securable_id: dataset.id, data }));
    assert.is(failure.status, 413);
    assert.match(failure.message, /10,?000/);
    assert.equal(
      (
        await client.get<Answer>("data", {
          measures: [{ ...column("*"), column_id: "*", aggregation: "count" }],
        })
      ).data,
      [[4]],
    );
  });

  test("a push with an invalid row stores nothing, and the error names the row and column", async () => {
    const bad: [unknown[], number, RegExp][] = [
      [["Ghent", 1], 400, /row 2/],
      [["Ghent", "12 km", "2024-01-01"], 422, /row 2.*km|km.*row 2/],
      [["Ghent", true, "2024-01-01"], 422, /row 2.*km|km.*row 2/],
      [["Ghent", 1, "soon"], 422, /row 2.*day|day.*row 2/],
      [[{ a: 1 }, 1, "2024-01-01"], 422, /row 2.*city|city.*row 2/],
    ];
    for (const [row, status, message] of bad) {
      const data = [["Ghent", 1, "2024-01-01"], row];
      const failure = await refused(client.create("data", { securable_id: dataset.id, data }));
      assert.is(failure.status, status, failure.message);
      assert.match(failure.message, message);
    }
    assert.equal(
      (
        await client.get<Answer>("data", {
          measures: [{ dataset_id: dataset.id, column_id: "*", aggregation: "count" }],
        })
      ).data,
      [[4]],
    );
  });

  test("errors name unknown columns, datasets, members and operators", async () => {
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ dimensions: [{ dataset_id: dataset.id, column_id: dataset.id }] }, /city/],
      [
        { dimensions: [{ dataset_id: dataset.columns[0]!.id, column_id: dataset.columns[0]!.id }] },
        new RegExp(dataset.columns[0]!.id),
      ],
      [{ dimensions: [column("city")], colour: 1 }, /colour/],
      [
        {
          dimensions: [column("city")],
          where: [{ expression: "? resembles ?", parameters: [column("city"), "x"] }],
        },
        /resembles/,
      ],
    ];
    for (const [query, message] of cases) {
      const failure = await refused(client.get("data", query));
      assert.ok(failure.status >= 400 && failure.status < 500, `${failure.status}`);
      assert.match(failure.message, message);
    }
  });

  test("the published client can create, find, update, unlink and delete records, and query data", async () => {
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    const url = new URL(host.url);
    const luzmo = new Luzmo({
      api_key: key,
      api_token: token,
      host: `http://${url.hostname}`,
      port: url.port,
    });
    const made = (await luzmo.create(
      "column",
      { order: 3, name: { en: "Extra" }, type: "numeric" },
      [{ role: "Securable" as "Securables", id: dataset.id }],
    )) as { id: string };
    const found = (await luzmo.get("securable", {
      where: { id: dataset.id },
      include: [{ model: "Column", attributes: ["id", "name"], order: [["order", "asc"]] }],
    } as never)) as { count: number; rows: { columns: { id: string }[] }[] };
    assert.is(found.count, 1);
    assert.ok(found.rows[0]?.columns.some(({ id }) => id === made.id));
    const renamed = (await luzmo.update("securable", dataset.id, { name: { en: "Journeys" } })) as {
      name: unknown;
    };
    assert.equal(renamed.name, { en: "Journeys" });
    await luzmo.dissociate("column", made.id, {
      role: "Securable" as "Securables",
      id: dataset.id,
    });
    await luzmo.delete("column", made.id, {});
    const answer = (await luzmo.query({
      measures: [{ ...column("km"), aggregation: { type: "max" } }],
    } as never)) as Answer;
    assert.equal(answer.data, [[5.5]]);
    const keys = (await luzmo.get("authorization", { where: { type: "api" } } as never)) as {
      count: number;
    };
    assert.ok(keys.count >= 1);
  });

  test("the published client receives an error as the parsed body", async () => {
    const url = new URL(host.url);
    const luzmo = new Luzmo({
      api_key: "K",
      api_token: "T",
      host: `http://${url.hostname}`,
      port: url.port,
    });
    const body = await (luzmo.get("securable", {}) as Promise<unknown>).then(
      () => undefined,
      (failure: unknown) => failure as { code: number },
    );
    assert.is(body?.code, 401);
  });

  test("deleting a dataset removes its record and its rows", async () => {
    await client.delete("securable", dataset.id);
    const failure = await refused(client.get("data", { dimensions: [column("city")] }));
    assert.ok(failure.status === 404 || failure.status === 400, `${failure.status}`);
    assert.is((await client.get("securable", { where: { id: dataset.id } })).count, 0);
  });

  test("the log never contains the owner's token", () => {
    const text = logged.join("");
    assert.match(text, "the host listens");
    assert.not.match(text, host.madeCredentials!.token);
  });
});
