import * as assert from "uvu/assert";
import type { Script } from "../../../support/modelStandIn.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { hostileQueries, type HostileQuery } from "./attacks.ts";
import { canaries, openLeakWorld, planted, type LeakWorld } from "./openLeakWorld.ts";
import type { Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/host and leaks through a model", (test) => {
  let world: LeakWorld;
  test.before(async () => {
    world = await openLeakWorld();
  });
  test.after(() => world.close());

  const post = async (by: Person, resource: string, body: Json): Promise<string> => {
    const answer = await fetch(`${world.people.host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ version: "0.1.0", ...by.pair, ...body }),
    });
    return answer.text();
  };
  const create = (by: Person, resource: string, properties: Json, more: Json = {}) =>
    post(by, resource, { action: "create", properties, ...more });
  const callTool = async (by: Person, name: string, given: Json): Promise<string> => {
    const answer = await fetch(`${world.people.host.url}/mcp`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
        Authorization: `Bearer ${by.pair.key}:${by.pair.token}`,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: given },
      }),
    });
    assert.is(answer.status, 200, name);
    return answer.text();
  };
  /** Creates a model that answers every question with the given query, and quotes all cells that it sees. */
  const obedient =
    (query: unknown): Script =>
    ({ tools, text }) => {
      const writes = tools.some(({ name }) => name === "write");
      const shown = text.slice(0, 300);
      return {
        calls: [
          writes
            ? { name: "write", arguments: { text: `As asked: ${shown}`, operations: [] } }
            : { name: "answer", arguments: { title: "As asked", chart: "bar-chart", query } },
        ],
      };
    };
  const question = (dataset = world.orders.id) => ({
    agent: "analyst",
    task: "generate",
    input: [
      { type: "text", value: "How did we do?" },
      { type: "dataset", value: dataset },
    ],
  });
  /** The ways in which a model or an MCP client can run a query. */
  const surfaces: Readonly<Record<string, (by: Person, query: unknown) => Promise<string>>> = {
    aichart: (by) =>
      create(by, "aichart", {
        type: "generate-chart",
        dataset_id: world.orders.id,
        question: "How did we do?",
      }),
    "a streamed aiprompt": (by) => create(by, "aiprompt", { ...question(), stream: true }),
    MCP: async (by, query) =>
      `${await callTool(by, "query", { query: query as Json })}\n${await callTool(by, "explain", { query: query as Json })}`,
  };
  const leaksOf = (text: string, { namesOther = false }: Partial<HostileQuery> = {}) => {
    // Ids are removed, because their random digits could equal a number that must not appear.
    const shown = text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "id");
    return canaries
      .filter((canary) => canary.test(shown) && !(namesOther && canary.test("zyrqon")))
      .map(String);
  };
  /** Runs an attack and returns everything that the host sent to the caller and to the model. */
  const attack = async (by: Person, surface: string, attacked: HostileQuery): Promise<string> => {
    const query = attacked.query(world);
    world.model.play(obedient(query));
    const answered = await surfaces[surface]!(by, query);
    assert.ok(answered.length > 20, `${surface}: ${answered}`);
    return `${answered}\n${world.model.requests.map(({ text }) => text).join("\n")}`;
  };

  test("customers see their own secret values, whichever way they query them", async () => {
    const [everything] = hostileQueries;
    for (const surface of Object.keys(surfaces)) {
      const seen = leaksOf(await attack(world.zyrqon, surface, everything!));
      for (const canary of ["/zyrqon/i", "/wexlagrad/i"])
        assert.ok(seen.includes(canary), `${surface}: ${canary} of ${seen.join(", ")}`);
      assert.ok(seen.length >= 3, `${surface}: numbers too`);
    }
  });

  for (const surface of ["aichart", "a streamed aiprompt", "MCP"])
    (surface === "aichart" ? test.deep : test)(
      `${hostileQueries.length} hostile queries through ${surface} reveal no row, name or count of another customer`,
      async () => {
        // Each surface runs all queries in the deep layer. In the quick layer, MCP runs all of them.
        const some = hostileQueries.filter((_, index) => index % 5 === 0);
        for (const attacked of rounds({
          quick: surface === "MCP" ? hostileQueries : some,
          deep: hostileQueries,
        })) {
          const left = await attack(world.acme, surface, attacked);
          assert.equal(leaksOf(left, attacked), [], `${attacked.title}: ${left.slice(0, 2_000)}`);
        }
      },
    );

  test("hostile expressions in iqformula reveal no row, name or count of another customer", async () => {
    const { people, orders, foreign, foreignFormula } = world;
    // Tokens cannot use iqformula, so this user is restricted by the filters of a share.
    const colleague = await people.add("colleague-of-acme");
    await people.owner.associate<object>(
      "securable",
      orders.id,
      { role: "Users", id: colleague.id },
      {
        flagRead: true,
        flagUse: true,
        filters: [
          {
            securable_id: orders.id,
            column_id: orders.columns["customer"],
            expression: "? = ?",
            value: "Acme",
          },
        ],
      },
    );
    const of = (name: string) => `{${orders.id}:${orders.columns[name]}}`;
    const stranger = `{${foreign.id}:${foreign.columns["stipend"]}}`;
    const expressions = {
      formula: [
        `count(${of("customer")})`,
        `count(${of("region")}) + 0 * sum(${of("amount")})`,
        `sum(${of("amount")})`,
        `max(${of("amount")})`,
        `sum(${of("amount")}) / count(${of("customer")})`,
        `distinctcount(${of("customer")})`,
        `sum(${stranger})`,
        `sum(${of("amount")}) + sum(${stranger})`,
        `{${foreignFormula}}`,
        `{${foreign.id}:${foreignFormula}}`,
      ],
      column: [
        of("customer"),
        of("region"),
        `concat(${of("customer")}, ${of("region")})`,
        stranger,
      ],
    };
    let answeredCount = 0;
    for (const [kind, written] of Object.entries(expressions))
      for (const expression of written) {
        const given = { expression, name: "All", description: "All customers." };
        world.model.play(({ tools }) => ({
          calls: [{ name: tools[0]?.name ?? "", arguments: given }],
        }));
        const properties = { dataset_id: orders.id, prompt: "All of them", kind };
        const answered = await create(colleague, "iqformula", properties);
        if (answered.includes('"result"')) answeredCount++;
        const sent = world.model.requests.map(({ text }) => text).join("\n");
        // The other customer's rows must not be sent to anybody. The attacker already knows the id and the text of the
        // attack.
        const left = `${answered}\n${sent}`;
        assert.equal(leaksOf(left), [], `${expression}: ${left.slice(0, 2_000)}`);
      }
    assert.ok(answeredCount >= 5, `${answeredCount} queries were answered`);
    world.model.play(({ tools }) => ({
      calls: [
        {
          name: tools[0]?.name ?? "",
          arguments: { expression: of("customer"), name: "All", description: "All." },
        },
      ],
    }));
    const properties = { dataset_id: orders.id, prompt: "All", kind: "column" };
    const own = await create(colleague, "iqformula", properties);
    assert.ok(own.includes("Acme"), own);
  });

  test("instructions planted in data reach the model inside a marked block, which they cannot close", async () => {
    world.model.play(obedient({ measures: [] }));
    await surfaces["aichart"]!(world.acme, {});
    const messages = world.model.requests[0]?.messages ?? [];
    const [system, data, question] = messages.map(({ content }) => String(content));
    for (const text of planted) {
      const words = text
        .replaceAll(/<\/?data>/g, "")
        .trim()
        .split(". ")[0]!;
      assert.ok(data?.includes(words), `${words}: ${data}`);
      assert.not(`${system}${question}`.includes(words), words);
    }
    assert.is(data?.match(/<\/?data>/g)?.length, 2, "one block");
  });

  test("in every action that a model can trigger, another person's id returns the same error as an unknown id", async () => {
    const { acme, foreign, foreignDashboard, foreignConversation, zyrqonConversation } = world;
    const random = "00000000-0000-4000-8000-000000000000";
    const measures = [
      {
        dataset_id: foreign.id,
        column_id: foreign.columns["stipend"],
        aggregation: { type: "sum" },
      },
    ];
    const attempts: Readonly<Record<string, (id: string) => Promise<string>>> = {
      "describe_dataset of the stranger's dataset": (id) =>
        callTool(acme, "describe_dataset", { dataset_id: id }),
      "get_dashboard of the stranger's dashboard": (id) =>
        callTool(acme, "get_dashboard", { dashboard_id: id }),
      "backtest_alert of the stranger's alert": (id) =>
        callTool(acme, "backtest_alert", { alert_id: id, from: "2026-01-01T00:00:00Z" }),
      "a chart over the stranger's dataset": (id) =>
        create(acme, "aichart", { type: "generate-chart", dataset_id: id, question: "All?" }),
      "sample questions about it": (id) =>
        create(acme, "aichart", { type: "generate-example-questions", dataset_id: id }),
      "a prompt about it": (id) => create(acme, "aiprompt", question(id)),
      "a message about it": (id) =>
        create(
          acme,
          "aimessage",
          { content: { role: "user", content: "All?" } },
          { options: { dataset_id: id } },
        ),
      "descriptions of it": (id) =>
        create(acme, "generate_descriptions", { datasets: [{ id }], languages: ["en"] }),
      "another user's conversation": (id) =>
        create(acme, "aiprompt", { ...question(), conversation_id: id }),
    };
    for (const [title, attempt] of Object.entries(attempts)) {
      world.model.play(obedient({ measures }));
      const others = [foreign.id, foreignDashboard, foreignConversation, zyrqonConversation];
      const plain = (answer: string, id: string) =>
        answer.replaceAll(id, "ID").replaceAll(/"request_id":"[^"]*"/g, "");
      const absent = plain(await attempt(random), random);
      for (const id of others) {
        const answered = await attempt(id);
        assert.equal(leaksOf(answered), [], `${title}: ${answered}`);
        assert.is(plain(answered, id), absent, title);
      }
      assert.is(world.model.requests.length, 0, `${title}: the model was not called`);
    }
  });

  test("lists, searches, summaries and items reveal nothing about other people's records", async () => {
    const { acme, orders, foreign } = world;
    world.model.play(obedient({ measures: [] }));
    const others = {
      dataset_id: foreign.id,
      column_id: foreign.columns["stipend"],
      aggregation: { type: "max" },
    };
    const foreignItem = {
      type: "bar-chart",
      slots: [{ name: "measure", content: [{ set: foreign.id, column: others.column_id }] }],
      query: { measures: [others] },
    };
    const left = [
      await callTool(acme, "search_datasets", {}),
      await callTool(acme, "search_datasets", { words: "Quon" }),
      await callTool(acme, "list_alerts", {}),
      await callTool(acme, "describe_dataset", { dataset_id: orders.id }),
      await create(acme, "aisummary", { query: { measures: [others] } }),
      await create(acme, "aisummary", { query: hostileQueries[0]!.query(world) as Json }),
      await create(acme, "aiprompt", {
        ...question(),
        task: "describe",
        agent: "item",
        input: [
          { type: "item", value: foreignItem },
          { type: "dataset", value: orders.id },
        ],
      }),
      await create(acme, "aiprompt", { ...question(), task: "suggest" }),
      ...(await Promise.all(
        ["aiconversation", "aimessage", "aimessageasset", "securable", "column", "formula"].map(
          (resource) => post(acme, resource, { action: "get", find: {} }),
        ),
      )),
      ...world.model.requests.map(({ text }) => text),
    ];
    for (const text of left) assert.equal(leaksOf(text), [], text.slice(0, 2_000));
    assert.ok(
      left.some((text) => text.includes("Ardenfell")),
      "its own rows are there",
    );
  });
});
