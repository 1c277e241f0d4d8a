import { parquetMetadata, parquetSchema } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as assert from "uvu/assert";
import { createPlugin } from "../../../connectors/files/createPlugin.ts";
import {
  PluginError,
  rowsOfBatch,
  type Credentials,
  type Filter,
  type Plugin,
} from "../../../plugins/protocol/index.ts";
import { openFileReaders } from "../../../plugins/rows/formats/index.ts";
import { openRequester } from "../../../plugins/rows/index.ts";
import { tableId } from "../../../plugins/sql/index.ts";
import { rounds } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";
import { suite } from "../../support/suite.ts";
import { connectorSuite, type ConnectorEngine } from "../connectorSuite.ts";
import { declaredColumns } from "./fileEngine.ts";
import { openFileServer, s3Keys, signatureOf, type FileServer } from "./openFileServer.ts";
import { writeDelimited } from "./writeDelimited.ts";
import { writeBook } from "./writeXlsx.ts";

const sleeps: number[] = [];

function pluginOf({ ca }: FileServer, idleMs = 10_000): Plugin {
  const reach = {
    ...openReach(),
    async address(host: string) {
      if (host === "files.test") return "127.0.0.1";
      throw new PluginError("PLUGIN_INVALID", [`${host} may not be reached`]);
    },
  };
  const sleep = async (ms: number) => void sleeps.push(ms);
  const requester = openRequester({ reach, ca });
  const readers = openFileReaders({ timeoutMs: 30_000 });
  return createPlugin({ reach, requester, readers, sleep, idleMs, sizeBytes: 2 ** 26 });
}

const s3 = (
  { url }: FileServer,
  prefix = "",
  properties: Credentials["properties"] = {},
): Credentials => ({
  host: `s3://exports/${prefix}`,
  key: s3Keys.id,
  token: s3Keys.secret,
  properties: { endpoint: url, region: s3Keys.region, ...properties },
});

