import { once } from "node:events";
import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import { arrowType, jsonType, WrittenAnswer } from "../../../../core/base/contracts/index.ts";
import { passTurns } from "../../../support/passTurns.ts";
import { type FakeApp, openFakeApp, send } from "../../../support/fakeApp.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { TimeSlices } from "../../../../core/base/process/index.ts";

const chunkBytes = 2 ** 17;
const chunkCount = rounds({ quick: 800, deep: 2000 });

suite("core/http/middleware/streamBody", (test) => {
  let app: FakeApp;
  const turns = new TimeSlices();
  let chunks: () => Iterable<string | Uint8Array>;
  let mediaType: typeof jsonType | typeof arrowType = jsonType;
  const body = JSON.stringify({ action: "get", key: "K", token: "T" });
  const query = () => send(`${app.url}/0.1.0/data`, { body });
  const open = async (): Promise<readonly [ClientRequest, IncomingMessage]> => {
    const outgoing = httpRequest(`${app.url}/0.1.0/data`, { method: "POST" });
    outgoing.on("error", () => undefined);
    outgoing.end(body);
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    return [outgoing, incoming];
  };
  /** Creates almost endless chunks. Records how many were written, and whether the writer ended. */
  const endless = () => {
    const state = { written: 0, isEnded: false };
    chunks = function* () {
      try {
        while (state.written < chunkCount) {
          state.written++;
          yield "x".repeat(chunkBytes);
        }
      } finally {
        state.isEnded = true;
      }
    };
    return state;
  };
  const soon = async (isDone: () => boolean) => {
    for (let turn = 0; turn < 6000 && !isDone(); turn++) await wait(10);
    return isDone();
  };

  test.before(async () => {
    const handler = async () =>
      new WrittenAnswer(
        mediaType,
        turns.each({ organization: "o", user: "u" }, chunks()[Symbol.iterator]()),
      );
    app = await openFakeApp({
      handlers: new Map([["data", { get: handler }]]),
      stallMs: 3000,
    });
  });
  test.after(() => app.close());

  test("a response with a single chunk is complete and has a Content-Length", async () => {
    chunks = () => ['{"a":"é"}'];
    const answer = await query();
    assert.is(answer.text, '{"a":"é"}');
    assert.is(answer.headers["content-length"], "10");
    assert.is(answer.headers["content-type"], "application/json; charset=utf-8");
  });

  test("a response with several chunks contains the bytes of all chunks, with strings in UTF-8, and has the right media type", async () => {
    mediaType = arrowType;
    const bytes = Buffer.from("-é🦄-");
    chunks = () => ["東", bytes.subarray(1, -1), "京"];
    const answer = await query();
    mediaType = jsonType;
    assert.is(answer.text, "東é🦄京");
    assert.is(answer.headers["transfer-encoding"], "chunked");
    assert.is(answer.headers["content-type"], arrowType);
  });

  test("a failure in one of the first two chunks returns an ordinary error response", async () => {
    for (const before of [[], ["["]]) {
      chunks = function* () {
        yield* before;
        throw new ApiError("CONFLICT", ["it changed meanwhile"]);
      };
      const answer = await query();
      assert.is(answer.status, 409);
      assert.match(String(answer.json()["message"]), "changed meanwhile");
    }
  });

  test("a failure after the first byte closes the connection early and is logged", async () => {
    app.logLines.length = 0;
    chunks = function* () {
      yield "[";
      yield "1";
      yield ",2";
      throw new TypeError("canary of a failed writing");
    };
    const [, incoming] = await open();
    assert.is(incoming.statusCode, 200);
    let failure: NodeJS.ErrnoException | undefined;
    incoming.on("error", (error) => (failure = error));
    incoming.resume();
    await new Promise((resolve) => incoming.once("close", resolve));
    assert.is(failure?.code, "ECONNRESET");
    assert.is(incoming.complete, false);
    const line = app.logLines.find((each) => each.includes("canary of a failed writing"));
    assert.match(line ?? "", /"level":50.*could not be sent completely/);
  });

  test("a client that does not read slows the writer down", async () => {
    const state = endless();
    const [outgoing, incoming] = await open();
    incoming.pause();
    // Without a reader, the sockets of both sides buffer some megabytes.
    let written = -1;
    while (written < state.written) {
      written = state.written;
      await wait(200);
      await passTurns(50);
    }
    assert.ok(written < chunkCount / 4, `${written} chunks`);
    await wait(200);
    await passTurns(50);
    assert.ok(state.written <= written + 1, `${state.written} chunks, then ${written}`);
    assert.is(state.isEnded, false);
    outgoing.destroy();
    assert.ok(await soon(() => state.isEnded));
  });

  test("a client that does not read for too long is disconnected, and its writer is cancelled", async () => {
    const state = endless();
    const [, incoming] = await open();
    incoming.on("error", () => undefined);
    incoming.pause();
    assert.ok(await soon(() => state.isEnded));
    assert.ok(state.written < chunkCount / 4, `${state.written} chunks`);
  });

  test("a client that disconnects cancels the writer, without an error in the log", async () => {
    app.logLines.length = 0;
    const state = endless();
    const [outgoing, incoming] = await open();
    await once(incoming, "data");
    outgoing.destroy();
    assert.ok(await soon(() => state.isEnded));
    assert.ok(state.written < chunkCount);
    assert.ok(
      await soon(() => app.logLines.some((line) => line.includes("the client disconnected"))),
    );
    assert.not.ok(app.logLines.some((line) => line.includes('"level":50')));
  });

  test("other requests are answered while the host writes a response", async () => {
    endless();
    const [outgoing, incoming] = await open();
    let received = 0;
    incoming.on("data", (chunk: Buffer) => (received += chunk.length));
    const alive = await send(`${app.url}/healthz`, { method: "GET" });
    const receivedThen = received;
    assert.is(alive.status, 200);
    await once(incoming, "end");
    assert.is(received, chunkCount * chunkBytes);
    assert.ok(receivedThen < received);
    outgoing.destroy();
  });
});
