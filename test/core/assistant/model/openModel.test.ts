import * as assert from "uvu/assert";
import { openModel, type Model } from "../../../../core/assistant/index.ts";
import { openEgress, type Egress } from "../../../../core/sources/connections/index.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { openModelStandIn, type ModelStandIn, type Reply } from "../../../support/modelStandIn.ts";
import { suite } from "../../../support/suite.ts";

const key = "sk-a-secret-of-the-operator";
const tools = [{ name: "answer", description: "", parameters: { type: "object" } }];
const messages = [{ role: "user", content: "How many?" }] as const;
const call = { name: "answer", arguments: { text: "Straße \n \u{1f600} 3" } };

suite("core/assistant/model/openModel", (test) => {
  let standIn: ModelStandIn;
  let egress: Egress;
  let hasty: Egress;
  let closed: Egress;
  const waits: number[] = [];
  const logged: unknown[] = [];
  const modelWith = (way: Egress, timeoutMs = 60_000): Model =>
    openModel({
      url: `${standIn.url}/`,
      key,
      name: "stand-in",
      egress: way,
      timeoutMs,
      log: { warn: (...line: unknown[]) => void logged.push(line) },
      wait: async (ms) => void waits.push(ms),
    });
  test.before(async () => {
    standIn = await openModelStandIn();
    const limits = { timeoutMs: 60_000, sizeBytes: 2 ** 16 };
    egress = openEgress({ allow: ["127.0.0.1"], ...limits });
    hasty = openEgress({ allow: ["127.0.0.1"], ...limits, timeoutMs: 300 });
    closed = openEgress({ allow: [], ...limits });
  });
  test.after(async () => {
    egress.close();
    hasty.close();
    closed.close();
    await standIn.close();
  });
  const complete = (isStreamed: boolean, signal = new AbortController().signal, way = egress) =>
    modelWith(way).complete(
      { messages, tools, ...(isStreamed && { onPart: () => undefined }) },
      signal,
    );
  const failureOf = async (completion: Promise<unknown>): Promise<ApiError> => {
    const failure: unknown = await completion.then(
      () => assert.unreachable("the model answered"),
      (thrown: unknown) => thrown,
    );
    if (!(failure instanceof ApiError)) throw failure;
    return failure;
  };

  for (const isStreamed of [false, true]) {
    const way = isStreamed ? "streamed" : "whole";

    test(`the model client reads the tool calls, their arguments and the number of tokens from a ${way} reply`, async () => {
      standIn.play(() => ({ calls: [call, { name: "other", arguments: "{not json" }] }));
      const reply = await complete(isStreamed);
      assert.is(reply.tokenCount, 100);
      assert.equal(
        reply.calls.map(({ id, name, arguments: given }) => [id, name, given]),
        [
          ["call-0", "answer", JSON.stringify(call.arguments)],
          ["call-1", "other", "{not json"],
        ],
      );
      const [taken] = standIn.requests;
      assert.equal(
        [taken?.authorization, taken?.model, taken?.isStreamed, taken?.tools],
        [`Bearer ${key}`, "stand-in", isStreamed, tools],
      );
      standIn.play(() => ({ text: "Grüße 5" }));
      assert.is((await complete(isStreamed)).text, "Grüße 5");
      standIn.play(() => ({ refusal: "No." }));
      assert.ok((await complete(isStreamed)).isRefused);
    });

    test(`a failed ${way} request is repeated at most twice, after the time in Retry-After`, async () => {
      const faults: Reply[] = [
        { status: 429, headers: { "Retry-After": "7" } },
        { status: 500 },
        { calls: [call] },
      ];
      standIn.play((_request, index) => faults[index] ?? { status: 500 });
      waits.length = 0;
      assert.is((await complete(isStreamed)).calls.length, 1);
      assert.equal([waits, standIn.requests.length], [[7_000, 2_000], 3]);
      standIn.play(() => ({ status: 503 }));
      assert.is((await failureOf(complete(isStreamed))).code, "ASSISTANT_MODEL_FAILED");
      assert.is(standIn.requests.length, 3);
      standIn.play(() => ({ status: 429, headers: { "Retry-After": "3600" } }));
      const late = await failureOf(complete(isStreamed));
      assert.equal([late.retryAfterS, standIn.requests.length], [3_600, 1]);
      for (const status of [400, 401, 403, 404, 422]) {
        standIn.play(() => ({ status }));
        await failureOf(complete(isStreamed));
        assert.is(standIn.requests.length, 1, String(status));
      }
    });

    test(`an incomplete or malformed ${way} chat completion is refused`, async () => {
      const wrong: Record<string, Reply> = {
        "no JSON": { raw: "<html>" },
        empty: { raw: "" },
        "another shape": { raw: '{"choices": 5}' },
        "another type of call": { raw: '{"choices": [{"message": {"tool_calls": [5]}}]}' },
        "truncated in the middle": {
          raw: 'data: {"choices": [{"delta": {"content": "5',
          isCut: true,
        },
        "an incomplete event": { raw: 'data: {"choices": [{"delta": {"content": "5"}}]}\n\n' },
        "an error in the stream": { raw: 'data: {"error": {"message": "x"}}\n\ndata: [DONE]\n\n' },
        huge: { hugeBytes: 2 ** 17 },
      };
      for (const [name, reply] of Object.entries(wrong)) {
        standIn.play(() => reply);
        assert.is((await failureOf(complete(isStreamed))).code, "ASSISTANT_MODEL_FAILED", name);
      }
    });

    test(`a ${way} reply that is not complete at the deadline, or when the caller disconnects, is cancelled`, async () => {
      standIn.play(() => ({ isSilent: true }));
      const { signal } = new AbortController();
      const slow = modelWith(hasty, 300).complete(
        { messages, tools, ...(isStreamed && { onPart: () => undefined }) },
        signal,
      );
      assert.is((await failureOf(slow)).code, "ASSISTANT_MODEL_SLOW");
      const leaving = new AbortController();
      const before = standIn.left.count;
      const completion = complete(isStreamed, leaving.signal).catch((failure: unknown) => failure);
      leaving.abort(new Error("the caller disconnected"));
      assert.match(String(await completion), /the caller disconnected/);
      assert.ok(standIn.left.count >= before);
    });
  }

  test("a reply is read as a whole when the endpoint does not support streaming", async () => {
    standIn.play(() => ({ raw: '{"choices": [{"message": {"content": "Hi"}}]}' }));
    const reply = await complete(true);
    assert.is(reply.text, "Hi");
    assert.ok(reply.tokenCount > 0, "tokens are estimated");
  });

  test("a model at a private address that is not allowed is never called, and the error reveals nothing secret", async () => {
    standIn.play(() => ({ status: 401 }));
    logged.length = 0;
    const failures = [
      await failureOf(complete(false, undefined, closed)),
      await failureOf(complete(false)),
      await failureOf(complete(true)),
    ];
    assert.is(standIn.requests.length, 2);
    const told = JSON.stringify([failures.map(({ message }) => message)]);
    for (const secret of [key, "127.0.0.1", "a secret text"])
      assert.not(told.includes(secret), secret);
    assert.not(JSON.stringify(logged).includes(key));
    assert.not(JSON.stringify(logged).includes("a secret text"));
  });
});
