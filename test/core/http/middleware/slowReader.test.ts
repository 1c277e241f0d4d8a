import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openModelStandIn, type ModelStandIn, type Script } from "../../../support/modelStandIn.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type Dataset, type People } from "../../openPeople.ts";

/** The event that Node.js publishes for each request of any server in the process. */
const begun = "http.server.request.start";
/** Number of values in the arguments that the model sends. The host reads at most 200,000 characters. */
const valueCount = 100;
const valueLength = 1_800;
/** The last line of a streamed answer. */
const lastLine = '{"done":true}';

/** A connection from which the test reads bytes only at chosen times. */
interface Reader {
  readonly socket: Socket;
  /** Sends a question. Resolves to the host's response once the host has started it. */
  send(): Promise<ServerResponse>;
}

suite("core/host and a slow reader of a streamed response", (test) => {
  let model: ModelStandIn;
  let people: People;
  let trips: Dataset;
  /** The host's responses to questions, in the order of their requests. */
  const responses: ServerResponse[] = [];
  const sockets: Socket[] = [];
  const note = (message: unknown) => {
    const { request, response } = message as {
      readonly request: IncomingMessage;
      readonly response: ServerResponse;
    };
    if (request.url === "/0.1.0/iqmessage") responses.push(response);
  };
  test.before(async () => {
    subscribe(begun, note);
    model = await openModelStandIn();
    people = await openPeople({
      aiUrl: model.url,
      aiModel: "stand-in",
      aiSends: "samples",
      aiUserCallsPerMinute: 100_000,
      aiCallsPerMinute: 100_000,
      aiTokensPerDay: 1e12,
      aiUserTokensPerDay: 1e12,
    });
    trips = await people.push();
  });
  test.after(async () => {
    unsubscribe(begun, note);
    for (const socket of sockets) socket.destroy();
    await people.close();
    await model.close();
  });

  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await pause(5);
  };
  const keptCount = async () => (await people.owner.get("aiconversation")).count;
  /**
   * Sends other calls and waits for their answers. By then, the host has done everything that it can do for the slow
   * reader.
   */
  const sendOthers = async () => {
    for (let call = 0; call < 10; call++) await people.owner.get("user", { where: { id: "me" } });
  };
  const of = (name: string) => ({ dataset_id: trips.id, column_id: trips.columns[name] });
  const toolOf = ({ tools }: Parameters<Script>[0]) => tools[0]?.name;
  const query = () => ({
    dimensions: [of("region")],
    measures: [{ ...of("km"), aggregation: { type: "sum" } }],
  });
  const answer = (itemQuery: object) => ({
    name: "answer",
    arguments: { title: "Km by region", chart: "bar-chart", query: itemQuery },
  });
  const written = { name: "write", arguments: { text: "North has 6.", operations: [] } };
  /**
   * Returns a query that is long because it contains a list of strings to search for, none of which occurs. Its
   * dashboard item is equally long.
   */
  const longQuery = () => {
    const texts = Array.from({ length: valueCount }, (_, index) =>
      `${index} `.padEnd(valueLength, "north or south "),
    );
    const where = [{ expression: "? in ?", parameters: [of("region"), ["north", ...texts]] }];
    return { ...query(), where };
  };
  /**
   * Streams the long query in one part. If the parts were small, the stream would exceed the amount that the host reads
   * of one answer.
   */
  const sendsLongItems: Script = (request) => {
    if (toolOf(request) === "write") return { calls: [written] };
    const { name, arguments: given } = answer(longQuery());
    const call = { index: 0, id: "c", function: { name, arguments: JSON.stringify(given) } };
    const choices = [{ index: 0, delta: { tool_calls: [call] }, finish_reason: "stop" }];
    return { raw: `data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n` };
  };

  const openReader = (): Reader => {
    const { hostname, port } = new URL(people.host.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.pause();
    socket.on("error", () => undefined);
    const properties = {
      order: 1,
      prompt: "Km by region?",
      response_mode: "mixed",
      dataset_id: trips.id,
    };
    const body = JSON.stringify({
      action: "create",
      version: "0.1.0",
      ...people.owner.pair,
      properties,
    });
    const head = `POST /0.1.0/iqmessage HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n`;
    return {
      socket,
      async send() {
        const index = responses.length;
        socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
        await until(() => responses.length > index);
        return responses[index]!;
      },
    };
  };
  /** Reads a connection until it has `count` complete responses. `onPart` is called after each part. */
  const readAnswers = async ({ socket }: Reader, count: number, onPart = () => {}) => {
    let text = "";
    let endCount = 0;
    for await (const part of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const from = Math.max(0, text.length - lastLine.length + 1);
      text += part.toString("latin1");
      onPart();
      endCount += text.slice(from).split(lastLine).length - 1;
      if (endCount >= count) return text;
    }
    throw new Error("the host closed the connection");
  };
  /**
   * Returns true if bytes of the response still wait for the reader after other calls have been answered, and false if
   * the response was sent completely.
   */
  const isHeld = async (response: ServerResponse): Promise<boolean> => {
    for (;;) {
      await until(() => response.writableFinished || response.writableLength > 0);
      if (response.writableFinished) return false;
      const waitingBytes = response.writableLength;
      await sendOthers();
      if (!response.writableFinished && response.writableLength === waitingBytes) return true;
    }
  };
  /**
   * Sends questions on one connection until the host holds a response back. While nobody reads, the connection buffers
   * some responses first.
   */
  const sendUntilHeld = async (reader: Reader) => {
    model.play(sendsLongItems);
    for (let wholeCount = 0; ; wholeCount++) {
      const keptBefore = await keptCount();
      const requestsBefore = model.requests.length;
      const response = await reader.send();
      if (!(await isHeld(response))) continue;
      await sendOthers();
      const requestCount = model.requests.length - requestsBefore;
      const keptMeanwhile = (await keptCount()) - keptBefore;
      if (response.writableFinished) continue;
      assert.ok(requestCount <= 2, `${requestCount} calls of the model for one question`);
      assert.is(keptMeanwhile, 0, "an answer that was read is stored");
      return { response, wholeCount, keptBefore };
    }
  };
  const mostWaitingBytes = 2 * valueCount * valueLength;

  test.deep(
    "a response waits while its client does not read, and completes once the client reads",
    async () => {
      const reader = openReader();
      const { response, wholeCount, keptBefore } = await sendUntilHeld(reader);
      let longest = response.writableLength;
      const text = await readAnswers(reader, wholeCount + 1, () => {
        longest = Math.max(longest, response.writableLength);
      });
      assert.ok(longest <= mostWaitingBytes, `${longest} bytes waited in the host`);
      assert.is(text.split('{"text":"North has 6."').length, wholeCount + 2);
      await until(() => response.writableFinished);
      assert.is(await keptCount(), keptBefore + 1);
      assert.is(model.open.count, 0);
      reader.socket.destroy();
    },
  );

  test.deep(
    "when a client disconnects without reading its response, the host frees everything kept for it",
    async () => {
      const reader = openReader();
      const { response, keptBefore } = await sendUntilHeld(reader);
      assert.ok(response.writableLength <= mostWaitingBytes);
      reader.socket.destroy();
      await until(() => response.closed && model.open.count === 0);
      const requestCount = model.requests.length;
      await sendOthers();
      assert.is(model.requests.length, requestCount, "the model is not called again");
      assert.is(await keptCount(), keptBefore);
      assert.ok(responses.every(({ closed }) => closed));
    },
  );

  test("when a client disconnects while the model writes, the call to the model is cancelled and nothing is stored", async () => {
    const keptBefore = await keptCount();
    const leftBefore = model.left.count;
    let partCount = 0;
    // The whole answer has 15,000 parts, so the host's deadline would pass first if the client did not disconnect.
    const pace = () => {
      partCount++;
      return pause(5);
    };
    const long = { name: "write", arguments: { text: "North has 6. ".repeat(8_000) } };
    model.play((request) =>
      toolOf(request) === "write" ? { calls: [long], pace } : { calls: [answer(query())] },
    );
    const reader = openReader();
    const response = await reader.send();
    await until(() => partCount > 5);
    reader.socket.destroy();
    await until(() => model.left.count > leftBefore && model.open.count === 0);
    await until(() => response.closed);
    const sentCount = partCount;
    assert.ok(sentCount < 1_000, `${sentCount} parts, although the deadline allows 10,000`);
    await sendOthers();
    assert.ok(partCount <= sentCount + 1, "the model stops writing");
    assert.is(model.requests.length, 2);
    assert.is(await keptCount(), keptBefore);
    assert.ok(responses.every(({ closed }) => closed));
  });

  test("a model's endless answer is cancelled, even if nobody reads the response", async () => {
    const keptBefore = await keptCount();
    const leftBefore = model.left.count;
    const delta = { tool_calls: [{ index: 0, function: { arguments: "x".repeat(7) } }] };
    const endless = `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
    model.play((request) =>
      toolOf(request) === "write" ? { endless } : { calls: [answer(query())] },
    );
    const reader = openReader();
    const response = await reader.send();
    await until(() => model.left.count > leftBefore && model.open.count === 0);
    await until(() => response.writableFinished);
    const text = await readAnswers(reader, 1);
    assert.match(text, /"state":"failed".*ASSISTANT_MODEL_FAILED/);
    assert.is(model.requests.length, 2);
    assert.is(await keptCount(), keptBefore);
    reader.socket.destroy();
  });

  test("after slow and disconnected readers, the user's next query is still answered", async () => {
    model.play((request) => ({
      calls: [toolOf(request) === "write" ? written : answer(query())],
    }));
    const reader = openReader();
    await reader.send();
    assert.match(await readAnswers(reader, 1), /"text":"North has 6\."/);
    reader.socket.destroy();
    await until(() => responses.every(({ closed }) => closed));
  });
});
