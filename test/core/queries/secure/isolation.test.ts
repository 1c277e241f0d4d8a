import * as assert from "uvu/assert";
import { runVerifyIsolation } from "../../../../core/operating/isolation/index.ts";
import type { IsolationReport } from "../../../../core/operating/isolation/isolationReport.ts";
import {
  type Capabilities,
  definePlugin,
  serve,
  type Served,
} from "../../../../plugins/sdk/index.ts";
import { plantedPlugin } from "../../../plugins/conformance/plantedLiars.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { tamperHost, type Tamper } from "../../../support/tamperHost.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };
interface Seen extends Json {
  readonly datasets: readonly (Json & { readonly filters: readonly Json[] })[];
  readonly token?: { readonly id: string; readonly token: string };
}

const boardItem = "00000000-0000-4000-8000-0000000000b1";

/** Number of queries of each kind per dataset. */
const questionCount = rounds({ quick: 1, deep: 6 });

suite("core/host and the isolation check", (test) => {
  let people: People;
  let plugin: Served | undefined;
  let [first, second] = [] as unknown as [Dataset, Dataset];
  let [north, south] = [] as unknown as [Person, Person];
  let board: Made;

  const rowFilter = ({ id, columns }: Dataset, value: unknown, column = "region") => ({
    securable_id: id,
    column_id: columns[column],
    expression: Array.isArray(value) ? "? in ?" : "? = ?",
    value,
  });
  const use = ({ id }: Dataset) => ({ id, rights: "use" });

  test.before(async () => {
    people = await openPeople();
    [first, second] = [await people.push(), await people.push()];
    const { owner } = people;
    await owner.update("securable", first.id, { name: { en: "Trips of the first" } });
    await owner.update("securable", second.id, { name: { en: "Trips of the second" } });
    const field = (column: string, more: Json) => ({
      column: first.columns[column],
      set: first.id,
      ...more,
    });
    board = await owner.create<Made>("securable", {
      type: "dashboard",
      name: { en: "Secret board" },
      contents: {
        views: [
          {
            screenModus: "desktop",
            items: [
              {
                id: boardItem,
                type: "column-chart",
                position: { row: 0, col: 0, sizeX: 24, sizeY: 20 },
                slots: [
                  { name: "category", content: [field("region", { type: "hierarchy" })] },
                  {
                    name: "measure",
                    content: [field("km", { type: "numeric", aggregationFunc: "sum" })],
                  },
                ],
              },
            ],
          },
        ],
        filters: [
          {
            condition: "and",
            origin: "itemFilter",
            itemId: boardItem,
            datasetId: first.id,
            filters: [
              {
                expression: "? > ?",
                parameters: [{ column_id: first.columns["km"], dataset_id: first.id }, 1],
              },
            ],
          },
        ],
      },
    });
    north = await people.mint({
      username: "north",
      access: { datasets: [use(first)], dashboards: [{ id: board.id, rights: "read" }] },
      filters: [rowFilter(first, "north")],
    });
    south = await people.mint({
      username: "south",
      access: { datasets: [use(first), use(second)] },
      filters: [
        rowFilter(first, {
          parameter: "metadata.regions",
          type: "array[hierarchy]",
          value: ["south"],
        }),
      ].map((filter) => ({ ...filter, expression: "? in ?" })),
      hidden_columns: [second.columns["km"]],
    });
  });
  test.after(async () => {
    await plugin?.close();
    await people?.close();
  });

  const explain = async (
    id: string,
    options: Json = {},
    by: Person["pair"] = people.owner.pair,
  ): Promise<{ status: number; body: Seen }> => {
    const { status, body } = await people.call("authorization", {
      ...by,
      action: "explain",
      id,
      options,
    });
    return { status, body: body as Seen };
  };

  test("the issuer of a token can see which rows and columns the token sees, and why other rows and columns are hidden", async () => {
    const { status, body } = await explain(south.pair.key);
    assert.is(status, 200);
    const byId = new Map(body.datasets.map((each) => [each["id"], each]));
    assert.is(byId.size, 2);
    const filtered = byId.get(first.id);
    assert.equal(filtered?.["rows"], "filtered");
    assert.equal(filtered?.filters, [
      {
        origin: "token",
        clause: "where",
        column_id: first.columns["region"],
        expression: "? in ?",
        parameter: "metadata.regions",
        value: ["south"],
        applies: true,
      },
    ]);
    const narrowed = byId.get(second.id);
    assert.equal([narrowed?.["rows"], narrowed?.["rights"]], ["all", "use"]);
    const hidden = narrowed?.["hidden_columns"] as readonly Json[];
    assert.equal(
      hidden.map(({ id }) => id),
      [second.columns["km"]],
    );
    assert.equal(JSON.stringify(body).includes(south.pair.token), false, "no secret");
  });

  test("an inspection token sees what the inspected token sees, and expires with it or after 15 minutes", async () => {
    const { owner } = people;
    const shown = await people.mint({
      username: "shown",
      access: { datasets: [use(first)] },
      filters: [rowFilter(first, "north")],
      allowed_origins: ["https://app.example.com"],
    });
    const { body } = await explain(shown.pair.key, { token: true });
    const pair = { key: String(body.token?.id), token: String(body.token?.token) };
    const requested = { action: "get", find: sumOf(first) };
    const answer = await people.call("data", { ...pair, ...requested });
    assert.equal([answer.status, answer.body["data"]], [200, [[6]]]);
    const lives = Date.parse(String((body.token as unknown as Json)["expiry"])) - Date.now();
    assert.ok(lives > 0 && lives <= 15 * 60_000, String(lives));
    const events = await owner.get("auditevent", {
      where: { resource: "authorization", record_id: { in: [shown.pair.key, pair.key] } },
    });
    const actions = events.rows.map(({ action, record_id }) => `${action} ${record_id}`);
    for (const expected of [`explain ${shown.pair.key}`, `create ${pair.key}`])
      assert.ok(actions.includes(expected), `${expected} in ${actions.join(", ")}`);
    await owner.delete("authorization", shown.pair.key);
    assert.is((await people.call("data", { ...pair, ...requested })).status, 401);
  });

  test("only a token's issuer can inspect the token, and other callers get the same error as for an unknown id", async () => {
    const other = await people.add("other-owner", {}, { flagOwn: true });
    assert.is((await explain(north.pair.key, {}, other.pair)).status, 404);
    const member = await people.add("a-member");
    assert.is((await explain(north.pair.key, {}, member.pair)).status, 403);
    assert.is((await explain(north.pair.key, {}, north.pair)).status, 403);
    assert.is(
      (await explain(people.owner.pair.key)).status,
      404,
      "an API token has no restriction",
    );
    for (const options of [{ token: "yes" }, { limit: 0 }, { limit: 1.5 }, { shown: true }])
      assert.is((await explain(north.pair.key, options)).status, 400, JSON.stringify(options));
  });

  test("an inspection shows why a dataset whose filter cannot be applied is unavailable", async () => {
    const dataset = await people.push();
    const filter = rowFilter(dataset, { parameter: "metadata.name", type: "hierarchy" });
    const token = await people.mint({
      username: "closed",
      access: { datasets: [use(dataset)] },
      filters: [filter],
      parameter_overrides: { name: { value: "north", sensitive: true } },
    });
    const [open] = (await explain(token.pair.key)).body.datasets;
    assert.equal(open?.["rows"], "filtered");
    assert.equal(
      [open?.filters[0]?.["withheld"], open?.filters[0]?.["value"]],
      ["sensitive", undefined],
    );
    await people.owner.delete("column", String(dataset.columns["region"]));
    const [closed] = (await explain(token.pair.key)).body.datasets;
    assert.is(closed?.["rows"], "closed");
    assert.is(typeof closed?.["reason"], "string");
  });

  interface Run {
    readonly status: number;
    readonly report: IsolationReport;
    readonly printed: string;
  }
  const verify = async (
    [a, b]: readonly [Person, Person],
    { url = people.host.url, withIssuer = true, questions = questionCount, seed = 1 } = {},
  ): Promise<Run> => {
    const written: string[] = [];
    const noted: string[] = [];
    const { key, token } = people.owner.pair;
    const status = await runVerifyIsolation(
      [
        a.pair.key,
        b.pair.key,
        "--report",
        "json",
        "--questions",
        `${questions}`,
        "--seed",
        `${seed}`,
      ],
      {
        environment: {
          MANIFOLD_URL: url,
          MANIFOLD_TOKEN_A: a.pair.token,
          MANIFOLD_TOKEN_B: b.pair.token,
          ...(withIssuer && { MANIFOLD_KEY: key, MANIFOLD_TOKEN: token }),
        },
        write: (text) => void written.push(text),
        note: (line) => void noted.push(line),
      },
    );
    const report = written.join("");
    const printed = report + noted.join("");
    for (const secret of [a.pair.token, b.pair.token, token])
      assert.not(printed.includes(secret), "a secret must not be printed");
    return {
      status,
      report: (report.startsWith("{") ? JSON.parse(report) : {}) as never,
      printed,
    };
  };

  test("`verify-isolation` finds no leak in a correct host, whether or not it knows the issuer", async () => {
    const { status, report, printed } = await verify([north, south]);
    assert.is(status, 0, printed);
    assert.equal([report.comparedBy, report.leaks, report.datasetCount], ["issuer", [], 3]);
    const alone = await verify([north, south], { withIssuer: false });
    assert.is(alone.status, 0, alone.printed);
    assert.equal([alone.report.comparedBy, alone.report.leaks], ["tokens", []]);
  });

  /** Runs verify-isolation against a host that breaks one promise for the first token. */
  const planted = async (tamper: Tamper, withIssuer = true): Promise<Run> => {
    const broken = await tamperHost(people.host.url, async (resource, body, forward) =>
      body["key"] === north.pair.key ? tamper(resource, body, forward) : undefined,
    );
    try {
      return await verify([north, south], { url: broken.url, withIssuer });
    } finally {
      await broken.close();
    }
  };
  const asOwner: Tamper = (_resource, body, forward) => forward({ ...body, ...people.owner.pair });
  const leakOf = ({ status, report, printed }: Run) => {
    assert.is(status, 1, printed);
    const [leak] = report.leaks;
    assert.ok(leak, printed);
    return leak;
  };

  test.deep(
    "`verify-isolation` detects groups that ignore the row filter, and shows a minimal query as proof",
    async () => {
      const ofGroups: Tamper = async (resource, body, forward) => {
        const find = body["find"] as Json | undefined;
        const isGrouped = find?.["measures"] !== undefined && find["dimensions"] !== undefined;
        return resource === "data" && isGrouped ? asOwner(resource, body, forward) : undefined;
      };
      for (const withIssuer of [true, false]) {
        const leak = leakOf(await planted(ofGroups, withIssuer));
        assert.is(leak.key, north.pair.key);
        assert.is(leak.question.resource, "data");
        const find = leak.question.body["find"] as Record<string, readonly unknown[]>;
        assert.equal([find["dimensions"]?.length, find["measures"]?.length], [1, 1]);
        assert.is(find["where"], undefined, "no test is left");
      }
    },
  );

  for (const [of, broken, isBroken, declare] of [
    [
      "values",
      "data",
      (find: Json) => find["measures"] === undefined && find["dimensions"] !== undefined,
      test,
    ],
    ["sums", "data", (find: Json) => find["dimensions"] === undefined, test.deep],
    ["files", "dataexport", () => true, test.deep],
  ] as const)
    declare(`verify-isolation detects a host that ignores row filters on ${of}`, async () => {
      const run = await planted(async (resource, body, forward) =>
        resource === broken && isBroken((body["find"] ?? {}) as Json)
          ? asOwner(resource, body, forward)
          : undefined,
      );
      assert.is(leakOf(run).question.resource, broken);
    });

  test.deep(
    "`verify-isolation` detects another tenant's name or record in a response",
    async () => {
      const inList = await planted(async (resource, body, forward) => {
        if (resource !== "tag") return undefined;
        const { status } = await forward(body);
        return { status, body: { count: 1, rows: [{ id: "t", name: "Trips of the second" }] } };
      });
      const named = leakOf(inList);
      assert.equal([named.question.resource, named.seen], ["tag", ["Trips of the second"]]);
      const byId = await planted(async (resource, body, forward) => {
        const where = (body["find"] as Json | undefined)?.["where"] as Json | undefined;
        return resource === "securable" && where?.["id"] === second.id
          ? asOwner(resource, body, forward)
          : undefined;
      });
      const opened = leakOf(byId);
      assert.equal(opened.question, {
        resource: "securable",
        body: { action: "get", find: { where: { id: second.id } } },
      });
    },
  );

  test.deep(
    "`verify-isolation` detects a dashboard item that drops its filter or reveals another token's answer",
    async () => {
      const isOfItem = (find: Json) => JSON.stringify(find["where"] ?? "").includes('"? > ?"');
      const findIn = (body: Json) => (body["find"] ?? {}) as Json;
      const cases: readonly (readonly [string, Tamper])[] = [
        [
          "data",
          async (resource, body, forward) => {
            const find = findIn(body);
            if (resource !== "data" || !isOfItem(find)) return undefined;
            return forward({ ...body, find: { ...find, where: [] } });
          },
        ],
        [
          "data",
          async (resource, body, forward) =>
            resource === "data" && isOfItem(findIn(body))
              ? forward({ ...body, ...south.pair })
              : undefined,
        ],
        [
          "export",
          async (resource, body, forward) =>
            resource === "export" ? asOwner(resource, body, forward) : undefined,
        ],
      ];
      for (const [resource, tamper] of cases) {
        const leak = leakOf(await planted(tamper));
        assert.equal([leak.key, leak.question.resource], [north.pair.key, resource]);
        assert.match(leak.what, `item ${boardItem} of the dashboard ${board.id}`);
      }
    },
  );

  test.deep("`verify-isolation` detects a hidden column that a query returns", async () => {
    const column = String(second.columns["km"]);
    const broken = await tamperHost(people.host.url, async (resource, body, forward) =>
      body["key"] === south.pair.key && resource === "data" && JSON.stringify(body).includes(column)
        ? asOwner(resource, body, forward)
        : undefined,
    );
    try {
      const leak = leakOf(await verify([north, south], { url: broken.url }));
      assert.match(leak.what, column);
      assert.is(leak.key, south.pair.key);
    } finally {
      await broken.close();
    }
  });

  test.deep(
    "a plugin over HTTP that ignores a row filter leaks nothing, because the host tests each row again",
    async () => {
      const text = ["hierarchy"] as const;
      const capabilities: Capabilities = {
        projection: true,
        filters: { operators: { "not in": text } },
      };
      const liar = definePlugin({ ...plantedPlugin("not in ignored"), capabilities });
      plugin = await serve(liar, { secret: "s", onError: () => {} });
      const { owner } = people;
      const record = await owner.create<Made>("plugin", {
        slug: "ignoring",
        name: { en: "Ignoring" },
        base_url: plugin.url,
        protocol_version: "manifold-1",
        authorize: "none",
      });
      await owner.update("plugin", record.id, { new_secret: "s" });
      const account = await owner.create<Made>("account", {
        provider: "ignoring",
        name: "ignoring",
      });
      const { data } = await owner.create<{ data: readonly Made[] }>("dataprovider", {
        provider: "ignoring",
        account_id: account.id,
        datasets: ["rows"],
      });
      const id = String(data[0]?.id);
      const { rows } = await owner.get("column", { where: { securable_id: id } });
      const columns = Object.fromEntries(rows.map((row) => [row["source_name"], row["id"]]));
      const live = { id, columns } as Dataset;
      const all = await owner.get<{ data: readonly (readonly string[])[] }>("data", {
        dimensions: [{ dataset_id: id, column_id: columns["text"] }],
        options: { cells: "plain" },
      } as Json);
      const hidden = all.data
        .map(([value]) => value)
        .filter((value) => value)
        .slice(0, 2);
      const access = { datasets: [use(live)] };
      const token = (username: string) =>
        people.mint({
          username,
          access,
          filters: [{ ...rowFilter(live, hidden, "text"), expression: "? not in ?" }],
        });
      const pairs = [await token("one"), await token("two")] as const;
      const { status, report, printed } = await verify(pairs);
      assert.equal([status, report.leaks], [0, []], printed);
      const shown = await people.call("data", {
        ...pairs[0].pair,
        action: "get",
        find: {
          dimensions: [{ dataset_id: id, column_id: columns["text"] }],
          options: { cells: "plain" },
        },
      });
      const texts = (shown.body["data"] as readonly (readonly unknown[])[]).flat();
      assert.ok(texts.length > 0 && !texts.some((each) => hidden.includes(String(each))));
    },
  );

  test.deep(
    "`verify-isolation` finds no leak in a correct host with random tokens over random rows",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        for (let round = 0; round < rounds({ quick: 1, deep: 8 }); round++) {
          const datasets = [first, second].filter(() => random.chance(0.7));
          const filter = (dataset: Dataset) => {
            const onRegion = random.chance(0.6);
            const column = onRegion ? "region" : "km";
            const values = onRegion ? ["north", "south", "none"] : [1, 3, 5, 6];
            const operator = random.pick(
              onRegion ? ["=", "!=", "in", "not in"] : ["<", ">=", "in", "="],
            );
            const value = operator.endsWith("in")
              ? random.some(values as string[], 0.5)
              : random.pick(values as string[]);
            return { ...rowFilter(dataset, value, column), expression: `? ${operator} ?` };
          };
          const token = (name: string) =>
            people.mint({
              username: `random-${name}`,
              access: { datasets: datasets.map(use) },
              filters: datasets.filter(() => random.chance(0.7)).map(filter),
              hidden_columns: random.some(
                datasets.flatMap(({ columns }) => Object.values(columns)),
                0.2,
              ),
            });
          const run = await verify([await token("a"), await token("b")], {
            seed: random.below(1_000),
            questions: 8,
          });
          assert.equal(run.report.leaks ?? [], [], run.printed);
          assert.is(run.status, datasets.length === 0 ? 2 : 0, run.printed);
        }
      });
    },
  );

  test("`verify-isolation` works without the secrets of tokens, and errors for wrong arguments show no secrets", async () => {
    const run = async (args: readonly string[], environment: Record<string, string>) => {
      const lines: string[] = [];
      const status = await runVerifyIsolation(args, {
        environment: { MANIFOLD_URL: people.host.url, ...environment },
        write: (text) => void lines.push(text),
        note: (line) => void lines.push(line),
      });
      return { status, printed: lines.join("\n") };
    };
    const { key, token } = people.owner.pair;
    const issuer = { MANIFOLD_KEY: key, MANIFOLD_TOKEN: token };
    const both = [north.pair.key, south.pair.key];
    const seenAs = await run([...both, "--questions", "1"], issuer);
    assert.is(seenAs.status, 0, seenAs.printed);
    assert.match(seenAs.printed, "no leak");
    const cases: readonly (readonly [readonly string[], Record<string, string>, string])[] = [
      [both, {}, "the secret of"],
      [[north.pair.key], issuer, "the keys of two tokens"],
      [[...both, "--rows", "0"], issuer, "--rows"],
      [[...both, "--report", "html"], issuer, "--report"],
      [both, { MANIFOLD_TOKEN_A: "wrong", MANIFOLD_TOKEN_B: south.pair.token }, "401"],
      [[key, key], issuer, "cannot view the data as"],
    ];
    for (const [args, environment, expected] of cases) {
      const { status, printed } = await run(args, environment);
      assert.is(status, 2, printed);
      assert.match(printed, expected);
      assert.not(printed.includes(south.pair.token) || printed.includes(token));
    }
  });

  test("a login pair can neither list tokens nor issue embed tokens", async () => {
    const { owner } = people;
    const user = await owner.create<Made>("user", { email: "login@example.org", name: "login" });
    const pair = { key: user["key"], token: user["token"] };
    const listed = await people.call("authorization", { ...pair, action: "get", find: {} });
    assert.equal(listed.body["rows"], []);
    const properties = { type: "embed", username: "x" };
    const issued = await people.call("authorization", { ...pair, action: "create", properties });
    assert.is(issued.status, 403);
  });

  test("a session can list its user's API tokens and issue embed tokens, as an API token can", async () => {
    const { host, owner } = people;
    const headers = {
      "Content-Type": "application/json",
      "X-Manifold-Console": "1",
      Origin: host.url,
      "Sec-Fetch-Site": "same-origin",
    };
    const begun = await fetch(`${host.url}/auth/session`, {
      method: "POST",
      headers,
      body: JSON.stringify(owner.pair),
    });
    assert.is(begun.status, 200);
    const Cookie = String(begun.headers.get("Set-Cookie")).split(";")[0] ?? "";
    const call = async (body: Json) => {
      const answer = await fetch(`${host.url}/0.1.0/authorization`, {
        method: "POST",
        headers: { ...headers, Cookie },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as Json };
    };
    const listed = await call({ action: "get", find: {} });
    assert.ok((listed.body["rows"] as readonly Json[]).some(({ id }) => id === owner.pair.key));
    const properties = {
      type: "embed",
      username: "by-session",
      access: { datasets: [use(first)] },
    };
    const issued = await call({ action: "create", properties });
    assert.is(issued.status, 200, JSON.stringify(issued.body));
    const seen = await call({ action: "explain", id: issued.body["id"] });
    assert.equal(
      (seen.body["datasets"] as readonly Json[]).map(({ id }) => id),
      [first.id],
    );
  });
});
