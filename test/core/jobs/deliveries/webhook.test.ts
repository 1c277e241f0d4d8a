import { once } from "node:events";
import { createServer, type AddressInfo, type LookupFunction, type Socket } from "node:net";
import { Webhook } from "standardwebhooks";
import * as assert from "uvu/assert";
import { openEgress } from "../../../../core/sources/connections/index.ts";
import type { Attempt } from "../../../../core/jobs/deliveries/driver.ts";
import type { Message } from "../../../../core/jobs/deliveries/message.ts";
import { createSlack } from "../../../../core/jobs/deliveries/slack.ts";
import { createTeams } from "../../../../core/jobs/deliveries/teams.ts";
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
  const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 60_000, sizeBytes: 2 ** 20 });
  const closed = openEgress({ allow: [], timeoutMs: 60_000, sizeBytes: 2 ** 20 });
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

  test("the Standard Webhooks library verifies messages signed with the current and the previous secret", async () => {
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

  test("the status of the response decides whether a message is delivered, is retried, fails or disables its channel", async () => {
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

  test("delivery to a private address fails, and delivery to a silent address is retried", async () => {
    const before = sink.calls.length;
    assert.is((await send({}, closed)).outcome, "refused");
    assert.is(sink.calls.length, before);
    assert.is((await send({ url: "http://127.0.0.1:9/" })).outcome, "later");
    assert.is((await send({ url: 7 })).outcome, "refused");
  });

  test("delivery is retried if the receiver is slow, never stops sending or does not speak HTTP", async () => {
    const speak: Record<string, (socket: Socket) => void> = {
      silent: () => undefined,
      garbage: (socket) => void socket.end("\u0000 hello \r\n\r\n"),
      cut: (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1"),
      endless: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        const part = `10000\r\n${"x".repeat(2 ** 16)}\r\n`;
        const write = () => {
          while (!socket.destroyed && socket.write(part));
          socket.once("drain", write);
        };
        write();
      },
    };
    const hasty = openEgress({ allow: ["127.0.0.1"], timeoutMs: 300, sizeBytes: 2 ** 20 });
    for (const [name, answer] of Object.entries(speak)) {
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket.on("error", () => undefined));
        answer(socket);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const attempt = await send({ url: `http://127.0.0.1:${port}/` }, hasty);
      for (const socket of sockets) socket.destroy();
      server.close();
      assert.is(attempt.outcome, "later", name);
    }
    hasty.close();
  });

  test("delivery fails for a host name that was public when checked but is private when the socket connects", async () => {
    const lookup: LookupFunction = (_host, options, found) =>
      options.all
        ? found(null, [{ address: "127.0.0.1", family: 4 }])
        : found(null, "127.0.0.1", 4);
    const rebound = openEgress({ allow: [], timeoutMs: 60_000, sizeBytes: 2 ** 20, lookup });
    const before = sink.calls.length;
    const { port } = new URL(sink.url);
    for (const driver of [createWebhook(rebound), createSlack(rebound), createTeams(rebound)]) {
      const attempt = await driver.send({
        id: "d-1",
        message,
        config: { url: `http://hook.example.org:${port}/` },
        recipient: null,
        signal: new AbortController().signal,
      });
      assert.is(attempt.outcome, "refused");
    }
    assert.is(sink.calls.length, before);
    rebound.close();
  });

  test("after a channel's secret changes, messages are also signed with the previous secret until it expires", async () => {
    const [now, before] = ["bmV3IHNlY3JldCBvZiB0ZXN0cw==", "b2xkIHNlY3JldCBvZiB0ZXN0cw=="];
    const secrets = { secret: `whsec_${now}`, previous_secret: `whsec_${before}` };
    for (const [seconds, count] of [
      [60, 2],
      [-60, 1],
    ] as const) {
      const until = new Date(Date.now() + seconds * 1000).toISOString();
      await send({ ...secrets, previous_secret_until: until });
      const { headers, body } = sink.calls.at(-1)!;
      assert.is(headers["webhook-signature"]?.split(" ").length, count);
      assert.equal(new Webhook(now).verify(body, headers), JSON.parse(body));
    }
  });

  test("data in Slack messages is escaped and cannot close its code block", async () => {
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

  test("the reason for a failed delivery quotes only Slack's known error codes from the response", async () => {
    const sent = (text: string, status: number, driver = createSlack(egress)) => {
      sink.plan(status, {}, () => true, text);
      return driver.send({
        id: "d-3",
        message,
        config: { url: sink.url },
        recipient: null,
        signal: new AbortController().signal,
      });
    };
    assert.equal(await sent("no_service", 404), {
      outcome: "refused",
      problem: "the address returned status 404: no_service",
    });
    assert.equal(await sent("channel_is_archived\n", 410), {
      outcome: "refused",
      problem: "the address returned status 410: channel_is_archived",
      disables: true,
    });
    for (const [text, driver] of [
      ["no_service of https://hooks.example.org/secret", createSlack(egress)],
      ["no_service", createWebhook(egress)],
    ] as const)
      assert.equal(await sent(text, 403, driver), {
        outcome: "refused",
        problem: "the address returned status 403",
      });
  });
});
