import * as assert from "uvu/assert";
import { restrictedActions } from "../../../../core/identity/access/permits.ts";
import { ClientError } from "../../../../core/web/client/index.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = Json & { readonly id: string };

suite("core/host: hidden columns", (test) => {
  let people: People;
  let dataset: Dataset;
  let token: Person;
  let hidden: string;
  const made: Record<string, string> = {};
  test.before(async () => {
    people = await openPeople();
    const { owner } = people;
    dataset = await people.push();
    const other = await people.push();
    hidden = String(dataset.columns["km"]);
    const nameOf = (name: string) => `{${dataset.id}:${dataset.columns[name]}}`;
    const derive = async (name: string, expression: string) => {
      const values = { order: 9, name: { en: name }, expression };
      const target = { role: "Securable", id: dataset.id };
      made[name] = (await owner.create<Made>("column", values, [target])).id;
    };
    await derive("far", `${nameOf("km")} * 2`);
    await derive("loud", `upper(${nameOf("region")})`);
    const formula = async (name: string, expression: string) => {
      const target = { role: "Securables", id: dataset.id };
      made[name] = (await owner.create<Made>("formula", { expression }, [target])).id;
    };
    await formula("total", `SUM(${nameOf("km")})`);
    await formula("regions", `COUNTD(${nameOf("region")})`);
    await owner.create("hierarchylevel", { name: { en: "Level" } }, [
      { role: "Column", id: hidden },
    ]);
    for (const [from, to] of [
      [hidden, other.columns["km"]],
      [other.columns["km"], hidden],
    ] as const)
      await owner.associate("column", String(from), { role: "Joins", id: String(to) });
    const use = (id: string) => ({ id, rights: "use" });
    const filter = { securable_id: dataset.id, expression: "? > ?", value: 1 };
    token = await people.mint({
      access: { datasets: [use(dataset.id), use(other.id)] },
      hidden_columns: [hidden],
      filters: [
        { ...filter, column_id: hidden },
        { ...filter, column_id: dataset.columns["region"], expression: "? = ?", value: "north" },
      ],
    });
  });
  test.after(() => people.close());

  const shows = (answer: unknown): boolean =>
    JSON.stringify(answer).toLowerCase().includes(hidden.toLowerCase());
  const answerTo = (call: Promise<unknown>): Promise<unknown> =>
    call.catch((failure: unknown) => {
      if (!(failure instanceof ClientError)) throw failure;
      return { status: failure.status, message: failure.message, more: failure.validation };
    });

  test("no record that a token can read or include names a column hidden from the token", async () => {
    const joins = { model: "Column", as: "Joins" };
    const column = { model: "Column", include: [joins, { model: "HierarchyLevel" }] };
    const include: Readonly<Record<string, readonly Json[]>> = {
      securable: [column, { model: "Formula" }, { model: "Collection" }],
      column: [joins, { model: "HierarchyLevel" }, { model: "Securable", include: [column] }],
      formula: [{ model: "Securable", include: [column] }],
      authorization: [{ model: "User" }],
    };
    for (const [resource, actions] of Object.entries(restrictedActions)) {
      if (resource === "data" || !actions.includes("get")) continue;
      const where = resource === "authorization" ? { where: { id: token.pair.key } } : {};
      const find = { ...where, ...(include[resource] && { include: include[resource] }) };
      const answer = await token.get(resource, find);
      assert.not(shows(answer), resource);
      if (["securable", "column", "formula", "authorization"].includes(resource))
        assert.ok(answer.rows.length > 0, `${resource} is not empty`);
    }
    const [own] = (await token.get("securable", { where: { id: dataset.id } })).rows;
    assert.equal(own?.["shared_storage_metadata"], {
      numeric: [],
      hierarchy: [dataset.columns["region"]],
    });
    const { rows } = await token.get("column", { where: { securable_id: dataset.id } });
    const expressionOf = (name: string) => rows.find(({ id }) => id === made[name])?.["expression"];
    assert.equal([expressionOf("far"), typeof expressionOf("loud")], [null, "string"]);
    const [self] = (await token.get("authorization", { where: { id: token.pair.key } })).rows;
    const filters = self?.["filters"] as readonly unknown[];
    assert.equal([self?.["hidden_columns"], filters.length], [null, 1]);
    const kept = (await people.owner.get("column", { where: { id: made["far"] ?? "" } })).rows[0];
    assert.ok(shows(kept), "the issuer reads the expression");
  });

  test("hidden columns cannot be inferred from searching, sorting or counting records", async () => {
    for (const [resource, find] of [
      ["column", { where: { expression: { like: `%${hidden.slice(0, 8)}%` } } }],
      ["column", { search: { keyphrase: hidden.slice(0, 8), match_types: ["expression"] } }],
      ["column", { order: [["expression", "asc"]] }],
      ["formula", { where: { expression: { like: "%S%" } } }],
      ["securable", { where: { "shared_storage_metadata.numeric": hidden } }],
      ["securable", { order: [["shared_storage_metadata", "asc"]] }],
      ["authorization", { where: { id: token.pair.key, hidden_columns: { ne: null } } }],
    ] as const) {
      const answer = (await answerTo(token.get(resource, find))) as { status?: number };
      assert.is(answer.status, 400, JSON.stringify(find));
    }
    const { count } = await token.get("column", { where: { securable_id: dataset.id }, limit: 1 });
    assert.is(count, 3, "region and the two derived columns");
    const named = await token.get("column", { where: { id: hidden } });
    assert.equal([named.count, named.rows], [0, []]);
  });

  test("no query, explanation or error names a hidden column unless the caller named it", async () => {
    const of = (column_id: unknown, more: Json = {}) => ({
      dataset_id: dataset.id,
      column_id,
      ...more,
    });
    const region = of(dataset.columns["region"]);
    const queries: readonly Json[] = [
      { dimensions: [of(made["far"])] },
      { dimensions: [region], measures: [of(made["far"], { aggregation: { type: "sum" } })] },
      { measures: [{ dataset_id: dataset.id, formula_id: made["total"] }] },
      { dimensions: [region], where: [{ expression: "? > ?", parameters: [of(made["far"]), 1] }] },
      { dimensions: [region, of("00000000-0000-4000-8000-000000000000")] },
    ];
    for (const query of queries) {
      const statuses = [];
      for (const send of [
        () => token.get("data", query),
        () => token.get("data", { queries: [query, { dimensions: [region] }] }),
        () => call("explain", query),
      ]) {
        const answer = await answerTo(send());
        assert.not(shows(answer), JSON.stringify([query, answer]));
        statuses.push((answer as { status?: number }).status);
      }
      assert.is(statuses[0], 400, JSON.stringify(query));
    }
    const good = { dimensions: [region, of(made["loud"])] };
    const answer = await token.get<{ data: unknown[] }>("data", good);
    assert.is(answer.data.length, 1);
    assert.not(shows(await call("explain", good)));
    const count = { measures: [{ dataset_id: dataset.id, formula_id: made["regions"] }] };
    assert.equal((await token.get<{ data: unknown[] }>("data", count)).data, [[1]]);
    assert.is(((await answerTo(token.get("data", sumOf(dataset)))) as Json)["status"], 400);
  });
  const call = async (action: string, find: Json): Promise<unknown> =>
    (await people.call("data", { action, find, ...token.pair })).body;
});
