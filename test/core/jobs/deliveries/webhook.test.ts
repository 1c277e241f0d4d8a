import { Webhook } from "standardwebhooks";
import * as assert from "uvu/assert";
import { openEgress } from "../../../../core/connections/index.ts";
import type { Attempt } from "../../../../core/jobs/deliveries/driver.ts";
import type { Message } from "../../../../core/jobs/deliveries/message.ts";
import { createSlack } from "../../../../core/jobs/deliveries/slack.ts";
import { createWebhook } from "../../../../core/jobs/deliveries/webhook.ts";
import { openHttpSink, type HttpSink } from "../../../support/httpSink.ts";
import { sampleMessage } from "../../../support/sampleMessage.ts";
import { suite } from "../../../support/suite.ts";

const message: Message = {
  ...sampleMessage,
  name: { en: "Long <trips> & ```more```" },
  rows: [[{ id: "Ghent", name: { en: "<!channel> ```Ghent```" } }, 90]],
};

suite("core/jobs/deliveries/webhook", (test) => {
  const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 2000, sizeBytes: 2 ** 20 });
  const closed = openEgress({ allow: [], timeoutMs: 2000, sizeBytes: 2 ** 20 });
  let sink: HttpSink;
  test.before(async () => {
    sink = await openHttpSink();
  });
  test.after(async () => {
    egress.close();
    closed.close();
    await sink.close();
  });

  const send = (config: Readonly<Record<string, unknown>>, out = egress): Promise<Attempt> =>
    createWebhook(out).send({
      id: "d-1",
      message,
      config: { url: sink.url, ...config },
      recipient: null,
      signal: new AbortController().signal,
    });

  test("a message is signed so that the library of Standard Webhooks accepts it, with both secrets", async () => {
    const [now, before] = ["bmV3IHNlY3JldCBvZiB0ZXN0cw==", "b2xkIHNlY3JldCBvZiB0ZXN0cw=="];
    const attempt = await send({ secret: `whsec_${now}`, previous_secret: `whsec_${before}` });
    assert.equal(attempt, { outcome: "delivered" });
    const { headers, body } = sink.calls.at(-1)!;
    for (const secret of [now, before])
      assert.equal(new Webhook(secret).verify(body, headers), JSON.parse(body));
    assert.throws(() => new Webhook("YSB3cm9uZyBzZWNyZXQ=").verify(body, headers));
    assert.throws(() => new Webhook(now).verify(`${body} `, headers));
    assert.is(headers["webhook-id"], "d-1");
  });

  test("answers are delivered, tried later, refused, or end the channel, by their status", async () => {
    const outcome = async (status: number, headers: Readonly<Record<string, string>> = {}) => {
      sink.plan(status, headers);
      const { problem: _, ...rest } = (await send({})) as { problem?: string };
      return rest;
    };
    assert.equal(await outcome(200), { outcome: "delivered" });
    assert.equal(await outcome(503), { outcome: "later" });
    assert.equal(await outcome(429, { "retry-after": "90" }), {
      outcome: "later",
      retryAfterS: 90,
    });
    assert.equal(await outcome(410), { outcome: "refused", disables: true });
    assert.equal(await outcome(404), { outcome: "refused" });
    assert.equal(await outcome(302, { location: sink.url }), { outcome: "refused" });
  });

  test("an address that is not public is refused, and one that does not answer is tried later", async () => {
    const before = sink.calls.length;
    assert.is((await send({}, closed)).outcome, "refused");
    assert.is(sink.calls.length, before);
    assert.is((await send({ url: "http://127.0.0.1:9/" })).outcome, "later");
    assert.is((await send({ url: 7 })).outcome, "refused");
  });

  test("texts of data are escaped for Slack, and do not end the block that they are in", async () => {
    await createSlack(egress).send({
      id: "d-2",
      message,
      config: { url: sink.url },
      recipient: null,
      signal: new AbortController().signal,
    });
    const { text, blocks } = JSON.parse(sink.calls.at(-1)!.body) as {
      text: string;
      blocks: readonly { text?: { text: string } }[];
    };
    assert.is(text, "Alert: Long &lt;trips&gt; &amp; '''more'''");
    const table = blocks[2]?.text?.text ?? "";
    assert.is(table, "```City | Km\n&lt;!channel&gt; '''Ghent''' | 90```");
  });
});
