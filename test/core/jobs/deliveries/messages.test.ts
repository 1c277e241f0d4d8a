import { readFileSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { drawChart } from "../../../../core/jobs/deliveries/drawChart.ts";
import { titleOf } from "../../../../core/jobs/deliveries/message.ts";
import { renderEmail } from "../../../../core/jobs/deliveries/renderEmail.ts";
import { renderMessage } from "../../../../core/jobs/deliveries/renderMessage.ts";
import { renderSms } from "../../../../core/jobs/deliveries/renderSms.ts";
import { messageLanguages } from "../../../../core/jobs/deliveries/words/wordsIn.ts";
import { suite } from "../../../support/suite.ts";
import { goldenAlert, goldenEvaluation, goldenMessage } from "./goldenMessage.ts";

/** `WRITE=1` writes the stored messages again. */
const stored = (language: string) => new URL(`golden/${language}.txt`, import.meta.url);

suite("core/jobs/deliveries/messages", (test) => {
  for (const language of Object.keys(messageLanguages))
    test(`a mail in ${language} says what began, what ended, what has no data and what still fires`, async () => {
      const message = await goldenMessage({ locale: language, zone: undefined });
      const { subject, text } = renderEmail(message, {});
      const sms = renderSms(message, {});
      const now = `${subject}\n\n${text}\n\nSMS: ${sms}\n`;
      if (process.env["WRITE"] === "1") writeFileSync(stored(language), now);
      assert.is(now, readFileSync(stored(language), "utf8"));
    });

  test("a title names the instances that ended and those that still fire", async () => {
    const ended = {
      ...goldenEvaluation,
      step: {
        ...goldenEvaluation.step,
        notices: [{ key: '["Nord"]', kind: "resolved" as const }],
        state: new Map([['["Süd"]', { status: "firing" as const, sinceMs: 0, isAnnounced: true }]]),
      },
    };
    const message = await goldenMessage({ locale: "en", zone: undefined }, ended);
    assert.is(titleOf(message), "Resolved: Nord; still firing: Süd – Prices");
  });

  test("many instances are listed worst first, and the others are counted", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `R${index}`);
    const data = names.map((id, index) => [{ id, name: { en: id } }, 1000 + index]);
    const evaluation = {
      ...goldenEvaluation,
      answer: { ...goldenEvaluation.answer!, data },
      step: {
        notices: names.map((name) => ({ key: JSON.stringify([name]), kind: "firing" as const })),
      },
    };
    const message = await goldenMessage({ locale: "en", zone: undefined }, evaluation);
    assert.is(message.instances?.length, 20);
    assert.equal(message.instances?.map(({ label }) => label).slice(0, 2), ["R49", "R48"]);
    const { text, subject } = renderEmail(message, {});
    assert.match(text, "50 instances: 50 firing");
    assert.match(text, "\n30 more\n");
    assert.is(subject, "Alert: R49, R48, R47, 47 more – Prices");
  });

  test("an alert that reports each evaluation says which instances were already firing", async () => {
    const evaluation = {
      ...goldenEvaluation,
      step: {
        ...goldenEvaluation.step,
        notices: ["Süd", "West"].map((name) => ({
          key: JSON.stringify([name]),
          kind: "firing" as const,
        })),
      },
    };
    const alert = { ...goldenAlert, notify: "every" as const };
    const message = await goldenMessage({ locale: "en", zone: undefined }, evaluation, alert);
    const changes = message.instances?.map(({ label, change }) => `${label} ${change}`);
    assert.equal(changes, ["West began", "Süd continues"]);
  });

  test("the title of an alert with one number contains the number", async () => {
    const { dimensions: _, ...query } = goldenAlert.query;
    const alert = { ...goldenAlert, query, instance_by: null };
    const evaluation = {
      slotMs: 0,
      answer: { ...goldenEvaluation.answer!, data: [[1234.5]] },
      step: { notices: [{ key: "", kind: "firing" as const }] },
    };
    const message = await goldenMessage({ locale: "en", zone: undefined }, evaluation, alert);
    assert.is(titleOf(message), "Alert: Prices – Average of Price: €1,234.50");
  });

  test("an event adds the row and the reason of each instance, and those that still fire", async () => {
    const message = await goldenMessage({ locale: "en", zone: undefined });
    const { body } = renderMessage("webhook", message, {}) as {
      body: { data: Readonly<Record<string, unknown>> };
    };
    const { notices, still_firing, thresholds, condition, explore_url } = body.data;
    assert.equal(notices, [
      { key: '["West"]', kind: "firing", row: [{ id: "West", name: { en: "West" } }, 98_765.432] },
      { key: '["Ost"]', kind: "resolved", reason: "no_data", row: null },
      { key: '["Nord"]', kind: "resolved", row: [{ id: "Nord", name: { en: "Nord" } }, 812.25] },
    ]);
    assert.equal(still_firing, { count: 1, keys: ['["Süd"]'] });
    assert.equal(thresholds, [{ column: 1, operator: ">", value: 1000 }]);
    assert.is(
      condition,
      "Day ago 1 day and Region not in (Test, null) and average of Price > 1000",
    );
    assert.match(String(explore_url), /^https:\/\/manifold\.example\.org\/explore\/0000/);
  });

  test("the picture of a mail has a line at the threshold, across the value axis", async () => {
    const message = await goldenMessage({ locale: "en", zone: undefined });
    const scene = await drawChart(message);
    const line = scene?.nodes.find((node) => node.kind === "path" && node.stroke === "#c92a2a");
    assert.match(line?.kind === "path" ? line.d : "", /^M[\d.]+,[\d.]+V\d+$/);
  });

  test("a mail with the longest cells and names stays below 102 KB", async () => {
    const long = "ж".repeat(5_000);
    const data = Array.from({ length: 20 }, (_, index) => [
      { id: `${long}${index}`, name: { en: `${long}${index}` } },
      2000 + index,
    ]);
    const heads = Array.from({ length: 40 }, () => long);
    const message = await goldenMessage({ locale: "en", zone: undefined });
    const rows = data.map(([cell]) => heads.map(() => cell!));
    const { instances: _, ...wide } = { ...message, titles: heads, heads, rows, rowCount: 20 };
    const fields = heads.map(() => message.fields![0]!);
    const { html } = renderEmail({ ...wide, fields }, {});
    assert.ok(Buffer.byteLength(html) <= 102 * 1024, `${Buffer.byteLength(html)} bytes`);
    assert.match(html, "more rows");
  });
});
