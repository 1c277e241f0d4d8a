import * as assert from "uvu/assert";
import { ClientError } from "../../../core/web/client/index.ts";
import {
  describes,
  dutiful,
  openModelStandIn,
  type ModelStandIn,
} from "../../support/modelStandIn.ts";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Described {
  readonly properties: {
    readonly datasets: readonly (DescribedItem & {
      readonly columns: readonly DescribedItem[];
      readonly formulas: readonly DescribedItem[];
    })[];
  };
  readonly incomplete?: readonly string[];
}
interface DescribedItem {
  readonly id: string;
  readonly description: Readonly<Record<string, string>>;
}

suite("core/host and the assistant", (test) => {
  let model: ModelStandIn;
  let people: People;
  let dataset: Dataset;
  let stranger: Person;
  let reader: Person;
  test.before(async () => {
    model = await openModelStandIn(dutiful);
    people = await openPeople({
      aiUrl: model.url,
      aiKey: "sk-secret",
      aiModel: "stand-in",
      aiSends: "samples",
      callsPerSecond: 0,
    });
    dataset = await people.push();
    stranger = await people.add("eve");
    reader = await people.add("rob");
    await people.owner.associate(
      "securable",
      dataset.id,
      { role: "Users", id: reader.id },
      { flagRead: true, flagUse: true },
    );
  });
  test.after(async () => {
    await people.close();
    await model.close();
  });
  const describe = (by: Person, properties: Json) =>
    by.create<Described>("generate_descriptions", properties);
  const refusal = async (calling: Promise<unknown>): Promise<ClientError> => {
    const failure: unknown = await calling.then(
      () => assert.unreachable("the call was allowed"),
      (thrown: unknown) => thrown,
    );
    if (!(failure instanceof ClientError)) throw failure;
    return failure;
  };

  test("`generate_descriptions` returns the payload with descriptions in every language, and stores nothing", async () => {
    const { owner } = people;
    model.play(describes);
    const columns = [{ id: dataset.columns["km"], description: { fr: "Distance" } }];
    const datasets = [{ id: dataset.id, description: { en: "Trips" }, columns, formulas: [] }];
    const answer = await describe(owner, { datasets, languages: ["en", "nl"] });
    const [described] = answer.properties.datasets;
    const texts = (id: string) => ({ en: `${id.slice(0, 8)} en`, nl: `${id.slice(0, 8)} nl` });
    const km = String(dataset.columns["km"]);
    assert.equal(described, {
      id: dataset.id,
      description: texts(dataset.id),
      columns: [{ id: km, description: { fr: "Distance", ...texts(km) } }],
      formulas: [],
    });
    assert.is(answer.incomplete, undefined);
    const [stored] = (await owner.get("column", { where: { id: km } })).rows;
    assert.is(stored?.["description"] ?? null, null);
    const sent = model.requests[0]?.text ?? "";
    for (const fact of ["Trips", "Distance", "km"]) assert.ok(sent.includes(fact), fact);
  });

  test("with `dry: false`, generated descriptions are stored as updates by the caller", async () => {
    const { owner } = people;
    const own = await people.push();
    model.play(describes);
    await describe(owner, { datasets: [{ id: own.id }], languages: ["en"], dry: false });
    for (const [resource, id] of [
      ["securable", own.id],
      ["column", String(own.columns["km"])],
      ["column", String(own.columns["region"])],
    ] as const) {
      const [row] = (await owner.get(resource, { where: { id } })).rows;
      assert.equal(row?.["description"], { en: `${id.slice(0, 8)} en` }, resource);
    }
    const audited = await owner.get("auditevent", {
      where: { resource: "generate_descriptions", record_id: own.id },
    });
    assert.equal(
      audited.rows.map(({ members }) => members),
      [["sent descriptions", "sent names", "sent samples", "sent statistics"]],
    );
  });

  test("only users who may modify a dataset can generate its descriptions", async () => {
    model.play(describes);
    const datasets = [{ id: dataset.id }];
    assert.is((await refusal(describe(reader, { datasets }))).status, 403);
    const hidden = await refusal(describe(stranger, { datasets }));
    const id = "00000000-0000-4000-8000-000000000000";
    const absent = await refusal(describe(stranger, { datasets: [{ id }] }));
    assert.equal([hidden.status, absent.status], [404, 404]);
    assert.is(hidden.message.replace(dataset.id, id), absent.message);
    const token = await people.mint({ access: { datasets: [{ id: dataset.id, rights: "own" }] } });
    assert.is((await refusal(describe(token, { datasets }))).status, 403);
    const other = await people.push();
    const foreign = [{ id: dataset.id, columns: [{ id: other.columns["km"] }] }];
    assert.is((await refusal(describe(people.owner, { datasets: foreign }))).status, 404);
    assert.is(model.requests.length, 0, "the model was not called");
  });

  test("a dataset with many columns is described in parts, and columns left without a description are reported", async () => {
    const { owner } = people;
    const header = Array.from({ length: 90 }, (_, index) => `c${index}`);
    const pushed = await owner.create<{ rows: { id: string }[] }>("data", {
      type: "create",
      data: [header.map((_, index) => index)],
      options: { header },
    });
    const id = String(pushed.rows[0]?.id);
    let lazy = 0;
    model.play((request, index) => {
      const reply = describes(request, index);
      if (index !== 0 || !("calls" in reply)) return reply;
      const [call] = reply.calls;
      const given = call?.arguments as { descriptions: unknown[] };
      lazy = given.descriptions.length;
      return {
        calls: [{ name: "describe", arguments: { descriptions: given.descriptions.slice(0, 5) } }],
      };
    });
    const all = await describe(owner, { datasets: [{ id }], languages: ["en"] });
    assert.is(all.properties.datasets[0]?.columns.length, 90);
    assert.equal([all.incomplete, lazy, model.requests.length], [undefined, 40, 4]);
    model.play(() => ({ calls: [{ name: "describe", arguments: "{" }] }));
    const none = await describe(owner, { datasets: [{ id: dataset.id }], languages: ["en"] });
    assert.is(none.incomplete?.length, 3);
    assert.is(model.requests.length, 3, "at most three calls");
  });

  test("ids, languages and markup that were not requested are removed from the model's descriptions", async () => {
    const { owner } = people;
    const other = await people.push();
    const text =
      "Rows <script>alert(1)</script> ![x](https://evil.example/?q=1) see https://evil.example";
    model.play(() => ({
      calls: [
        {
          name: "describe",
          arguments: {
            descriptions: [
              { id: dataset.id, description: { en: text, xx: "no" } },
              { id: other.id, description: { en: "stolen" } },
              { id: 5, description: { en: "odd" } },
            ],
          },
        },
      ],
    }));
    const datasets = [{ id: dataset.id, columns: [], formulas: [] }];
    const { properties } = await describe(owner, { datasets, languages: ["en"], dry: false });
    assert.equal(properties.datasets, [
      {
        id: dataset.id,
        description: { en: "Rows script alert(1) /script x see" },
        columns: [],
        formulas: [],
      },
    ]);
    const [left] = (await owner.get("securable", { where: { id: other.id } })).rows;
    assert.is(left?.["description"] ?? null, null);
  });

  test("an invalid payload fails before the model is called, and the error names the member", async () => {
    model.play(describes);
    const id = dataset.id;
    for (const [properties, member] of [
      [{}, "properties.datasets"],
      [{ datasets: {} }, "properties.datasets"],
      [{ datasets: [] }, "properties.datasets"],
      [{ datasets: [{}] }, "properties.datasets[0].id"],
      [{ datasets: [{ id: "x" }] }, "properties.datasets[0].id"],
      [{ datasets: [{ id }, { id }] }, "properties.datasets[1].id"],
      [{ datasets: [{ id, columns: 5 }] }, "properties.datasets[0].columns"],
      [{ datasets: [{ id, columns: [5] }] }, "properties.datasets[0].columns[0]"],
      [{ datasets: [{ id, description: { en: 5 } }] }, "properties.datasets[0].description.en"],
      [{ datasets: [{ id }], languages: ["!"] }, "properties.languages[0]"],
      [{ datasets: [{ id }], languages: [] }, "properties.languages"],
      [{ datasets: [{ id }], dry: "no" }, "properties.dry"],
      [{ datasets: [{ id }], more: 1 }, "properties.more"],
    ] as const) {
      const refused = await refusal(describe(people.owner, properties));
      assert.is(refused.status, 400, member);
      assert.ok(refused.message.includes(member), `${member}: ${refused.message}`);
    }
    assert.is(model.requests.length, 0);
  });

  /** Every API call that makes the host call a model, with its resource, properties and options. */
  const everyQuestion = (
    dataset_id: string,
  ): Readonly<Record<string, readonly [resource: string, properties: Json, options?: Json]>> => {
    const input = [
      { type: "text", value: "How far?" },
      { type: "dataset", value: dataset_id },
    ];
    const count = { dataset_id, column_id: "*", aggregation: { type: "count" } };
    const message = { content: { role: "user", content: "How far?" } };
    return {
      descriptions: ["generate_descriptions", { datasets: [{ id: dataset_id }] }],
      "a chart": ["aichart", { type: "generate-chart", dataset_id, question: "How far?" }],
      "examples of questions": ["aichart", { type: "generate-example-questions", dataset_id }],
      "an analyst": ["aiprompt", { agent: "analyst", task: "generate", input }],
      "a streamed analyst": [
        "aiprompt",
        { agent: "analyst", task: "generate", input, stream: true },
      ],
      "suggestions of an item": ["aiprompt", { agent: "item", task: "suggest", input }],
      "a description of an item": ["aiprompt", { agent: "item", task: "describe", input }],
      iqformula: ["iqformula", { dataset_id, prompt: "Km a row" }],
      iqmessage: ["iqmessage", { prompt: "How far?", dataset_id }],
      aimessage: ["aimessage", message, { dataset_id }],
      aisummary: ["aisummary", { query: { measures: [count] } }],
    };
  };
  const answersTo = async (on: People, datasetId: string) =>
    Promise.all(
      Object.entries(everyQuestion(datasetId)).map(
        async ([title, [resource, properties, options]]) => {
          const body = {
            action: "create",
            ...on.owner.pair,
            properties,
            ...(options && { options }),
          };
          const answer = await on.call(resource, body);
          const { type, message } = answer.body;
          const { code } = type as { readonly code: string };
          return { title, status: answer.status, code, message: String(message) };
        },
      ),
    );

  test("once the budget is used up, every question fails with 429 without a call to the model", async () => {
    const poor = await openPeople({
      aiUrl: model.url,
      aiModel: "stand-in",
      callsPerSecond: 0,
      aiSends: "samples",
      aiUserTokensPerDay: 1,
    });
    try {
      const { id } = await poor.push();
      model.play(dutiful);
      for (const { title, status, message } of await answersTo(poor, id)) {
        assert.is(status, 429, title);
        assert.match(message, /token|budget/i, title);
      }
      assert.is(model.requests.length, 0);
    } finally {
      await poor.close();
    }
  });

  test("without a model, every action of the assistant fails with 501, and the error names the settings to set", async () => {
    const bare = await openPeople();
    try {
      const datasets = [{ id: (await bare.push()).id }];
      const refused = await refusal(describe(bare.owner, { datasets }));
      assert.equal([refused.status, refused.code], [501, "ASSISTANT_NOT_CONFIGURED"]);
      for (const name of ["MANIFOLD_AI_URL", "MANIFOLD_AI_KEY", "MANIFOLD_AI_MODEL"])
        assert.ok(refused.message.includes(name), name);
      for (const { title, status, code } of await answersTo(bare, String(datasets[0]?.id)))
        assert.equal([status, code], [501, "ASSISTANT_NOT_CONFIGURED"], title);
    } finally {
      await bare.close();
    }
  });
});
