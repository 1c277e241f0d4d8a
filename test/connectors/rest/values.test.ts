import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { capabilities } from "../../../connectors/rest/capabilities.ts";
import { createDriver } from "../../../connectors/rest/createDriver.ts";
import { rowsOfBatch, type Filter, type Plugin } from "../../../plugins/protocol/index.ts";
import { createRowPlugin, openRequester } from "../../../plugins/rows/index.ts";
import { openReach } from "../../support/openReach.ts";
import { suite } from "../../support/suite.ts";

suite("connectors/rest and the values of APIs", (test) => {
  let server: Server;
  let base: string;
  let plugin: Plugin;
  let answer: (response: ServerResponse, count: number) => void;
  let requested: string[] = [];
  let waits: number[] = [];
  let account = 0;
  let nowMs = Date.UTC(2026, 0, 1);

  test.before(async () => {
    server = createServer((request, response) => {
      requested.push(request.url ?? "");
      answer(response, requested.length);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reach = openReach();
    const driver = createDriver({
      reach,
      timeoutMs: 300_000,
      requester: openRequester({ reach }),
      now: () => nowMs,
      sleep: async (ms) => {
        waits.push(ms);
        nowMs += ms;
      },
    });
    plugin = createRowPlugin({ driver, capabilities, sizeBytes: 2 ** 24 });
  });
  test.beforeEach(() => {
    [requested, waits] = [[], []];
    account++;
  });
  test.after(async () => {
    await plugin.close?.();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const callOf = (dataset: object, rest: object = {}) => ({
    credentials: {
      host: base,
      token: `t${account}`,
      properties: {
        api: JSON.stringify({ datasets: { rows: { path: "/", ...dataset } }, ...rest }),
      },
    },
    // Accounts of one organization share a reader process.
    tenant: { organization: "one", user: "ada" },
    signal: AbortSignal.timeout(60_000),
  });
  const read = async (
    dataset: { readonly columns: object },
    filters: readonly Filter[] = [],
    rest = {},
  ) => {
    const columns = Object.keys(dataset.columns).map((id) => ({ column_id: id }));
    const query = { id: "rows", columns, filters, options: { pushdown: false } };
    return rowsOfBatch(await plugin.query({ ...callOf(dataset, rest), query }));
  };
  const refusal = async (run: Promise<unknown>): Promise<string> =>
    run.then(
      () => "",
      (thrown: unknown) => String(thrown),
    );
  const send = (body: string | Buffer, type = "application/json") => {
    answer = (response) => response.setHeader("content-type", type).end(body);
  };

  test("whole numbers beyond 2^53 keep their digits as text, and are refused as numbers by page and row", async () => {
    send(
      '[{"id":1090000000000000001,"v":{"ids":[1090000000000000002]}},{"id":1090000000000000002}]',
    );
    const columns = { id: "text", v: "text" };
    assert.equal(await read({ columns }), [
      ["1090000000000000001", '{"ids":["1090000000000000002"]}'],
      ["1090000000000000002", null],
    ]);
    const message = await refusal(read({ columns: { id: "number" } }));
    assert.match(message, /page 1, row 1: "id" must be a number that keeps its digits/);
    assert.match(message, /not 1090000000000000001/);
  });

  test("a cursor beyond 2^53 keeps its digits, and pages that differ only in such numbers are different", async () => {
    answer = (response, count) =>
      response.end(
        count > 2
          ? '{"rows":[]}'
          : `{"rows":[{"id":109000000000000000${count}}],"next":900000000000000000${count}}`,
      );
    const pages = { type: "cursor", parameter: "after", at: "next" };
    assert.equal(await read({ columns: { id: "text" }, pages, rows: "rows" } as never), [
      ["1090000000000000001"],
      ["1090000000000000002"],
    ]);
    assert.equal(requested, ["/", "/?after=9000000000000000001", "/?after=9000000000000000002"]);
  });

  test("the settings of files say how an API writes numbers, dates and nulls", async () => {
    send(
      '[{"s":1704447000,"ms":"1704447000000","day":"05.01.24","at":"2024-01-05 10:30","n":"1.234,5","b":"YES"},{"n":"NA","at":"-"}]',
    );
    const rows = await read({
      columns: {
        s: { type: "datetime", format: "epoch seconds" },
        ms: { type: "datetime", format: "epoch milliseconds" },
        day: { type: "date", format: "%d.%m.%y" },
        at: "datetime",
        n: "number",
        b: "boolean",
      },
      decimal: "comma",
      thousands: "point",
      time_zone: "Europe/Brussels",
      nulls: "NA,-",
    } as never);
    assert.equal(rows, [
      [
        "2024-01-05T09:30:00.000Z",
        "2024-01-05T09:30:00.000Z",
        "2024-01-05T00:00:00.000Z",
        "2024-01-05T09:30:00.000Z",
        1234.5,
        "true",
      ],
      [null, null, null, null, null, null],
    ]);
  });

  test("a wrong setting is refused with the dataset, the setting and the allowed values", async () => {
    for (const [dataset, message] of [
      [
        { columns: { a: "number" }, decimal: "dot" },
        /api\.datasets\.rows\.decimal must be one of point, comma/,
      ],
      [
        { columns: { a: "number" }, time_zone: "Mars" },
        /api\.datasets\.rows\.time_zone must be the IANA name/,
      ],
      [
        { columns: { a: { type: "datetime", format: "%Q" } } },
        /api\.datasets\.rows\.the format of "a" in columns must be/,
      ],
      [{ columns: { a: { type: "number", format: "%Y" } } }, /only date and datetime have formats/],
      [{ columns: { a: "integer" } }, /api\.datasets\.rows\.columns\.a/],
    ] as const)
      assert.match(await refusal(plugin.datasets(callOf(dataset))), message);
  });

  test("filters on epochs are sent in the API's unit, and other formats are not sent", async () => {
    send("[]");
    const filters: Filter[] = [
      { column_id: "s", expression: ">=", value: ["2024-01-05T09:30:00.000Z"] },
      { column_id: "day", expression: "=", value: ["2024-01-05T00:00:00.000Z"] },
    ];
    const declared = [
      { column: "s", operator: ">=", parameter: "since" },
      { column: "day", operator: "=", parameter: "day" },
    ];
    const columns = {
      s: { type: "datetime", format: "epoch seconds" },
      day: { type: "date", format: "%d.%m.%Y" },
    };
    await read({ columns, filters: declared } as never, filters);
    assert.equal(requested, ["/?since=1704447000"]);
  });

  test("a response is decoded as its charset says, and the setting encoding overrides the charset", async () => {
    const columns = { city: "text" };
    const latin = Buffer.from('[{"city":"Liège"}]', "latin1");
    send(latin, "application/json; charset=iso-8859-1");
    assert.equal(await read({ columns }), [["Liège"]]);
    send(Buffer.from('\ufeff[{"city":"Liège"}]', "utf16le"), 'application/json; charset="utf-8"');
    assert.equal(await read({ columns }), [["Liège"]]);
    send(latin);
    assert.match(await refusal(read({ columns })), /page 1 must be UTF-8; .* set encoding/);
    assert.equal(await read({ columns, encoding: "windows-1252" } as never), [["Liège"]]);
    send(latin, "application/json; charset=klingon");
    assert.match(await refusal(read({ columns })), /unknown charset "klingon"; set encoding/);
  });

  const limited: readonly (readonly [
    name: string,
    set: (response: ServerResponse) => string,
    waitMs: number,
  ])[] = [
    [
      "403 with Retry-After in seconds",
      (response) => (response.setHeader("retry-after", "7"), "{}"),
      7000,
    ],
    [
      "403 with Retry-After as a date",
      (response) => (response.setHeader("retry-after", new Date(nowMs + 9000).toUTCString()), "{}"),
      9000,
    ],
    [
      "403 with GitHub's message",
      () => '{"message":"You have exceeded a secondary rate limit."}',
      60_000,
    ],
  ];
  for (const [name, set, waitMs] of limited)
    test(`${name} is a limit, after which the request is sent again`, async () => {
      answer = (response, count) => {
        if (count > 1) return void response.end('[{"a":1}]');
        response.statusCode = 403;
        response.end(set(response));
      };
      const rest = { limits: { waitS: 90 } };
      assert.equal(await read({ columns: { a: "number" } }, [], rest), [[1]]);
      assert.equal(waits, [waitMs]);
      answer = (response) => {
        response.statusCode = 403;
        response.end(set(response));
      };
      account++;
      assert.match(
        await refusal(read({ columns: { a: "number" } }, [], { limits: { waitS: 5 } })),
        /wait of/,
      );
    });

  test("403 without a limit refuses the credentials", async () => {
    answer = (response) => response.writeHead(403).end("{}");
    assert.match(await refusal(read({ columns: { a: "number" } })), /status 403/);
    assert.is(requested.length, 1);
  });

  test("connecting waits for a limit that ends soon, and reports a server that is down at once", async () => {
    answer = (response, count) => {
      if (count > 1) return void response.end('[{"a":1}]');
      response.writeHead(429, { "retry-after": "3" }).end("{}");
    };
    const call = callOf({ columns: { a: "number" } });
    assert.equal(await plugin.authorize!(call), { encryption: "clear" });
    assert.equal(waits, [3000]);
    account++;
    [requested, waits] = [[], []];
    answer = (response) => response.writeHead(503).end("{}");
    assert.match(
      await refusal(plugin.authorize!(callOf({ columns: { a: "number" } }))),
      /status 503/,
    );
    assert.equal([requested.length, waits], [1, []]);
  });
});
