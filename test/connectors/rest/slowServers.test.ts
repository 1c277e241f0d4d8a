import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { capabilities } from "../../../connectors/rest/capabilities.ts";
import { createDriver } from "../../../connectors/rest/createDriver.ts";
import { rowsOfBatch, type Plugin } from "../../../plugins/protocol/index.ts";
import { createRowPlugin, openRequester } from "../../../plugins/rows/index.ts";
import { openReach } from "../../support/openReach.ts";
import { suite } from "../../support/suite.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const expected = [["Göteborg 🦄"], ["Ghent"]];
const body = Buffer.from(JSON.stringify(expected.map(([city]) => ({ city }))));

suite("connectors/rest and slow servers", (test) => {
  let server: Server;
  let base: string;
  let plugin: Plugin;
  let answers: Answer[] = [];
  /**
   * Deadlines of the requests so far. The server's handlers make them expire, so that the test does not have to wait.
   */
  let deadlines: { readonly ms: number; readonly expire: () => void }[] = [];
  let closed: Promise<unknown>[] = [];
  const expire = () => deadlines.at(-1)?.expire();
  test.before(async () => {
    server = createServer((request, response) => {
      closed.push(once(response, "close"));
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response, request);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reach = openReach();
    const driver = createDriver({
      reach,
      requester: openRequester({ reach }),
      sleep: async () => {},
      deadline(ms) {
        const controller = new AbortController();
        const expireAll = () => controller.abort(new DOMException("late", "TimeoutError"));
        deadlines.push({ ms, expire: expireAll });
        return controller.signal;
      },
    });
    plugin = createRowPlugin({ driver, capabilities, sizeBytes: 2 ** 24 });
  });
  test.beforeEach(() => {
    [answers, deadlines, closed] = [[], [], []];
  });
  test.after(async () => {
    await plugin.close?.();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const rows = async (description: object = {}, signal = new AbortController().signal) => {
    const api = {
      datasets: { places: { path: "/places", columns: { city: "text" } } },
      limits: { timeoutS: 7, retries: 0, pageMb: 1 },
      ...description,
    };
    const tenant = { organization: "one", user: "ada" };
    const credentials = { host: base, token: "canary", properties: { api: JSON.stringify(api) } };
    const query = {
      id: "places",
      columns: [{ column_id: "city" }],
      filters: [],
      options: { pushdown: false },
    };
    return rowsOfBatch(await plugin.query({ credentials, tenant, signal, query }));
  };
  const refusal = (description?: object, signal?: AbortSignal) =>
    rows(description, signal).then((all) => `expected an error, got ${all.length} rows`, String);
  /** Writes bytes one by one, and calls `then` after the given number of them. */
  const drip = (response: ServerResponse, bytes: Uint8Array, count: number, then: () => void) => {
    let at = 0;
    const next = () => {
      if (response.destroyed) return;
      if (at === count) return then();
      response.write(bytes.subarray(at, ++at));
      setImmediate(next);
    };
    next();
  };

  for (const [title, answer] of [
    ["never answers", () => expire()],
    [
      "stalls after its headers",
      (response) => {
        response.writeHead(200).flushHeaders();
        expire();
      },
    ],
    ["sends one byte at a time", (response) => drip(response, body, 9, expire)],
  ] as readonly (readonly [string, Answer])[])
    test(`a request to a server that ${title} fails at its time limit, which closes the connection`, async () => {
      answers = [answer];
      assert.match(await refusal(), /127\.0\.0\.1:\d+ took longer than 7 s/);
      assert.equal(
        deadlines.map(({ ms }) => ms),
        [7000],
      );
      await Promise.all(closed);
    });

  test("a body that arrives byte by byte within the time limit is read completely", async () => {
    answers = [(response) => drip(response, body, body.length, () => response.end())];
    assert.equal(await rows(), expected);
  });

  test("a repeated request has a time limit of its own, and succeeds once the server recovers", async () => {
    answers = [() => expire(), () => expire(), (response) => response.end(body)];
    assert.equal(await rows({ limits: { timeoutS: 7, retries: 2 } }), expected);
    assert.is(deadlines.length, 3);
    assert.is(closed.length, 3, "three requests");
  });

  test("an endless response fails at the maximum page size, which closes the connection", async () => {
    let sentBytes = 0;
    const chunk = Buffer.alloc(2 ** 16, " ");
    answers = [
      (response) => {
        const write = () => {
          while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
        };
        response.on("drain", write);
        response.write("[");
        write();
      },
    ];
    assert.match(await refusal(), /larger than 1048576 bytes/);
    await Promise.all(closed);
    assert.ok(sentBytes < 2 ** 26, `${sentBytes} bytes were sent`);
  });

  test("the error for endless headers or a compressed response names the cause", async () => {
    answers = [
      (response) => {
        response.setHeader("x-long", "a".repeat(100_000));
        response.end(body);
      },
    ];
    assert.match(await refusal(), /127\.0\.0\.1/);
    answers = [(response) => response.writeHead(200, { "content-encoding": "gzip" }).end(body)];
    assert.match(await refusal(), /sent a compressed response although none was requested/);
  });

  test("a call fails at the time limit if the token server never responds", async () => {
    answers = [() => expire()];
    const authentication = { type: "oauth2", tokenUrl: `${base}/token` };
    assert.match(await refusal({ authentication }), /took longer than 7 s/);
    await Promise.all(closed);
  });

  test("a request is cancelled when its caller disconnects", async () => {
    const caller = new AbortController();
    answers = [(response) => drip(response, body, 3, () => caller.abort())];
    assert.match(await refusal({}, caller.signal), /Abort/);
    await Promise.all(closed);
    assert.is(closed.length, 1, "no retry");
  });
});
