import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import * as assert from "uvu/assert";
import { createEmail, type EmailDriver } from "../../../../core/jobs/deliveries/email.ts";
import { recipientsOf } from "../../../../core/jobs/deliveries/recipientsOf.ts";
import type { Message } from "../../../../core/jobs/deliveries/message.ts";
import { sampleMessage } from "../../../support/sampleMessage.ts";
import { suite } from "../../../support/suite.ts";

const message: Message = {
  ...sampleMessage,
  name: { en: "Long trips\r\nBcc: eve@example.org" },
  rows: [["<script>alert(1)</script>", 90]],
  rowCount: 21,
};

interface Mail {
  readonly to: readonly string[];
  readonly source: string;
}

const to = "ada@example.org";

suite("core/jobs/deliveries/email", (test) => {
  const mails: Mail[] = [];
  let refusal: (Error & { responseCode: number }) | undefined;
  let server: SMTPServer;
  let driver: EmailDriver;
  test.before(async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData(stream, { envelope }, done) {
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.on("end", () => {
          const taken = envelope.rcptTo.map(({ address }) => address);
          if (!refusal) mails.push({ to: taken, source: Buffer.concat(parts).toString() });
          done(refusal ?? null);
        });
      },
    });
    const listening = once(server.server, "listening");
    server.listen(0, "127.0.0.1");
    await listening;
    const { port } = server.server.address() as AddressInfo;
    driver = createEmail({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: "Manifold <alerts@example.org>",
      timeoutMs: 60_000,
    });
  });
  test.after(async () => {
    driver.close();
    const closed = new Promise<void>((resolve) => server.close(resolve));
    await closed;
  });

  const unsubscribeUrl = `https://example.org/unsubscribe/${"t0_-".repeat(50)}`;
  const send = (config: Readonly<Record<string, unknown>> = {}, recipient: string | null = to) =>
    driver.send({
      id: "d-1",
      message,
      config,
      recipient,
      unsubscribeUrl,
      signal: new AbortController().signal,
    });

  test("a mail has the same id in all attempts, and the unsubscribe headers of RFC 8058", async () => {
    for (const _ of [1, 2]) assert.equal(await send(), { outcome: "delivered" });
    for (const { to: taken, source } of mails) {
      assert.equal(taken, [to]);
      const [head = ""] = source.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n\r\n");
      assert.match(head, /^Message-ID: <d-1@example\.org>\r?$/im);
      assert.match(head, /^Auto-Submitted: auto-generated\r?$/im);
      assert.match(head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/im);
      const [, link] = /^List-Unsubscribe: <([^>]+)>\r?$/im.exec(head) ?? [];
      assert.is(link, unsubscribeUrl);
    }
  });

  test("a line break in a name adds no mail header, and data in HTML is escaped", async () => {
    await send();
    const { source } = mails.at(-1)!;
    const [head = ""] = source.split("\r\n\r\n");
    assert.not.match(head, /^Bcc:/im);
    assert.match(head, /^Subject: Alert: Long trips Bcc: eve@example\.org\r$/im);
    const [, html = ""] = source.split(/^Content-Type: text\/html.*$/im);
    assert.not.match(html, /<script>/i);
    assert.match(html, /&lt;script&gt;/);
    assert.match(source, /and 20 more rows/);
  });

  test("a message is retried after a 4xx reply but not after a 5xx reply, and the mail server's text is never stored", async () => {
    for (const [code, outcome] of [
      [550, "refused"],
      [451, "later"],
    ] as const) {
      refusal = Object.assign(new Error("no such user ada@example.org"), { responseCode: code });
      const attempt = await send();
      assert.is(attempt.outcome, outcome);
      assert.not.match(JSON.stringify(attempt), /ada@/);
      refusal = undefined;
    }
  });

  test("an email is retried if the mail server rejects the connection rather than the message", async () => {
    const closed = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      onAuth: (_auth, _session, done) =>
        done(Object.assign(new Error("5.7.8 wrong password"), { responseCode: 535 })),
    });
    const busy = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      onConnect: (_session, done) =>
        done(Object.assign(new Error("no service here"), { responseCode: 554 })),
    });
    for (const refusing of [closed, busy]) {
      // The client disconnects during the SMTP dialog.
      refusing.on("error", () => undefined);
      const listening = once(refusing.server, "listening");
      refusing.listen(0, "127.0.0.1");
      await listening;
      const { port } = refusing.server.address() as AddressInfo;
      const own = createEmail({
        smtpUrl: `smtp://host:secret@127.0.0.1:${port}`,
        from: "Manifold <alerts@example.org>",
        timeoutMs: 60_000,
      });
      const attempt = await own.send({
        id: "d-2",
        message,
        config: {},
        recipient: to,
        signal: new AbortController().signal,
      });
      own.close();
      await new Promise<void>((resolve) => refusing.close(resolve));
      assert.is(attempt.outcome, "later");
      assert.not.match(JSON.stringify(attempt), /secret|password/);
    }
  });

  test("a channel's config without an address fails, and the error names the missing member", async () => {
    for (const given of [undefined, [], [{ email: "nobody" }], [{ email: "a@b.c, d@e.f" }]])
      assert.equal(recipientsOf("email", { recipients: given }), []);
    assert.equal(await send({}, null), {
      outcome: "refused",
      problem: "config.recipients must contain a valid e-mail address",
    });
  });

  test("recipients may be objects or strings, each address is used once, and phone numbers are normalized", () => {
    const recipients = [{ email: "Ada@example.org" }, "ada@example.org", "grace@example.org"];
    assert.equal(recipientsOf("email", { recipients }), ["ada@example.org", "grace@example.org"]);
    const to = ["+32 (2) 555.01-00", "+3225550100", "02 555 01 00"];
    assert.equal(recipientsOf("sms", { to, recipients: [{ phone: "+4915112345678" }] }), [
      "+4915112345678",
      "+3225550100",
    ]);
    assert.is(recipientsOf("slack", { recipients }), null);
  });
});