suite("connectors/files on web servers", (test) => {
  let server: FileServer;
  let plugin: Plugin;
  test.before(async () => {
    server = await openFileServer();
    plugin = pluginOf(server);
  });
  test.after(async () => {
    await plugin.close?.();
    await server.close();
  });
  test.beforeEach(() => {
    server.files.clear();
    [server.fault, server.hasRanges, server.hasTags, server.pageSize] = [
      undefined,
      true,
      true,
      1000,
    ];
    [server.requests.length, sleeps.length] = [0, 0];
  });

  const callOf = (credentials: Credentials) => ({
    credentials,
    // One reader process serves all of these files.
    tenant: { organization: "one", user: "ada" },
    signal: new AbortController().signal,
  });
  const web = (name: string, properties = {}): Credentials => ({
    host: `${server.url}/files/${name}`,
    properties,
  });
  const rowsOf = async (
    credentials: Credentials,
    ids: readonly string[],
    filters: readonly Filter[] = [],
    id?: string,
  ) => {
    const datasets = await plugin.datasets(callOf(credentials));
    const dataset = datasets.find((each) => id === undefined || each.id === id)!;
    server.requests.length = 0;
    const query = {
      id: dataset.id,
      columns: ids.map((column_id) => ({ column_id })),
      filters,
      options: { pushdown: false },
    };
    return rowsOfBatch(await plugin.query({ ...callOf(credentials), query, dataset }));
  };
  const refusal = (credentials: Credentials) =>
    rowsOf(credentials, ["a"]).then((rows) => `expected an error, got ${rows.length} rows`, String);
  const csv = (rowCount: number) =>
    Buffer.from(
      `a,b\n${Array.from({ length: rowCount }, (_, index) => `${index},x`).join("\n")}\n`,
    );

  test("the simulated S3 server computes the same signature as Amazon's example", () => {
    const signedHeaders = "host;range;x-amz-content-sha256;x-amz-date";
    const headers = {
      host: "examplebucket.s3.amazonaws.com",
      range: "bytes=0-9",
      "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "x-amz-date": "20130524T000000Z",
    };
    const secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    assert.is(
      signatureOf({
        method: "GET",
        url: "/test.txt",
        headers,
        signedHeaders,
        secret,
        region: "us-east-1",
      }),
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    );
  });

  test("reading a Parquet file requests only its footer and the needed columns of matching row groups", async () => {
    const data = Array.from({ length: 30_000 }, (_, index) => index + 0.5);
    const bytes = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: "a", data, type: "DOUBLE" },
          { name: "b", data: data.map((each) => `text ${each}`), type: "STRING" },
        ],
        rowGroupSize: 10_000,
        codec: "UNCOMPRESSED",
      }),
    );
    for (const credentials of [web("t.parquet"), s3(server)]) {
      server.files.set("t.parquet", bytes);
      const filter = { column_id: "a", expression: ">", value: [20_001] } as unknown as Filter;
      const rows = await rowsOf(credentials, ["a"], [filter]);
      assert.equal(
        rows.map(([cell]) => cell),
        data.slice(20_000),
      );
      const metadata = parquetMetadata(bytes.slice().buffer);
      assert.is(parquetSchema(metadata).children.length, 2);
      const chunk = metadata.row_groups[2]!.columns[0]!.meta_data!;
      const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
      const sizes = server.requests.flatMap(({ range = "" }) => {
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
        return from === undefined ? [] : [[Number(from), Number(to) + 1] as const];
      });
      const beside = sizes.filter(([from, to]) => to - from > 1 && from !== bytes.length - 2 ** 16);
      assert.equal(beside, [[start, start + Number(chunk.total_compressed_size)]]);
    }
  });

  test("all files below an S3 prefix are listed over several pages, and a query requests only the file that it reads", async () => {
    for (const key of [
      "a b/x+y (1).csv",
      "a b/old/Ünï'é!.csv",
      "a b/.hidden.csv",
      "a b/note.txt",
      "other/z.csv",
    ])
      server.files.set(key, csv(3));
    server.files.set(
      "a b/book.xlsx",
      writeBook({
        sheets: {
          One: '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="2"><c r="A2"><v>7</v></c></row></sheetData>',
        },
      }),
    );
    server.pageSize = 2;
    const names = (await plugin.datasets(callOf(s3(server, "a b")))).map(({ id }) => id);
    assert.equal(names.toSorted(), [
      'main."book.xlsx/One"',
      'main."x+y (1).csv"',
      'old."Ünï\'é!.csv"',
    ]);
    assert.equal(await rowsOf(s3(server, "a b/"), ["a"], [], 'old."Ünï\'é!.csv"'), [[0], [1], [2]]);
    const [listing, ...others] = server.requests.map(({ path }) => path);
    assert.match(listing!, "prefix=a%20b%2Fold%2F%C3%9Cn%C3%AF%27%C3%A9%21.csv");
    assert.equal(new Set(others), new Set(["/exports/a%20b/old/%C3%9Cn%C3%AF%27%C3%A9%21.csv"]));
    assert.equal(await rowsOf(s3(server, "a b/"), ["a"], [], 'main."book.xlsx/One"'), [[7]]);
    assert.equal(await rowsOf(s3(server, "other/z.csv"), ["a"]), [[0], [1], [2]]);
  });

  test("after a lost connection, reading continues only if the file has not changed", async () => {
    const bytes = csv(40_000);
    server.files.set("t.csv", bytes);
    let cuts = 0;
    server.fault = ({ range }, response) => {
      if (range === "bytes=0-0" || cuts === 2) return false;
      cuts++;
      const from = Number(/\d+/.exec(range ?? "")?.[0] ?? 0);
      const etag = server.requests.findLast(({ ifMatch }) => ifMatch)!.ifMatch!;
      response.writeHead(from === 0 ? 200 : 206, {
        etag,
        "content-length": bytes.length - from,
        "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      });
      response.write(bytes.subarray(from, from + 100_000), () => response.destroy());
      return true;
    };
    const call = {
      ...callOf(web("t.csv")),
      dataset: { id: "x", columns: [{ id: "a", name: {}, type: "numeric" as const }] },
    };
    const query = {
      id: 'main."t.csv"',
      columns: [{ column_id: "a" }],
      filters: [],
      options: { pushdown: false },
    };
    assert.is(rowsOfBatch(await plugin.query({ ...call, query })).length, 40_000);
    assert.is(cuts, 2);
    assert.ok(
      server.requests.some(({ range, ifMatch }) => /^bytes=[1-9]\d+-/.test(range ?? "") && ifMatch),
    );
    cuts = 0;
    const cut = server.fault;
    server.fault = (request, response) => {
      if (cuts === 1) server.files.set("t.csv", csv(39_999));
      return cuts < 1 && cut(request, response);
    };
    assert.match(
      await plugin.query({ ...call, query }).then(String, String),
      "t.csv: the file changed while it was read; try again",
    );
  });

  test("files can be read from servers that support no range requests and send no entity tags or sizes", async () => {
    server.files.set("t.csv", csv(5));
    server.files.set(
      "t.parquet",
      new Uint8Array(
        parquetWriteBuffer({ columnData: [{ name: "a", data: [1, 2], type: "INT32" }] }),
      ),
    );
    [server.hasRanges, server.hasTags] = [false, false];
    assert.is((await rowsOf(web("t.csv"), ["a"])).length, 5);
    assert.equal(await rowsOf(web("t.parquet"), ["a"]), [[1], [2]]);
    server.fault = (_, response) => {
      response.write("a\n1\n");
      response.end("2\n");
      return true;
    };
    assert.equal(await rowsOf(web("export?all=1", { format: "csv" }), ["a"]), [[1], [2]]);
  });

  test("a request to a busy server is repeated after the time in Retry-After, but a request to a silent server fails", async () => {
    server.files.set("t.csv", csv(2));
    let count = 0;
    server.fault = (_, response) => {
      if (++count > 2) return false;
      response.writeHead(503, count === 1 ? { "retry-after": "7" } : {}).end();
      return true;
    };
    await plugin.datasets(callOf(web("t.csv")));
    assert.equal(sleeps, [7000, 1000]);
    server.fault = (_, response) => !!response.writeHead(429, { "retry-after": "31" }).end();
    assert.match(
      await refusal(web("t.csv")),
      "requests a wait of 31 s, but a retry allows at most 30 s",
    );
    const hasty = pluginOf(server, 20);
    server.fault = () => true;
    const silent = await hasty.datasets(callOf(web("t.csv"))).then(String, String);
    assert.match(silent, "sent nothing for 0.02 s, after 3 retries");
    await hasty.close?.();
  });

  for (const [title, make, message] of [
    [
      "a missing file",
      () => web("none.csv"),
      /host names a file or folder that does not exist: files\.test:\d+ returned status 404/,
    ],
    [
      "a wrong secret",
      () => ({ ...s3(server), token: "canary-wrong" }),
      /returned status 403 \(SignatureDoesNotMatch\)/,
    ],
    [
      "a wrong key",
      () => ({ ...s3(server), key: "CANARY" }),
      /returned status 403 \(InvalidAccessKeyId\)/,
    ],
    [
      "no key",
      () => ({ host: "s3://exports/", properties: { endpoint: server.url } }),
      /returned status 403 \(AccessDenied\)/,
    ],
    [
      "a missing bucket",
      () => ({ ...s3(server), host: "s3://other/" }),
      /returned status 404 \(NoSuchBucket\)/,
    ],
    [
      "a key without its secret",
      () => ({ host: "s3://exports/", key: "x", properties: {} }),
      /identifier .* and token .* must be set together/,
    ],
    [
      "a URL with a password",
      () => ({ host: "https://u:canary@files.test/a.csv", properties: {} }),
      /without user, password/,
    ],
    [
      "a URL without a file extension",
      () => web("export"),
      /for an address without one of them, set format/,
    ],
    [
      "a host that the egress guard refuses",
      () => ({ host: "https://inner.test/a.csv", properties: {} }),
      /inner\.test may not be reached/,
    ],
    [
      "an endpoint that the egress guard refuses",
      () => ({ ...s3(server), properties: { endpoint: "https://inner.test" } }),
      /inner\.test may not be reached/,
    ],
  ] as readonly (readonly [string, () => Credentials, RegExp])[])
    test(`the error for ${title} describes the cause and contains no secret`, async () => {
      const text = await refusal(make());
      assert.match(text, message);
      assert.not.match(text, /canary/i);
    });

  for (const [title, headers, body, status, message] of [
    [
      "an HTML page",
      { "content-type": "text/html; charset=utf-8" },
      "<p>",
      200,
      /an HTML page instead of a data file/,
    ],
    [
      "a compressed response",
      { "content-encoding": "br" },
      "x",
      200,
      /sent a compressed response although none was requested/,
    ],
    [
      "a redirect to a private address",
      { location: "https://10.0.0.1/a.csv" },
      "",
      302,
      /10\.0\.0\.1 may not be reached/,
    ],
    [
      "a redirect to plain http",
      { location: "http://files.test/a.csv" },
      "",
      302,
      /redirects to an address that cannot be followed/,
    ],
    [
      "a bucket in another region",
      { "x-amz-bucket-region": "ap-south-1" },
      "",
      400,
      /region ap-south-1; set the property region to this name/,
    ],
  ] as const)
    test(`the error for ${title} describes the cause`, async () => {
      server.fault = (_, response) => !!response.writeHead(status, headers).end(body);
      assert.match(await refusal(web("t.csv?canary=1")), message);
    });

  test("the errors for invalid, truncated and endless S3 listings describe their causes", async () => {
    for (const body of [
      "<html/>",
      "<ListBucketResult><Contents><Key>a.csv</Key>",
      "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>1</NextContinuationToken></ListBucketResult>",
    ]) {
      server.fault = (_, response) => !!response.end(body);
      assert.match(await refusal(s3(server)), "did not return an S3 listing");
    }
  });

  test("a redirect to another origin receives no credentials of the account", async () => {
    const other = await openFileServer(server.authority);
    try {
      other.files.set("t.csv", csv(1));
      server.fault = (_, response) =>
        !!response.writeHead(302, { location: `${other.url}/files/t.csv` }).end();
      assert.equal(await rowsOf({ ...web("t.csv"), token: "canary" }, ["a"]), [[0]]);
      assert.is(server.requests[0]!.authorization, "Bearer canary");
      assert.ok(other.requests.length > 0);
      assert.ok(other.requests.every(({ authorization }) => authorization === undefined));
    } finally {
      await other.close();
    }
  });

  test.deep(
    "reading a web file with a line of 1 GB fails before the line takes more than a few megabytes of memory",
    async () => {
      const part = Buffer.alloc(2 ** 20, "x");
      server.fault = ({ range }, response) => {
        if (range === "bytes=0-0") {
          response
            .writeHead(206, { "content-range": `bytes 0-0/${2 ** 30}`, etag: '"1"' })
            .end("x");
          return true;
        }
        response.writeHead(200, { etag: '"1"', "content-length": 2 ** 30 });
        const more = () => {
          while (!response.destroyed && response.write(part));
        };
        response.on("drain", more);
        more();
        return true;
      };
      const before = process.memoryUsage().rss;
      assert.match(
        await refusal(web("big.csv", { separator: "comma" })),
        "line 1 is longer than 1,048,576 characters",
      );
      assert.ok((process.memoryUsage().rss - before) / 2 ** 20 < 200);
    },
  );
});

/**
 * Puts the suite's tables on the server as files. The account names the URL of a single file, or a prefix of all files.
 */
async function openWebEngine(kind: "https" | "s3"): Promise<ConnectorEngine> {
  const server = await openFileServer();
  const plugin = pluginOf(server);
  const properties = { columns: declaredColumns, separator: "comma" };
  return {
    plugin,
    credentials:
      kind === "s3"
        ? s3(server, "tables", properties)
        : { host: `${server.url}/files/tables/t.csv`, properties },
    limits: { years: [1000, 9999] },
    async fill(table, random) {
      const name = kind === "s3" ? `${table.name.replaceAll("/", "-")}.csv` : "t.csv";
      server.files.set(`tables/${name}`, Buffer.from(writeDelimited(table, ",", random)));
      return tableId({ schema: "main", name });
    },
    contents: async () =>
      [...server.files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("hex")]),
    async close() {
      await plugin.close?.();
      await server.close();
    },
  };
}

for (const kind of ["https", "s3"] as const)
  connectorSuite(`connectors/files over ${kind}`, () => openWebEngine(kind), {
    tableCount: rounds({ quick: 0.3, deep: 2, soak: 4 }),
  });
