import * as assert from "uvu/assert";
import type { Message } from "../../../../core/jobs/deliveries/message.ts";
import { renderEmail } from "../../../../core/jobs/deliveries/renderEmail.ts";
import { renderMessage } from "../../../../core/jobs/deliveries/renderMessage.ts";
import { renderSms } from "../../../../core/jobs/deliveries/renderSms.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { sampleMessage } from "../../../support/sampleMessage.ts";
import { suite } from "../../../support/suite.ts";

/** Strings that have a special meaning in at least one medium. */
const hostile = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</td></table><a href='https://evil.example'>x</a>",
  "<!channel> <@U1> <https://evil.example|bank>",
  "```\n*bold* _it_ ~no~",
  "[bank](https://evil.example) **b** # h",
  "{{DATE(2026-01-01T00:00:00Z, SHORT)}} ${name} {{link}} {{query}}",
  "<at>everyone</at>",
  "a\r\nBcc: eve@example.org\r\n\r\nbody",
  "a\u2028b\u2029c\u0000d\u202eevil",
  "&amp;&lt;script&gt;",
  "=1+1",
  "😀€[]{}^|~\\",
  "x".repeat(5_000),
];

suite("core/jobs/deliveries/renderMessage", (test) => {
  const random = createRandom();
  const text = () =>
    random.some(hostile, 0.3).join(random.pick([" ", "", "\n"])) || random.pick(hostile);
  const messageOf = (): Message => {
    const heads = [text(), text()];
    return {
      ...sampleMessage,
      name: { en: text() },
      condition: text(),
      ...(random.chance(0.3) && { problem: text() }),
      ...(random.chance(0.3) && { kind: "digest" as const }),
      heads,
      rows: Array.from({ length: random.below(5) }, () => [
        { id: text(), name: { en: text() } },
        text(),
      ]),
      rowCount: random.below(40),
    };
  };
  /** The tags of mails whose data contain no markup. */
  const known = new Set<string>(["<br>"]);
  for (const status of ["firing", "resolved"] as const)
    for (const kind of ["alert", "digest"] as const) {
      const notices = [{ key: "", kind: status }];
      const given = {
        ...sampleMessage,
        kind,
        notices,
        noticeCounts: { [status]: 1 },
        rowCount: 40,
      };
      const parts = { unsubscribeUrl: "https://example.org/u/token", pictureWidth: 592 };
      const { html } = renderEmail(given, { message: "own" }, parts);
      for (const [tag] of html.matchAll(/<[^>]*>/g)) known.add(tag.replace(/ alt="[^"<>]*"/, ""));
    }
  const config = { subject: "{{name}}", message: "{{name}} {{condition}}", text: "{{condition}}" };
  const rounded = (check: (message: Message) => void) =>
    withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 60, deep: 3_000 }); round++) check(messageOf());
    });

  test("a mail contains no markup except its template's, escapes all data and has a one-line subject", () =>
    rounded((message) => {
      const own = random.chance(0.5) ? config : {};
      const parts = { unsubscribeUrl: "https://example.org/u/token", pictureWidth: 592 };
      const { subject, html } = renderEmail(message, own, parts);
      assert.not.match(subject, /[\p{Cc}\u2028\u2029\u202e]/u);
      assert.ok(subject.length <= 250);
      const tags = [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/ alt="[^"<>]*"/, ""));
      for (const tag of tags) assert.ok(known.has(tag), tag);
      assert.is(html.replaceAll(/<[^>]*>/g, "").includes("<"), false);
      const cells = tags.filter((tag) => /^<td .*padding:6px 8px/.test(tag));
      assert.is(cells.length, message.rows.length * 2);
    }));

  test("Slack messages contain data only as plain text, or escaped in one code block", () =>
    rounded((message) => {
      const { body } = renderMessage("slack", message, config) as {
        body: { text: string; blocks: readonly { type: string; text?: Json; elements?: Json[] }[] };
      };
      assert.not.match(body.text, /[<>]/);
      for (const { text: shown, elements = [] } of body.blocks)
        for (const part of [shown, ...elements]) {
          if (!part || part["type"] === "plain_text") continue;
          const markup = String(part["text"]);
          const inner = markup.startsWith("```") ? markup.slice(3, -3) : markup;
          const ours = new RegExp(`<${message.link}\\|Open(?: the alert)?>`);
          assert.not.match(inner.replace(ours, ""), /[<>]|```/);
          assert.ok(markup.length <= 3_000);
          for (const [whole] of inner.matchAll(/&[^;\s]{0,5};?/g))
            assert.match(whole, /^&(?:amp|lt|gt);/);
        }
    }));

  test("Teams messages contain data only as plain text, without markup or card functions", () =>
    rounded((message) => {
      const rendered = renderMessage("teams", message, config);
      const json = JSON.stringify(rendered);
      assert.not.match(json, /\{\{|\$\{/);
      assert.ok(Buffer.byteLength(json) < 28 * 1024, `${Buffer.byteLength(json)} bytes`);
      const visit = (part: unknown): void => {
        if (typeof part !== "object" || part === null) return;
        if ("text" in part) assert.is((part as { type?: unknown }).type, "TextRun");
        for (const each of Object.values(part)) visit(each);
      };
      visit(rendered);
      assert.not.match(json, /"type":"TextBlock"|"FactSet"|msteams/);
    }));

  test("a text message is one line, takes at most three parts and keeps its whole link", () =>
    rounded((message) => {
      const sms = renderSms(message, {});
      assert.not.match(sms, /[\p{Cc}\u2028\u2029\u202e]/u);
      assert.ok(sms.endsWith(String(message.link)));
      const isGsm = /^[\w @£$!"#%&'()*+,\-./:;<=>?\n^{}\\[\]~|€]*$/.test(sms);
      const size = isGsm
        ? [...sms].length + [...sms.matchAll(/[\^{}\\[\]~|€]/g)].length
        : sms.length;
      assert.ok(size <= (isGsm ? 459 : 201), `${size} of ${isGsm}`);
    }));

  test("a template replaces each known placeholder once, and does not expand placeholders in data", () => {
    const message = { ...sampleMessage, name: { en: "{{link}}", fr: "Longs {{time}}" } };
    const shown = (template: unknown, locale = "en") =>
      renderEmail({ ...message, locale }, { subject: template }).subject;
    assert.is(shown("{{ name }} is {{status}}: {{count}}"), "{{link}} is firing: 1");
    assert.is(
      shown({ en: "no", fr: "{{name}} {{condition}}" }, "fr-BE"),
      "Longs {{time}} sum of Km > 80",
    );
    assert.is(shown("{{constructor}} {{unknown}}"), "{{constructor}} {{unknown}}");
  });

  test("numbers and times are formatted in the user's locale and the alert's time zone", () => {
    const message: Message = {
      ...sampleMessage,
      locale: "de",
      heads: ["a", "b", "c", "d"],
      forms: ["number", "instant", "day", "date"],
      queryZone: "Europe/Brussels",
      rows: [[1234.5, "2026-01-01T23:30:00.000Z", "2025-12-31T23:00:00.000Z", "2026-01-31"]],
    };
    const { text } = renderEmail(message, {});
    assert.match(text, "1.235\t02.01.2026, 00:30:00\t1. Jan. 2026\t31. Jan. 2026");
    assert.match(text, "Donnerstag, 1. Januar 2026 um 01:00:00");
  });

  test("messages about many instances are combined into a digest", () => {
    const notices = Array.from({ length: 20 }, (_, key) => ({
      key: `${key}`,
      kind: "firing" as const,
    }));
    const message = { ...sampleMessage, notices, noticeCounts: { firing: 900, resolved: 100 } };
    for (const type of ["email", "slack", "teams"] as const)
      assert.match(
        JSON.stringify(renderMessage(type, message, {})),
        "1,000 instances: 900 firing, 100 resolved",
      );
  });
});

type Json = Readonly<Record<string, unknown>>;
