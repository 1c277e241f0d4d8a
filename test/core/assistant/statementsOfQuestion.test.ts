import pg from "pg";
import * as assert from "uvu/assert";
import { openModelStandIn, type ModelStandIn } from "../../support/modelStandIn.ts";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People } from "../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

/** Returns the statements that all connections of this process send while a function runs. */
async function statementsOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  const { prototype } = pg.Client;
  const original: unknown = Reflect.get(prototype, "query");
  if (typeof original !== "function") throw new TypeError("pg has no query");
  const sent: string[] = [];
  Reflect.set(prototype, "query", function query(this: unknown, ...values: unknown[]) {
    const [first] = values;
    const given = typeof first === "object" ? Reflect.get(first ?? {}, "text") : first;
    const text = String(given).replaceAll(/\s+/g, " ").trim();
    // Credentials and the version of the catalog are looked at every 750 ms, whoever asks.
    if (!text.includes("_version")) sent.push(text);
    return Reflect.apply(original, this, values);
  });
  try {
    await run();
  } finally {
    Reflect.set(prototype, "query", original);
  }
  return sent;
}

suite("core/host and the statements of a question in words", (test) => {
  let model: ModelStandIn;
  let people: People;
  let dataset: Dataset;
  test.before(async () => {
    model = await openModelStandIn();
    people = await openPeople({ aiUrl: model.url, aiModel: "stand-in", aiSends: "samples" });
    dataset = await people.push();
    const measure = { dataset_id: dataset.id, column_id: dataset.columns["km"] };
    const query = { measures: [{ ...measure, aggregation: { type: "sum" } }] };
    model.play(({ tools }) => ({
      calls: [
        tools.some(({ name }) => name === "write")
          ? { name: "write", arguments: { text: "21 in all.", operations: [] } }
          : { name: "answer", arguments: { title: "Km", chart: "bar-chart", query } },
      ],
    }));
  });
  test.after(async () => {
    await people?.close();
    await model?.close();
  });
  const ask = async (resource: string, members: Json) => {
    const answer = await fetch(`${people.host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        action: "create",
        version: "0.1.0",
        ...people.owner.pair,
        ...members,
      }),
    });
    const text = await answer.text();
    assert.is(answer.status, 200, text);
    assert.match(text, /21 in all\./);
  };
  const input = () => [
    { type: "text", value: "How far?" },
    { type: "dataset", value: dataset.id },
  ];
  const wires: readonly (readonly [string, () => Json])[] = [
    ["aiprompt", () => ({ properties: { stream: true, input: input() } })],
    [
      "aimessage",
      () => ({
        properties: { content: { role: "user", content: "How far?" } },
        options: { dataset_id: dataset.id },
      }),
    ],
    ["iqmessage", () => ({ properties: { prompt: "How far?", dataset_id: dataset.id } })],
  ];

  for (const [resource, members] of wires)
    test(`${resource}: a question with two calls of the model has 15 statements, and reads no record`, async () => {
      await ask(resource, members());
      const before = model.requests.length;
      const sent = await statementsOf(() => ask(resource, members()));
      assert.is(model.requests.length - before, 2);
      // Each call is counted and audited in one transaction, and settled; one transaction keeps the messages.
      assert.equal(
        sent
          .map((text) => text.replaceAll('"', "").split(" ").slice(0, 3).join(" "))
          // The last use of a token is noted by the clock, not by the question.
          .filter((text) => !text.startsWith("update authorization")),
        [
          ...[1, 2].flatMap(() => [
            "BEGIN;",
            "insert into assistant_usage",
            "insert into auditevent",
            "COMMIT;",
            "with settled as",
          ]),
          "BEGIN;",
          "insert into aiconversation",
          "insert into aimessage",
          "insert into aimessageasset",
          "COMMIT;",
        ],
      );
    });

  test("answers of the assistant leave what queries remember as it is", async () => {
    const askData = async () => {
      const measure = { dataset_id: dataset.id, column_id: dataset.columns["km"] };
      const queries = [{ measures: [{ ...measure, aggregation: { type: "max" } }] }];
      return statementsOf(() => people.owner.get("data", { queries }));
    };
    await askData();
    for (const [resource, members] of wires) await ask(resource, members());
    assert.equal(await askData(), []);
  });
});
