import * as assert from "uvu/assert";
import type { Allowance } from "../../../../core/operating/isolation/allowance.ts";
import { listAll, type Call } from "../../../../core/operating/isolation/createCall.ts";
import { checkDashboards } from "../../../../core/operating/isolation/checkDashboards.ts";
import { checkRecords } from "../../../../core/operating/isolation/checkRecords.ts";
import { checkRows, readTable } from "../../../../core/operating/isolation/checkRows.ts";
import type { KnownRecord, Leak } from "../../../../core/operating/isolation/isolationReport.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };
type Operator = "=" | "!=" | "in" | "not in" | "<" | ">=";

interface RowRule {
  readonly dataset: Dataset;
  readonly column: "region" | "km";
  readonly operator: Operator;
  readonly value: readonly (string | number)[];
}

/** A person with a console session, and the rows that shares allow the person to see. */
interface Member {
  readonly person: Person;
  readonly call: Call;
  readonly allowance: Allowance;
}

const boardItem = "00000000-0000-4000-8000-0000000000c2";
const password = "a kettle on a hill";

suite("core/host: isolation of sessions", (test) => {
  let people: People;
  let [first, second] = [] as unknown as [Dataset, Dataset];
  let board: Made;
  let made = 0;

  test.before(async () => {
    people = await openPeople();
    const { owner } = people;
    [first, second] = [await people.push(), await people.push()];
    await owner.update("securable", first.id, { name: { en: "Trips of the first" } });
    await owner.update("securable", second.id, { name: { en: "Trips of the second" } });
    const field = (column: string, more: Json) => ({
      column: first.columns[column],
      set: first.id,
      ...more,
    });
    const item = {
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
    };
    board = await owner.create<Made>("securable", {
      type: "dashboard",
      name: { en: "Secret board" },
      contents: { views: [{ screenModus: "desktop", items: [item] }] },
    });
  });
  test.after(() => people?.close());

  /** Starts a session. Returns a function that makes calls with its cookie, as scripts of the console do. */
  const beginSession = async (credentials: Json): Promise<Call> => {
    const { url } = people.host;
    const headers = {
      "Content-Type": "application/json",
      "X-Manifold-Console": "1",
      Origin: url,
      "Sec-Fetch-Site": "same-origin",
    };
    const body = JSON.stringify(credentials);
    const begun = await fetch(`${url}/auth/session`, { method: "POST", headers, body });
    assert.is(begun.status, 200);
    const Cookie = String(begun.headers.get("Set-Cookie")).split(";")[0] ?? "";
    return async (resource, members) => {
      const answer = await fetch(`${url}/0.1.0/${resource}`, {
        method: "POST",
        headers: { ...headers, Cookie },
        body: JSON.stringify({ version: "0.1.0", ...members }),
      });
      const text = await answer.text();
      const { status } = answer;
      return { status, text, body: text.startsWith("{") ? (JSON.parse(text) as unknown) : text };
    };
  };

  /** Adds a person who sees datasets through shares that each have a filter, and optionally also sees the dashboard. */
  const addMember = async (
    rules: readonly RowRule[],
    { seesBoard = false, byPassword = false } = {},
  ): Promise<Member> => {
    const { owner } = people;
    const name = `member-${++made}`;
    const person = await people.add(name, byPassword ? { password } : {});
    for (const { dataset, column, operator, value } of rules) {
      const isList = operator.endsWith("in");
      const filter = {
        securable_id: dataset.id,
        column_id: dataset.columns[column],
        expression: `? ${operator} ?`,
        value: isList ? value : value[0],
      };
      const target = { role: "Users", id: person.id };
      const flags = { flagRead: true, flagUse: true, filters: [filter] };
      await owner.associate<object>("securable", dataset.id, target, flags);
    }
    if (seesBoard) {
      const target = { role: "Users", id: person.id };
      await owner.associate("securable", board.id, target, { flagRead: true });
    }
    const reached = rules.map(({ dataset }) => dataset.id);
    return {
      person,
      call: await beginSession(
        byPassword ? { email: `${name}@example.org`, password } : person.pair,
      ),
      allowance: {
        key: name,
        securables: new Set([...reached, ...(seesBoard ? [board.id] : [])]),
        hiddenColumns: new Set(),
        rowsOf: (datasetId) => ({
          kind: "tests",
          tests: rules
            .filter(({ dataset }) => dataset.id === datasetId)
            .map(({ dataset, column, operator, value }) => ({
              columnId: String(dataset.columns[column]),
              operator,
              value,
            })),
        }),
      },
    };
  };

  const ownerCall: Call = async (resource, members) => {
    const answer = await people.call(resource, { ...people.owner.pair, ...members });
    return { ...answer, text: JSON.stringify(answer.body) };
  };

  const namesOf = (name: unknown): string[] =>
    Object.values(name ?? {}).filter(
      (each): each is string => typeof each === "string" && each.length > 2,
    );

  const knownTo = async ({ call, allowance: { key } }: Member): Promise<KnownRecord[]> => {
    const order = [["id", "asc"]];
    const known: KnownRecord[] = [];
    for (const resource of ["securable", "column"] as const) {
      const seen = new Set((await listAll(call, resource, { order })).map(({ id }) => id));
      for (const row of await listAll(ownerCall, resource, { order }))
        known.push({
          id: String(row["id"]),
          resource,
          type: String(row["type"]),
          names: namesOf(row["name"]),
          datasetId: String(resource === "column" ? row["securable_id"] : row["id"]),
          seenBy: new Set(seen.has(row["id"]) ? [key] : []),
        });
    }
    return known;
  };

  /** Runs the checks of `verify-isolation`, with a session instead of a token. */
  const sweep = async (
    member: Member,
    { call = member.call, questionCount = 6, seed = 1 } = {},
  ): Promise<{ readonly leaks: readonly Leak[]; readonly datasetCount: number }> => {
    const { allowance } = member;
    const { key } = allowance;
    const known = await knownTo(member);
    const options = { admin: ownerCall, tokens: [], seed, questionCount, rowCount: 1_000 };
    const leaks = await checkRecords({ key, call, allowance, known });
    let datasetCount = 0;
    for (const { id, type, seenBy } of known) {
      if (type !== "dataset" || allowance.securables?.has(id) !== true) continue;
      const columns = known.filter((each) => each.resource === "column" && each.datasetId === id);
      const dataset = { id, seenBy, columns };
      const full = await readTable(ownerCall, dataset, 1_000);
      const found = await checkRows({ ...options, key, call, allowance, dataset, full });
      leaks.push(...found.leaks);
      assert.equal(found.gaps, []);
      datasetCount++;
    }
    leaks.push(...(await checkDashboards({ key, call, admin: ownerCall, allowance, known })).leaks);
    return { leaks, datasetCount };
  };

  const ruleOf = (dataset: Dataset, value: string): RowRule => ({
    dataset,
    column: "region",
    operator: "=",
    value: [value],
  });

  test("the isolation checks find no leak in the session of a person with a filtered share", async () => {
    const member = await addMember([ruleOf(first, "north")], { seesBoard: true });
    const { leaks, datasetCount } = await sweep(member, { questionCount: 2 });
    assert.equal([leaks, datasetCount], [[], 1]);
  });

  test.deep(
    "the isolation checks find no leak in a session that a person with two filtered shares started with a password",
    async () => {
      const rules = [ruleOf(first, "south"), ruleOf(second, "south")];
      const { leaks, datasetCount } = await sweep(await addMember(rules, { byPassword: true }));
      assert.equal([leaks, datasetCount], [[], 2]);
    },
  );

  test.deep(
    "the isolation checks detect another person's rows, records and files in a session",
    async () => {
      const member = await addMember([ruleOf(first, "north")]);
      const other = await addMember([ruleOf(first, "south"), ruleOf(second, "south")]);
      const cases: readonly (readonly [string, (resource: string, body: string) => boolean])[] = [
        ["data", (resource) => resource === "data"],
        ["dataexport", (resource) => resource === "dataexport"],
        ["securable", (resource, body) => resource === "securable" && body.includes(second.id)],
      ];
      for (const [resource, isBroken] of cases) {
        const call: Call = async (called, body) =>
          (isBroken(called, JSON.stringify(body)) ? other : member).call(called, body);
        const { leaks } = await sweep(member, { call });
        assert.ok(
          leaks.some(({ question }) => question.resource === resource),
          resource,
        );
      }
    },
  );

  test.deep("a session gets the same lists and errors as its user's key pair", async () => {
    const member = await addMember([ruleOf(first, "north")], { seesBoard: true });
    const { pair } = member.person;
    let compared = 0;
    const same = async (resource: string, find: Json) => {
      const body = { action: "get", find };
      const byPair = await people.call(resource, { ...body, ...pair });
      const bySession = await member.call(resource, body);
      const { request_id: _, ...expected } = byPair.body;
      const { request_id: __, ...answered } = bySession.body as Json;
      assert.is(bySession.status, byPair.status, `${resource} ${JSON.stringify(find)}`);
      // The session and the key pair each see their own tokens and events, whose times of use differ.
      if (!["authorization", "auditevent", "user"].includes(resource))
        assert.equal(answered, expected, resource);
      assert.not(bySession.text.includes("Trips of the second"), resource);
      compared++;
    };
    for (const [resource, { actions }] of declarations) {
      if (!actions.includes("get")) continue;
      await same(resource, { limit: 20 });
      const foreign = await people.owner.get(resource, { limit: 3 });
      for (const { id } of foreign.rows) await same(resource, { where: { id } });
    }
    assert.ok(compared > 60, String(compared));
  });

  test("adding another key or user to a call of a session never changes the session's user", async () => {
    const member = await addMember([ruleOf(first, "north")]);
    const [dataset_id, column_id] = [first.id, first.columns["km"]];
    const find = { measures: [{ dataset_id, column_id, aggregation: { type: "sum" } }] };
    const own = await member.call("data", { action: "get", find });
    assert.equal((own.body as Json)["data"], [[6]]);
    const { owner } = people;
    for (const more of [
      { key: owner.pair.key },
      { key: owner.pair.key, token: member.person.pair.token },
      { user_id: owner.id, organization_id: "x" },
    ]) {
      const { status, body } = await member.call("data", { action: "get", find, ...more });
      if (status === 200) assert.equal((body as Json)["data"], [[6]], JSON.stringify(more));
      else assert.ok(status === 400 || status === 401, String(status));
    }
  });

  test.deep(
    "sessions leak nothing, whatever records people randomly share with each other",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        for (let round = 0; round < rounds({ quick: 1, deep: 8 }); round++) {
          const ruled = (dataset: Dataset): RowRule =>
            random.chance(0.6)
              ? {
                  dataset,
                  column: "region",
                  operator: random.pick<Operator>(["=", "!=", "in", "not in"]),
                  value: [random.pick(["north", "south", "none"])],
                }
              : {
                  dataset,
                  column: "km",
                  operator: random.pick<Operator>(["<", ">=", "in", "="]),
                  value: [random.pick([1, 3, 5, 6])],
                };
          const datasets = [first, second].filter(() => random.chance(0.7));
          const member = await addMember(datasets.map(ruled), {
            seesBoard: random.chance(0.5),
            byPassword: random.chance(0.3),
          });
          const { leaks } = await sweep(member, { seed: random.below(1_000), questionCount: 8 });
          assert.equal(leaks, []);
        }
      });
    },
  );
});
