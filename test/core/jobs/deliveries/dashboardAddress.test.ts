import * as assert from "uvu/assert";
import { dashboardAddress } from "../../../../core/jobs/deliveries/dashboardAddress.ts";
import { renderEmail } from "../../../../core/jobs/deliveries/renderEmail.ts";
import { renderSlack } from "../../../../core/jobs/deliveries/slack.ts";
import { renderTeams } from "../../../../core/jobs/deliveries/teams.ts";
import { renderWebhook } from "../../../../core/jobs/deliveries/webhookEvents.ts";
import { suite } from "../../../support/suite.ts";
import { goldenAlert, goldenEvaluation, goldenMessage } from "./goldenMessage.ts";

const column = { dataset_id: "set", column_id: "column" };
const tested = (expression: string, ...values: readonly unknown[]) => ({
  expression,
  parameters: [column, ...values],
});

const addressOf = (state: object | null, ...where: readonly object[]) =>
  dashboardAddress({
    securable_id: "d",
    dashboard_state: state === null ? null : { version: 1, ...state },
    query: { where, having: [] },
  });

suite("core/jobs/deliveries/dashboardAddress", (test) => {
  test("a link opens the dashboard with the choices that the alert's query contains", () => {
    const state = {
      filters: {
        city: { values: ["Ghent", null] },
        when: { range: { key: "last_now", unit: 5, quantity: 7 } },
        days: { range: { key: "custom", customRange: { from: "2026-03-01", to: "2026-03-31" } } },
        price: { from: 1.5 },
        name: { text: " bike " },
      },
      selections: { bins: [["[ 10 - 20 ["]] },
      drills: { months: [{ level: 5, key: ["2026-03-01T00:00:00.000Z"] }] },
      picks: { sales: { measure: "key" } },
      parameters: { ids: [1.5] },
    };
    const where = [
      tested("? in ?", ["Ghent", null]),
      tested("? >= ?", "2026-02-28T23:00:00.000Z"),
      tested("? < ?", "2026-03-31T22:00:00.000Z"),
      { and: [tested("? >= ?", 1.5), { or: [tested("? like ?", "bike")] }] },
      { and: [tested("? >= ?", 10), tested("? < ?", 20)] },
    ];
    const query = new URLSearchParams(addressOf(state, ...where)?.split("?")[1]);
    assert.equal(
      [...query].map(([name, value]) => `${name}=${value}`),
      [
        "v=1",
        "f.city=in:Ghent,~null",
        "f.when=dates:last_now,7,day",
        "f.days=days:2026-03-01,2026-03-31",
        "f.price=between:1.5,",
        "f.name=has: bike ",
        "s.bins=[ 10 - 20 [",
        "d.months=day,2026-03-01T00:00:00.000Z",
        "c.sales=measure,key",
        "p.ids=*~1.5",
      ],
    );
  });

  test("a link leaves out choices whose values the alert's query does not contain", () => {
    const state = {
      filters: {
        patient: { values: ["Ghent", "Jane Roe"] },
        price: { from: 1, to: 7 },
        name: { text: "Jane" },
        days: { range: { key: "custom", customRange: { from: "2026-05-01", to: "" } } },
      },
      selections: { people: [["Jane Roe"]], bins: [["[ 30 - 40 ["]] },
      drills: { months: [{ level: 5, key: ["2027-01-01T00:00:00.000Z"] }] },
      parameters: { id: "secret" },
    };
    const where = [tested("? = ?", "Ghent"), tested("? >= ?", 7), tested("? > ?", "2026-03-01")];
    assert.is(addressOf(state, ...where), "/dashboards/d?v=1");
  });

  test("an alert without a state links to the dashboard as its author left it", () => {
    assert.is(addressOf(null), "/dashboards/d");
    assert.is(
      dashboardAddress({ securable_id: null, dashboard_state: { version: 1 }, query: {} }),
      undefined,
    );
  });

  test("mails, Slack, Teams and webhooks have the link with the choices", async () => {
    const alert = {
      ...goldenAlert,
      dashboard_state: { version: 1, filters: { region: { values: ["Test"] } } },
    };
    const message = await goldenMessage({ locale: "en", zone: undefined }, goldenEvaluation, alert);
    const link = "https://manifold.example.org/dashboards/d?v=1&f.region=in%3ATest";
    assert.is(message.dashboardLink, link);
    const { text, html } = renderEmail(message, {});
    assert.ok(text.includes(link));
    assert.ok(html.includes(link.replaceAll("&", "&amp;")));
    const ids = { id: "i", organizationId: null, channelId: null };
    for (const body of [
      renderSlack(message, {}, "i"),
      renderTeams(message, {}, "i"),
      renderWebhook(message, ids),
    ])
      assert.ok(JSON.stringify(body).includes(link), JSON.stringify(body));
  });
});
