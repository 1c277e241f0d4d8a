import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import pg from "pg";
import * as assert from "uvu/assert";
import { openModelStandIn, type ModelStandIn } from "../../support/modelStandIn.ts";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People } from "../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

/** Records the SQL statements of the requests that a function sends. */
const recorded = new AsyncLocalStorage<string[][]>();

/**
 * Returns the statements that the requests of a function send, including statements of the work that the requests
 * start. Each transaction is a list, and every other statement is a separate list. Scheduled work of the host is left
 * out.
 */
async function statementsOf(run: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
  const { prototype } = pg.Client;
  const original: unknown = Reflect.get(prototype, "query");
  if (typeof original !== "function") throw new TypeError("pg has no query");
  const sent: string[][] = [];
  const transactions = new Map<unknown, string[]>();
  Reflect.set(prototype, "query", function query(this: unknown, ...values: unknown[]) {
    const [first] = values;
    const given = typeof first === "object" ? Reflect.get(first ?? {}, "text") : first;
    const text = String(given).replaceAll(/\s+/g, " ").trim();
    if (recorded.getStore() === sent && !byTheClock.some((each) => each.test(text))) {
      const open = transactions.get(this);
      if (open) open.push(text);
      else sent.push([text]);
      if (text === "BEGIN;") transactions.set(this, sent.at(-1) ?? []);
      if (text === "COMMIT;") transactions.delete(this);
    }
    return Reflect.apply(original, this, values);
  });
  const enter = () => recorded.enterWith(sent);
  subscribe("http.server.request.start", enter);
  try {
    await run();
  } finally {
    unsubscribe("http.server.request.start", enter);
    Reflect.set(prototype, "query", original);
  }
  return sent;
}

/** Matches statements that a request sends only if the last statement of the same kind was long enough ago. */
const byTheClock: readonly RegExp[] = [
  // Credentials and the version of the catalog are checked at most once every 750 ms for all callers together.
  /_version/,
  // The time of a token's last use is recorded only occasionally.
  /^update "?authorization"? /,
  // If a statement takes seconds, the host asks the server what it is working on.
  /pg_backend_pid/,
  // The first call of a day removes old counts.
  /^delete from assistant_usage /,
];

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
  const call = async (resource: string, members: Json) => {
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
    test(`${resource}: a question with two calls to the model runs 15 SQL statements on the catalog, none of which reads a record`, async () => {
      await call(resource, members());
      const before = model.requests.length;
      const sent = await statementsOf(() => call(resource, members()));
      assert.is(model.requests.length - before, 2);
      const begun = (text: string) => text.replaceAll('"', "").split(" ").slice(0, 3).join(" ");
      // Each call is counted and audited in one transaction, and settled later. The messages are stored in one
      // transaction.
      assert.equal(
        sent.map((texts) => texts.map(begun).join(", ")),
        [
          "BEGIN;, insert into assistant_usage, insert into auditevent, COMMIT;",
          "with settled as",
          "BEGIN;, insert into assistant_usage, insert into auditevent, COMMIT;",
          "with settled as",
          "BEGIN;, insert into aiconversation, insert into aimessage, insert into aimessageasset, COMMIT;",
        ],
      );
    });

  test("questions to the assistant do not change the query cache", async () => {
    const queryData = async () => {
      const measure = { dataset_id: dataset.id, column_id: dataset.columns["km"] };
      const queries = [{ measures: [{ ...measure, aggregation: { type: "max" as const } }] }];
      return statementsOf(() => people.owner.get("data", { queries }));
    };
    await queryData();
    for (const [resource, members] of wires) await call(resource, members());
    assert.equal(await queryData(), []);
  });
});
