import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { createDriver } from "../../../connectors/rest/createDriver.ts";
import { capabilities } from "../../../connectors/rest/capabilities.ts";
import { rowsOfBatch, type Filter, type Plugin } from "../../../plugins/protocol/index.ts";
import { createRowPlugin, openRequester } from "../../../plugins/rows/index.ts";
import { openReach } from "../../support/openReach.ts";
import { suite } from "../../support/suite.ts";

type Answer = (url: URL, request: IncomingMessage, response: ServerResponse) => unknown;

const data = Array.from({ length: 7 }, (_, index) => ({
  id: index,
  place: { city: `city ${index % 3}` },
}));
const columns = { id: "number", city: { type: "text", at: "place.city" } };
const expected = data.map(({ id, place }) => [id, place.city]);

suite("connectors/rest", (test) => {
  let server: Server;
  let base: string;
  let plugin: Plugin;
  let answer: Answer;
  const waits: number[] = [];
  const requested: string[] = [];
  test.before(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", base);
      requested.push(`${url.pathname}${url.search}`);
      const body = answer(url, request, response);
      if (body !== undefined) response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const reach = openReach();
    const sleep = async (ms: number) => void waits.push(ms);
    const driver = createDriver({ reach, requester: openRequester({ reach }), sleep });
    plugin = createRowPlugin({ driver, capabilities, sizeBytes: 2 ** 24 });
  });
  test.beforeEach(() => {
    [requested.length, waits.length] = [0, 0];
  });
  test.after(async () => {
    await plugin.close?.();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const callOf = (dataset: object, more: object = {}) => ({
    credentials: {
      host: base,
      key: "client",
      token: "canary-token",
      properties: {
        api: JSON.stringify({
          datasets: { trips: { path: "/trips", columns, ...dataset } },
          ...more,
        }),
      },
    },
    tenant: { organization: "one", user: "ada" },
    signal: new AbortController().signal,
  });
  const rows = async (dataset: object, more?: object, filters: readonly Filter[] = []) => {
    const selected = ["id", "city"].map((column_id) => ({ column_id }));
    const query = { id: "trips", columns: selected, filters, options: { pushdown: false } };
    return rowsOfBatch(await plugin.query({ ...callOf(dataset, more), query }));
  };
  const refusal = (dataset: object, more?: object) =>
    rows(dataset, more).then((all) => `expected an error, got ${all.length} rows`, String);
  const slice = (url: URL, from: number) =>
    data.slice(from, from + Math.min(3, Number(url.searchParams.get("size") ?? 3)));

  test("responses are read with the settings of their dataset", async () => {
    answer = (_, __, response) => {
      response.end(Buffer.from("report\nid;city\n1,5;caf\u00e9\nNA;x\n", "latin1"));
    };
    const written = {
      format: "csv",
      separator: "semicolon",
      encoding: "windows-1252",
      skip_rows: 1,
      decimal: "comma",
      nulls: ["NA"],
      columns: { id: "number", city: "text" },
    };
    assert.equal(await rows(written), [
      [1.5, "caf\u00e9"],
      [null, "x"],
    ]);
    answer = () => [
      { id: 1_704_412_800, city: "yes" },
      { id: 0, city: false },
    ];
    const typed = {
      id: { type: "datetime", format: "epoch seconds" },
      city: "boolean",
    };
    assert.equal(await rows({ columns: typed }), [
      ["2024-01-05T00:00:00.000Z", "true"],
      ["1970-01-01T00:00:00.000Z", "false"],
    ]);
  });

  test("an invalid setting of a dataset is refused, and the error names its path", async () => {
    assert.match(
      await refusal({ dates: "DYM" }),
      'api.datasets.trips.dates must be one of ISO, YMD, DMY, MDY, not "DYM"',
    );
    assert.match(
      await refusal({ columns: { id: { type: "number", format: "%Y" }, city: "text" } }),
      '"id" in columns must not have a format',
    );
  });

  for (const [name, pages, serve] of [
    [
      "numbers",
      { type: "number", parameter: "page", sizeParameter: "size", size: 100 },
      (url: URL) => slice(url, 3 * (Number(url.searchParams.get("page")) - 1)),
    ],
    [
      "numbers from 0 with a total",
      { type: "number", parameter: "p", first: 0, total: "n" },
      (url: URL) => ({ n: 7, items: slice(url, 3 * Number(url.searchParams.get("p"))) }),
    ],
    [
      "offsets",
      { type: "offset", parameter: "from" },
      (url: URL) => slice(url, Number(url.searchParams.get("from"))),
    ],
    [
      "cursors",
      { type: "cursor", parameter: "after", at: "meta.next" },
      (url: URL) => {
        const from = Number(url.searchParams.get("after") ?? 0);
        return { items: slice(url, from), meta: { next: from + 3 < 7 ? from + 3 : null } };
      },
    ],
    [
      "links",
      { type: "link" },
      (url: URL, _: IncomingMessage, response: ServerResponse) => {
        const from = Number(url.searchParams.get("x") ?? 0);
        if (from + 3 < 7)
          response.setHeader(
            "link",
            `</v1/first>; rel="first", </v1/trips?x=${from + 3}>; rel="next"`,
          );
        return slice(url, from);
      },
    ],
  ] as const)
    test(`reading pages by ${name} returns all rows, even if the server's pages are shorter than requested`, async () => {
      answer = serve;
      const isWrapped = "total" in pages || "at" in pages;
      assert.equal(await rows({ pages, ...(isWrapped && { rows: "items" }) }), expected);
    });

  test("only filters that a description declares are sent as parameters, and the host applies all filters again", async () => {
    answer = () => data;
    const filters = [
      { column_id: "city", expression: "=", value: ["city 1"] },
      { column_id: "id", expression: ">", value: [3] },
    ] as unknown as Filter[];
    await rows({ filters: [{ column: "city", operator: "=", parameter: "town" }] }, {}, filters);
    assert.equal(requested, ["/v1/trips?town=city+1"]);
  });

  test("secrets are sent as the description declares, and no error contains them", async () => {
    const seen: (string | undefined)[] = [];
    answer = (url, request) => {
      seen.push(
        request.headers.authorization ??
          String(request.headers["x-key"] ?? url.searchParams.get("key")),
      );
      return url.pathname === "/token" ? { access_token: "fetched", expires_in: 3600 } : [];
    };
    const basic = `Basic ${Buffer.from("client:canary-token").toString("base64")}`;
    const oauth2 = { type: "oauth2", tokenUrl: new URL("/token", base).href };
    for (const authentication of [
      { type: "bearer" },
      { type: "basic" },
      { type: "key", in: "header", name: "x-key" },
      { type: "key", in: "query", name: "key" },
      oauth2,
      oauth2,
    ])
      await rows({}, { authentication });
    assert.equal(seen, [
      "Bearer canary-token",
      basic,
      "canary-token",
      "canary-token",
      basic,
      "Bearer fetched",
      "Bearer fetched",
    ]);
    answer = (_, __, response) => {
      response.statusCode = 401;
      return "canary-token";
    };
    const message = await refusal(
      {},
      { authentication: { type: "key", in: "query", name: "key" } },
    );
    assert.match(message, "the credentials were refused: 127.0.0.1");
    assert.not.match(message, "canary");
  });

  test("a request to a busy server is repeated a limited number of times, after Retry-After or with growing delays", async () => {
    let count = 0;
    answer = (_, __, response) => {
      if (++count > 2) return data;
      response.statusCode = count === 1 ? 429 : 503;
      if (count === 1) response.setHeader("retry-after", "7");
      return "";
    };
    assert.equal(await rows({}), expected);
    assert.equal(waits, [7000, 1000]);
    answer = (_, __, response) => {
      response.statusCode = 503;
      return "";
    };
    assert.match(await refusal({}), /returned status 503, after 3 retries/);
    answer = (_, __, response) => {
      response.statusCode = 429;
      response.setHeader("retry-after", "3600");
      return "";
    };
    // The waiting time applies to all calls with these credentials, so no other test uses them.
    const limits = { waitS: 31 };
    assert.match(await refusal({}, { limits }), /requires a wait of 3600 s, more than the 31 s/);
  });

  for (const [title, dataset, more, serve, message] of [
    [
      "a repeated page",
      { pages: { type: "number", parameter: "page" } },
      {},
      () => data,
      /page 2 repeats the rows of an earlier page/,
    ],
    [
      "a server that ignores the page number and adds a new time to each response",
      { pages: { type: "number", parameter: "page", total: "n" }, rows: "items" },
      {},
      () => ({ n: 14, at: Math.random(), items: data }),
      /page 2 repeats the rows of an earlier page/,
    ],
    [
      "a server that ignores the offset",
      { pages: { type: "offset", parameter: "from" } },
      {},
      () => data,
      /page 2 repeats the rows of an earlier page/,
    ],
    [
      "a CSV server that ignores the page number",
      { pages: { type: "number", parameter: "page" }, format: "csv" },
      {},
      () => "place.city,id\na,1\n",
      /page 2 repeats the rows of an earlier page/,
    ],
    [
      "a total that is not reached",
      { pages: { type: "cursor", parameter: "c", at: "next", total: "n" }, rows: "items" },
      {},
      () => ({ n: 9, items: data }),
      /the last page was reached after 7 of 9 rows/,
    ],
    [
      "cursors that repeat in a cycle",
      { pages: { type: "cursor", parameter: "c", at: "next" }, rows: "items" },
      {},
      (url: URL) => ({
        items: [{ id: requested.length }],
        next: url.searchParams.get("c") === "a" ? "b" : "a",
      }),
      /page 3 links to itself or to an earlier page as the next page/,
    ],
    [
      "endless pages",
      { pages: { type: "cursor", parameter: "c", at: "next" }, rows: "items" },
      { limits: { pages: 20 } },
      () => ({ items: [{ id: requested.length }], next: String(requested.length) }),
      /more than 20 pages/,
    ],
    ["more rows than the limit", {}, { limits: { rows: 6 } }, () => data, /more than 6 rows/],
    ["a body that is not JSON", {}, {}, () => "<html>", /page 1 is not JSON/],
    [
      "a response without an array of rows",
      { rows: "a.b" },
      {},
      () => ({ a: 1 }),
      /page 1 has no array at a.b/,
    ],
    [
      "a value of another type",
      {},
      {},
      () => [...data, { id: "abc" }],
      /trips, page 1, row 8: "id" must be a number, not "abc"/,
    ],
    [
      "an oversized page",
      {},
      { limits: { pageMb: 1 } },
      () => JSON.stringify("x".repeat(2 ** 20)),
      /larger than 1048576 bytes/,
    ],
    [
      "a truncated response",
      {},
      { limits: { retries: 0 } },
      (_: URL, __: IncomingMessage, response: ServerResponse) =>
        void response
          .writeHead(200, { "content-length": "100" })
          .write("[", () => response.destroy()),
      /closed the connection|could not be reached/,
    ],
    [
      "a redirect to another scheme",
      {},
      {},
      (_: URL, __: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(302, { location: "ftp://x/" }).end(),
      /redirects to an address that cannot be followed/,
    ],
    [
      "a link to another origin",
      { pages: { type: "link" } },
      {},
      (_: URL, __: IncomingMessage, response: ServerResponse) => {
        response.setHeader("link", '<https://evil.example.org/>; rel="next"');
        return data;
      },
      /another origin, to which the credentials must not be sent/,
    ],
    [
      "a path that leaves the base address",
      { path: "../admin" },
      {},
      () => [],
      /must be below the host/,
    ],
    [
      "an invalid description",
      { pages: { type: "number" } },
      {},
      () => [],
      /api\.datasets\.trips\.pages/,
    ],
  ] as readonly (readonly [string, object, object, Answer, RegExp])[])
    test(`the error for ${title} describes the cause`, async () => {
      answer = serve;
      assert.match(await refusal(dataset, more), message);
    });

  test("a new token is fetched if a token expires or is revoked between pages", async () => {
    let tokenCount = 0;
    answer = (url, request, response) => {
      if (url.pathname === "/token") return { access_token: `t${++tokenCount}`, expires_in: 1 };
      const from = Number(url.searchParams.get("from"));
      const isRevoked = from === 3 && request.headers.authorization === "Bearer t2";
      if (isRevoked || !request.headers.authorization) response.statusCode = 401;
      return slice(url, from);
    };
    const authentication = { type: "oauth2", tokenUrl: new URL("/token", base).href };
    const pages = { type: "offset", parameter: "from" };
    assert.equal(await rows({ pages }, { authentication }), expected);
    assert.is(tokenCount, 5, "one for each of four pages, and one to replace the revoked token");
  });

  test("a redirect to another origin receives no credentials", async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end(JSON.stringify(data));
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = other.address() as AddressInfo;
      answer = (_, __, response) =>
        void response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
      assert.equal(await rows({}, { authentication: { type: "bearer" } }), expected);
      assert.equal(seen, [undefined]);
    } finally {
      other.closeAllConnections();
      await new Promise((resolve) => other.close(resolve));
    }
  });

  test("columns of a CSV response are found by their header names", async () => {
    answer = () => 'place.city,id\n"a, b",1\n,2\n';
    assert.equal(await rows({ format: "csv" }), [
      [1, "a, b"],
      [2, null],
    ]);
  });
});
