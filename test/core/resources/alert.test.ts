import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { children, openTenants, samples, type Tenants } from "./openTenants.ts";

type Json = Record<string, unknown>;

suite("core/resources/alert", (test) => {
  let tenants: Tenants;
  test.before(async () => {
    tenants = await openTenants();
  });
  test.after(() => tenants.close());

  const refusedBy = async (
    resource: string,
    properties: Json,
    action: "create" | "update" = "create",
  ) => {
    const id = action === "update" ? await tenants.make(tenants.ada, resource) : undefined;
    return (await tenants.refusal(tenants.ada, resource, action, { id, properties })).message;
  };

  test("an alert takes its frequency in every form of the field, and keeps it in one (contract C14)", async () => {
    const { ada, call } = tenants;
    const base = samples["alert"];
    const forms: [unknown, Json][] = [
      [
        { unit: "week", quantity: 2 },
        { unit: "week", quantity: 2 },
      ],
      ['{"unit":"month","quantity":1}', { unit: "month", quantity: 1 }],
      ["day", { unit: "day", quantity: 1 }],
      ["daily", { unit: "day", quantity: 1 }],
      ["Weekly", { unit: "week", quantity: 1 }],
      ["yearly", { unit: "year", quantity: 1 }],
      ["1 day", { unit: "day", quantity: 1 }],
      [" 2 weeks ", { unit: "week", quantity: 2 }],
      ["months", { unit: "month", quantity: 1 }],
      ['"weekly"', { unit: "week", quantity: 1 }],
      [
        { unit: "hour", quantity: 1, more: 1 },
        { unit: "hour", quantity: 1 },
      ],
    ];
    for (const [frequency, kept] of forms) {
      const alert = await call(ada, "alert", "create", { properties: { ...base, frequency } });
      assert.equal(alert["frequency"], kept);
      assert.is(alert["user_id"], ada.userId);
    }
    for (const frequency of [
      "often",
      "{",
      "[]",
      "0 days",
      "1.5 days",
      "day 1",
      "-1 day",
      "dayly",
      "2 daily",
      "1 decade",
      "100001 days",
      {},
      { unit: "day" },
      { unit: "day", quantity: 0 },
      { unit: "day", quantity: 1.5 },
      { unit: "decade", quantity: 1 },
      5,
    ])
      assert.match(
        await refusedBy("alert", { ...base, frequency }),
        /properties\.frequency/,
        JSON.stringify(frequency),
      );
  });

  test("an alert makes its channels with it, or neither", async () => {
    const { ada, call, refusal, rows, records } = tenants;
    const channels = [
      samples["channel"],
      { type: "email", config: { recipients: [{ email: "a@example.org" }] } },
    ];
    const alert = await call(ada, "alert", "create", {
      properties: { ...samples["alert"], channels },
    });
    const [row] = await rows(ada, "alert", {
      where: { id: alert.id },
      include: [{ model: "Channel" }],
    });
    const made = children(row, "channels");
    assert.equal(made.map(({ type }) => type).toSorted(), ["email", "webhook"]);
    assert.equal(made.find(({ type }) => type === "webhook")?.["config"], {
      url: null,
      secret: null,
      text: "Hello",
    });
    const before = (await records.find("channel", {})).length;
    const bad = [...channels, { type: "pigeon" }];
    const { message } = await refusal(ada, "alert", "create", {
      properties: { ...samples["alert"], name: "bad", channels: bad },
    });
    assert.match(message, /properties\.channels\[2\]\.type/);
    assert.is((await records.find("channel", {})).length, before);
    assert.equal(
      (await records.find("alert", {})).filter(({ name }) => name === "bad"),
      [],
    );
  });
});
