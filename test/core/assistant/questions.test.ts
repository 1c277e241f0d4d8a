import * as assert from "uvu/assert";
import { ClientError } from "../../../core/web/client/index.ts";
import {
  openModelStandIn,
  type ModelStandIn,
  type Reply,
  type Script,
} from "../../support/modelStandIn.ts";
import { rounds } from "../../support/layer.ts";
import { eventually } from "../../support/eventually.ts";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
const toolsOf = (request: Parameters<Script>[0]) => request.tools.map(({ name }) => name);

suite("core/host and questions in words", (test) => {
  let model: ModelStandIn;
  let people: People;
  let trips: Dataset;
  let secret: Dataset;
  let eve: Person;
  test.before(async () => {
    model = await openModelStandIn();
    people = await openPeople({
      aiUrl: model.url,
      aiModel: "stand-in",
      aiSends: "samples",
      callsPerSecond: 0,
      aiUserCallsPerMinute: 100_000,
      aiCallsPerMinute: 100_000,
    });
    trips = await people.push();
    eve = await people.add("eve");
    secret = await people.push(eve);
    await eve.update("securable", secret.id, { name: { en: "Payroll of the board" } });
  });
  test.after(async () => {
    await people.close();
    await model.close();
  });

  const of = (dataset: Dataset, name: string) => ({
    dataset_id: dataset.id,
    column_id: dataset.columns[name],
  });
  const sum = (dataset: Dataset) => ({ ...of(dataset, "km"), aggregation: { type: "sum" } });
  const byRegion = (dataset: Dataset, more: Json = {}) => ({
    dimensions: [of(dataset, "region")],
    measures: [sum(dataset)],
    ...more,
  });
  const answer = (query: unknown, title = "Km by region", chart = "bar-chart"): Reply => ({
    calls: [{ name: "answer", arguments: { title, chart, query } }],
  });
  const write = (text: string, operations: unknown = []): Reply => ({
    calls: [{ name: "write", arguments: { text, operations } }],
  });
  /** Creates a model whose first answer is a query and whose next answer is text. */
  const scripted =
    (query: () => unknown, text = "North has 6, south 15."): Script =>
    (request) =>
      toolsOf(request).includes("write") ? write(text) : answer(query());
  const chart = (by: Person, dataset: Dataset, question = "Km by region?") =>
    by.create<Json>("aichart", { type: "generate-chart", dataset_id: dataset.id, question });
  const refusal = async (calling: Promise<unknown>): Promise<ClientError> => {
    const failure: unknown = await calling.then(
      () => assert.unreachable("the call was allowed"),
      (thrown: unknown) => thrown,
    );
    if (!(failure instanceof ClientError)) throw failure;
    return failure;
  };
  const post = (by: Person, resource: string, body: Json, signal?: AbortSignal) =>
    fetch(`${people.host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ action: "create", version: "0.1.0", ...by.pair, ...body }),
      ...(signal && { signal }),
    });
  const prompt = (more: Json = {}) => ({
    agent: "analyst",
    task: "generate",
    input: [
      { type: "text", value: "Km by region?" },
      { type: "dataset", value: trips.id },
    ],
    ...more,
  });

  test("aichart returns a chart whose query can be run unchanged", async () => {
    model.play(scripted(() => byRegion(trips)));
    const { generatedChart } = await chart(people.owner, trips);
    const { type, slots, options, query } = generatedChart as Json;
    assert.equal([type, options], ["bar-chart", { title: { en: "Km by region" } }]);
    const [dimension, measure] = slots as readonly { name: string; content: readonly Json[] }[];
    assert.equal([dimension?.name, measure?.name], ["y-axis", "measure"]);
    assert.is(dimension?.content[0]?.["column"], trips.columns["region"]);
    assert.is(measure?.content[0]?.["aggregationFunc"], "sum");
    const found = await people.owner.get<Json>("data", query as Json);
    assert.equal(found["data"], [
      ["north", 6],
      ["south", 15],
    ]);
    assert.is(model.requests.length, 1, "a chart without a text takes one call");
  });

  test("the model receives the ids of a dataset's columns, except columns hidden from the caller", async () => {
    const token = await people.mint({
      access: { datasets: [{ id: trips.id, rights: "use" }] },
      hidden_columns: [trips.columns["region"]],
      filters: [
        {
          securable_id: trips.id,
          column_id: trips.columns["region"],
          expression: "? = ?",
          value: "north",
        },
      ],
    });
    model.play(scripted(() => ({ measures: [sum(trips)] })));
    const { generatedChart } = await chart(token, trips, "How far in all?");
    const sent = model.requests[0]?.text ?? "";
    assert.ok(sent.includes(String(trips.columns["km"])));
    for (const hidden of [String(trips.columns["region"]), "region", "south", secret.id, "Payroll"])
      assert.not(sent.includes(hidden), hidden);
    assert.ok(
      /"rows":3\b/.test(sent.replaceAll("\\", "")),
      "figures of the rows that the token sees",
    );
    const found = await token.get<Json>("data", (generatedChart as Json)["query"] as Json);
    assert.equal(found["data"], [[6]]);
  });

  test("the model receives what a token says about its reader, and the audit records that it did", async () => {
    const access = { datasets: [{ id: trips.id, rights: "use" }] };
    const token = await people.mint({ access, iq: { context: "Plans routes in <Ghent>." } });
    model.play(scripted(() => byRegion(trips)));
    await chart(token, trips);
    assert.match(model.requests[0]?.text ?? "", /Plans routes in {1,2}Ghent/);
    const sentKinds = async () => {
      const events = await people.owner.get<{ rows: Json[] }>("auditevent", {
        where: { resource: "aichart" },
        order: [["created_at", "desc"]],
        limit: 1,
      });
      return JSON.stringify(events.rows[0]);
    };
    assert.match(await sentKinds(), /reader/);
    await chart(people.owner, trips);
    assert.not.match(await sentKinds(), /reader/);
  });

  test("a refused query is returned to the model at most twice, with a path and a hint, and then fails with 422", async () => {
    const wrong = byRegion(trips, { order: [{ ...sum(trips), order: "upward" }] });
    model.play((request, index) => answer(index < 2 ? wrong : byRegion(trips)));
    assert.ok((await chart(people.owner, trips))["generatedChart"]);
    assert.is(model.requests.length, 3);
    assert.match(
      model.requests[1]?.text ?? "",
      /order\[0\]\.order is not valid: it must be asc or desc/,
    );
    model.play(() => answer(wrong));
    const refused = await refusal(chart(people.owner, trips));
    assert.equal([refused.status, refused.code], [422, "ASSISTANT_CANNOT"]);
    assert.is(model.requests.length, 3, "two repairs");
  });

  test("if the model queries a dataset that it was not offered, the host refuses the query before running it", async () => {
    const random = "00000000-0000-4000-8000-000000000000";
    const problems: string[] = [];
    const cases = [
      byRegion(secret),
      byRegion({ ...trips, id: secret.id }),
      byRegion({ ...trips, id: random }),
      { measures: [{ ...sum(trips), column_id: secret.columns["km"] }] },
      { measures: [{ dataset_id: trips.id, formula_id: random }] },
      { measures: [{ ...sum(trips), expression: `sum({${secret.id}:${secret.columns["km"]}})` }] },
      { measures: [{ formula: "SUM({x:y})" }] },
      byRegion(trips, { where: [{ expression: "? = ?", parameters: [of(secret, "km"), 1] }] }),
      byRegion(trips, {
        where: [{ expression: "? in ?", parameters: [of(trips, "km"), [of(secret, "km")]] }],
      }),
      byRegion(trips, {
        where: [{ or: [{ expression: "? = ?", parameters: [of(secret, "km"), 1] }] }],
      }),
      byRegion(trips, { options: { rollup_data: false } }),
      byRegion(trips, { context: {} }),
      {
        measures: [
          { ...sum(trips), aggregation: { type: "weightedaverage", ...of(secret, "km") } },
        ],
      },
      "select * from users",
      null,
      [],
    ];
    // The quick layer sends all queries with an id of another dataset, and some of the others.
    const quick = cases.filter((_, index) => index < 4 || index % 4 === 3);
    for (const given of rounds({ quick, deep: cases })) {
      model.play(() => answer(given));
      await refusal(chart(people.owner, trips));
      const last = model.requests.at(-1)?.messages.at(-1);
      problems.push(String(last?.["content"]));
      assert.match(problems.at(-1)!, /The query was refused/, JSON.stringify(given));
      assert.not(problems.at(-1)!.includes("Payroll"));
    }
    assert.is(problems[1], problems[2]);
  });

  test("unknown tools, missing tool calls, invalid JSON and refusals by the model fail with 422 and the reason", async () => {
    for (const reply of [
      { calls: [{ name: "drop_tables", arguments: {} }] },
      { calls: [{ name: "answer", arguments: "{not json" }] },
      { calls: [{ name: "answer", arguments: "5" }] },
      { calls: [{ name: "ask_back", arguments: { question: "?", choices: ["one"] } }] },
      { text: "SELECT 1" },
      { refusal: "no" },
      { calls: [{ name: "cannot", arguments: { reason: "No costs are in it; there were 17." } }] },
    ] as const) {
      model.play(() => reply);
      const refused = await refusal(chart(people.owner, trips));
      assert.is(refused.status, 422, JSON.stringify(reply));
      assert.not(refused.message.includes("17"), "no numbers without an answer");
      assert.ok(model.requests.length <= 3);
    }
  });

  test("the assistant answers an ambiguous question with a question of its own and choices", async () => {
    const given = { question: "Which km?", choices: ["Km in total", "Km on average"] };
    model.play(() => ({ calls: [{ name: "ask_back", arguments: given }] }));
    const refused = await refusal(chart(people.owner, trips));
    assert.equal(refused.validation, { "properties.question": given.choices });
    const answer = await people.owner.create<Json>("aiprompt", prompt());
    assert.equal((answer["assistant_message"] as Json)["choices"], given.choices);
  });

  test("aiprompt returns an item with text, in which every number that matches no cell is struck out", async () => {
    model.play(scripted(() => byRegion(trips), "North has 6, south 15 and west 99, 21 in all."));
    const { assistant_message: message, conversation_id: id } = await people.owner.create<Json>(
      "aiprompt",
      prompt(),
    );
    const { message: text, aiMessageAssets } = message as Json;
    assert.is(text, "North has 6, south 15 and west [?], [?] in all.");
    const [asset] = aiMessageAssets as readonly { type: string; value: Json }[];
    assert.is(asset?.type, "item");
    assert.ok(asset?.value["explain"] && asset.value["query"]);
    const address = new URL(String(asset?.value["open_url"]));
    assert.is(address.origin + address.pathname, `${people.host.url}/explore/${trips.id}`);
    assert.equal(JSON.parse(address.searchParams.get("q") ?? ""), {
      rows: [{ id: trips.columns["region"] }],
      measures: [{ id: trips.columns["km"], aggregation: "sum" }],
      filters: [],
      chart: "bar-chart",
    });
    const events = await people.owner.get("auditevent", {
      where: { resource: "aiprompt" },
      order: [["created_at", "desc"]],
    });
    assert.ok(
      events.rows.some(({ members }) => JSON.stringify(members) === '["struck out 2"]'),
      JSON.stringify(events.rows),
    );
    const summary = await post(people.owner, "aisummary", {
      properties: { query: byRegion(trips), title: "Km" },
    });
    assert.is(await summary.text(), "North has 6, south 15 and west [?], [?] in all.");
    assert.is(summary.headers.get("X-Struck-Count"), "2");
    const include = [{ model: "AIMessage", include: [{ model: "AIMessageAsset" }] }];
    const [kept] = (
      await people.owner.get("aiconversation", { where: { id: String(id) }, include })
    ).rows;
    const messages = kept?.["aiMessages"] as readonly Json[];
    const contents = messages.map(({ content }) => content as Json);
    assert.equal(contents.map(({ role }) => role).toSorted(), ["assistant", "user"]);
    assert.ok(contents.some(({ content }) => content === text));
    await people.owner.delete("aiconversation", String(id));
    const gone = await refusal(
      people.owner.create<unknown>("aiprompt", prompt({ conversation_id: id })),
    );
    assert.is(gone.status, 404);
  });

  test("only the user and token that began a conversation can continue it", async () => {
    model.play(scripted(() => byRegion(trips)));
    const first = await people.owner.create<Json>("aiprompt", prompt());
    const conversation_id = first["conversation_id"];
    model.play(scripted(() => byRegion(trips)));
    const input = [
      { type: "text", value: "And the average?" },
      { type: "dataset", value: trips.id },
    ];
    await people.owner.create<unknown>("aiprompt", prompt({ conversation_id, input }));
    assert.ok(model.requests[0]?.text.includes("Km by region?"), "the earlier question");
    const access = { datasets: [{ id: trips.id, rights: "use" }] };
    const [one, other] = [await people.mint({ access }), await people.mint({ access })];
    model.play(scripted(() => byRegion(trips)));
    const own = (await one.create<Json>("aiprompt", prompt()))["conversation_id"];
    await one.create<unknown>("aiprompt", prompt({ conversation_id: own }));
    for (const [by, id] of [
      [other, own],
      [one, conversation_id],
      [people.owner, own],
      [eve, conversation_id],
    ] as const) {
      const refused = await refusal(
        by.create<unknown>("aiprompt", prompt({ conversation_id: id, input: [input[0]!] })),
      );
      assert.is(refused.status, 404);
    }
  });

  test("aiprompt streams server-sent events, iqmessage and aimessage stream JSON lines, and aisummary streams plain text", async () => {
    model.play(scripted(() => byRegion(trips), "North has 6. ".repeat(30)));
    const events = await post(people.owner, "aiprompt", { properties: prompt({ stream: true }) });
    assert.match(events.headers.get("content-type") ?? "", /text\/event-stream/);
    const names = [...(await events.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    assert.equal(
      [...new Set(names)],
      [
        "start",
        "progress",
        "asset_start",
        "asset_end",
        "text_start",
        "text_delta",
        "text_end",
        "finish",
      ],
    );
    assert.ok(model.requests.every(({ isStreamed }) => isStreamed));
    const lines = async (answer: Response) => {
      assert.is(answer.status, 200);
      assert.match(answer.headers.get("x-conversation-id") ?? "", /^[0-9a-f-]{36}$/);
      const parsed = (await answer.text())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Json);
      return [...new Set(parsed.map((line) => Object.keys(line)[0]))];
    };
    const iq = { order: 1, prompt: "Km?", response_mode: "mixed", dataset_id: trips.id };
    assert.equal(await lines(await post(people.owner, "iqmessage", { properties: iq })), [
      "state",
      "chart",
      "chunk",
      "text",
      "done",
    ]);
    const only = await post(people.owner, "iqmessage", {
      properties: { ...iq, response_mode: "text_only" },
    });
    assert.equal(await lines(only), ["state", "chunk", "text", "done"]);
    const options = { dataset_id: trips.id, stream: true };
    const content = { role: "user", content: "Km?" };
    assert.equal(
      await lines(await post(people.owner, "aimessage", { properties: { content }, options })),
      ["state", "chart", "chunk", "text", "done"],
    );
    model.play(() => write("North has 6 and 7.", []));
    const summary = await post(people.owner, "aisummary", {
      properties: { query: byRegion(trips) },
    });
    assert.equal([summary.status, await summary.text()], [200, "North has 6 and [?]."]);
    const of = (column_id: string) => ({ dataset_id: "from", column_id });
    const over = {
      from: { query: byRegion(trips), columns: ["region", "km"] },
      dimensions: [of("region")],
      measures: [of("km")],
    };
    const overFrom = await post(people.owner, "aisummary", { properties: { query: over } });
    assert.equal([overFrom.status, await overFrom.text()], [200, "North has 6 and [?]."]);
  });

  test("a failure before a stream begins sets the status of the response, and a later failure is an event of the stream", async () => {
    const body = { properties: prompt({ stream: true }) };
    model.play(() => ({ status: 400 }));
    const early = await post(people.owner, "aiprompt", body);
    assert.is(early.status, 502);
    await early.text();
    model.play((request) =>
      toolsOf(request).includes("write")
        ? { raw: "data: {", isCut: true }
        : answer(byRegion(trips)),
    );
    const late = await post(people.owner, "aiprompt", body);
    const text = await late.text();
    assert.is(late.status, 200);
    assert.match(text, /event: error\ndata: .*ASSISTANT_MODEL_FAILED/);
    assert.not(text.includes("event: finish"));
    assert.ok(text.endsWith("data: [DONE]\n\n"));
  });

  test("when the client disconnects, the call to the model is cancelled and nothing is stored", async () => {
    const before = (await people.owner.get("aiconversation")).count;
    const leftBefore = model.left.count;
    const leaving = new AbortController();
    const called = new Promise<void>((resolve) =>
      model.play(() => {
        resolve();
        return { isSilent: true };
      }),
    );
    const calling = post(
      people.owner,
      "aiprompt",
      { properties: prompt({ stream: true }) },
      leaving.signal,
    );
    await called;
    leaving.abort();
    await calling.catch(() => undefined);
    await eventually(() => model.left.count > leftBefore, "the call of the model was cancelled");
    assert.is((await people.owner.get("aiconversation")).count, before);
  });

  const expression = (text: string, more: Json = {}): Reply => ({
    calls: [
      {
        name: "write_expression",
        arguments: { expression: text, name: "Mean km", description: "Km a row.", ...more },
      },
    ],
  });
  const km = () => `{${trips.id}:${trips.columns["km"]}}`;
  const region = () => `{${trips.id}:${trips.columns["region"]}}`;
  const wish = (by: Person, dataset: Dataset, more: Json = {}) =>
    by.create<Json>("iqformula", { dataset_id: dataset.id, prompt: "Km a row", ...more });

  test("iqformula returns a result and a formula that both `create` and queries accept", async () => {
    model.play(() => expression(`sum(${km()}) / countr()`, { description: "Km by 1 of 17 rows." }));
    const written = await wish(people.owner, trips, { locale_id: "nl" });
    assert.equal(written["formula"], {
      name: { nl: "Mean km" },
      description: { nl: "Km by [?] of [?] rows." },
      expression: `sum(${km()}) / countr()`,
      type: "numeric",
    });
    assert.equal(written["result"], { columns: ["result"], rows: [[3.5]], is_cut: false });
    assert.is(written["struck_count"], 2);
    const made = await people.owner.create<Json>("formula", written["formula"] as Json);
    assert.is(made["expression"], `sum(${km()}) / countr()`);
    const found = await people.owner.get<Json>("data", written["query"] as Json);
    assert.equal(found["data"], [[3.5]]);
    const sent = model.requests[0]?.text ?? "";
    assert.ok(sent.includes(km()));
    for (const kept of ["south", secret.id, "3.5"]) assert.not(sent.includes(kept), kept);
  });

  test("iqformula returns a derived column with its values for the displayed rows", async () => {
    model.play(() => expression(`if(${region()} = 'north', ${km()} * 2, 0)`));
    const written = await wish(people.owner, trips, { kind: "column" });
    assert.is((written["column"] as Json)["type"], "numeric");
    const { columns, rows, is_cut } = written["result"] as {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly [string, number, number])[];
      readonly is_cut: boolean;
    };
    assert.equal([columns, is_cut], [["region", "km", "result"], false]);
    assert.is(rows.length, 6);
    for (const [where, distance, result] of rows)
      assert.is(result, where === "north" ? distance * 2 : 0);
  });

  test("a refused expression is returned to the model at most twice, with the position of the error", async () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      [`summ(${km()})`, /summ/],
      [`sum(${km()}`, /line 1, column/],
      [km(), /aggregate/],
      [`sum(${region()})`, /number/],
      ["1 + 1", /has no column/],
      [`sum({${secret.id}:${secret.columns["km"]}})`, /column that you were not given/],
      [`sum({${trips.id}:${secret.columns["km"]}})`, /column that you were not given/],
    ];
    for (const [text, problem] of wrong) {
      model.play((_request, index) => expression(index === 0 ? text : `max(${km()})`));
      const { result } = await wish(people.owner, trips);
      assert.equal((result as Json)["rows"], [[6]], text);
      assert.is(model.requests.length, 2, text);
      assert.match(JSON.stringify(model.requests[1]?.messages.at(-1)), problem);
    }
    model.play(() => expression("summ(1)"));
    const failure = await refusal(wish(people.owner, trips));
    assert.equal([failure.status, failure.code], [422, "ASSISTANT_CANNOT"]);
    assert.is(model.requests.length, 3);
  });

  test("iqformula fails with 422 if the model finds no expression, and with 404 for another person's dataset", async () => {
    const faults: readonly Reply[] = [
      { calls: [{ name: "run_sql", arguments: { sql: "select 1" } }] },
      { calls: [{ name: "write_expression", arguments: '{"expression": "su' }] },
      { calls: [{ name: "write_expression", arguments: [1] }] },
      { calls: [{ name: "write_expression", arguments: { expression: 12 } }] },
      { calls: [{ name: "cannot", arguments: { reason: "No column has it." } }] },
      { text: "Hello." },
      { refusal: "No." },
    ];
    for (const fault of faults) {
      model.play(() => fault);
      const failure = await refusal(wish(people.owner, trips));
      assert.equal([failure.status, failure.code], [422, "ASSISTANT_CANNOT"]);
    }
    model.play(() => expression(`max(${km()})`));
    for (const [members, status] of [
      [{ dataset_id: secret.id }, 404],
      [{ dataset_id: people.publicGroup }, 404],
      [{ kind: "query" }, 400],
      [{ prompt: "" }, 400],
      [{ prompt: undefined }, 400],
      [{ dataset_id: undefined }, 400],
      [{ timezone_id: 1 }, 400],
    ] as const)
      assert.is((await refusal(wish(people.owner, trips, members))).status, status);
    const token = await people.mint({ access: { datasets: [{ id: trips.id, rights: "use" }] } });
    assert.is((await refusal(wish(token, trips))).status, 403);
    assert.is(model.requests.length, 0);
  });

  test("if the model may receive only names, no number or cell leaves the host, and the host writes the text", async () => {
    const bare = await openPeople({ aiUrl: model.url, aiModel: "stand-in", aiSends: "names" });
    try {
      const own = await bare.push();
      model.play(scripted(() => byRegion(own)));
      const answered = await bare.owner.create<Json>("aiprompt", {
        agent: "analyst",
        task: "generate",
        input: [
          { type: "text", value: "Km?" },
          { type: "dataset", value: own.id },
        ],
      });
      assert.is((answered["assistant_message"] as Json)["message"], "Km by region: 2 rows.");
      assert.is(model.requests.length, 1);
      const sent = model.requests[0]?.text ?? "";
      for (const value of ["north", "south", '\\"minimum\\"', '\\"frequent\\"'])
        assert.not(sent.includes(value), value);
    } finally {
      await bare.close();
    }
  });
});
