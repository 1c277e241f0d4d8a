import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { createCatalogMemory, type CatalogMemory } from "../../../../core/catalog/index.ts";
import { createRowFilters } from "../../../../core/identity/access/index.ts";
import type { Principal } from "../../../../core/base/contracts/index.ts";
import { createQueries, type Queries, type QueryAnswer } from "../../../../core/queries/index.ts";
import { createPreparedQueries } from "../../../../core/queries/prepared/preparedQueries.ts";
import type { PreparedQuery } from "../../../../core/queries/prepared/prepareQuery.ts";
import { rememberedRecords } from "../../../../core/resources/index.ts";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openTokens, type Tokens } from "../../identity/access/openTokens.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { createPlainPlugin, type PlainPlugin } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const rows: readonly (readonly Cell[])[] = [
  ["Ghent", 1, "2024-01-01T00:00:00.000Z", "a"],
  ["Lille", 2, "2024-02-01T00:00:00.000Z", "a"],
  ["Ghent", 4, "2024-03-01T00:00:00.000Z", "b"],
];

suite("core/queries/prepared/preparedQueries", (test) => {
  let tokens: Tokens;
  let store: PlainPlugin;
  let queries: Queries;
  let memory: CatalogMemory;
  let group: string;

  test.before(async () => {
    tokens = await openTokens();
    const { dataset, columns, records, ada, catalog } = tokens;
    store = createPlainPlugin();
    const types = {
      city: "hierarchy",
      km: "numeric",
      day: "datetime",
      tenant: "hierarchy",
    } as const;
    const stored = Object.entries(types).map(([name, type]) => ({
      id: String(columns[name]),
      type,
    }));
    store.fill(dataset, stored, rows);
    memory = createCatalogMemory({ catalog });
    queries = createQueries({
      records: rememberedRecords(records, memory),
      connections: createPlainConnections({ store, scratch: createPlainPlugin() }),
      rowFilters: createRowFilters(catalog),
      memory,
    });
    group = await tokens.make(ada, "embedfiltergroup");
  });
  test.after(() => tokens.close());

  const sum = () => ({
    measures: [{ dataset_id: tokens.dataset, column_id: tokens.columns["km"] }],
  });
  const answerTo = async (principal: Principal, query: object = sum()): Promise<unknown> => {
    const { signal } = new AbortController();
    const answer = (await queries.answer(query, principal, signal)) as QueryAnswer;
    return answer.data[0]?.[0];
  };
  /** Sends a query as often as it takes to be prepared, and once more. */
  const settle = async (principal: Principal, query: object = sum()): Promise<unknown> => {
    for (let count = 0; count < 2; count++) await answerTo(principal, query);
    return answerTo(principal, query);
  };
  const filter = (name: string, expression: string, value: unknown) => ({
    securable_id: tokens.dataset,
    column_id: tokens.columns[name],
    expression,
    value,
  });
  const embed = async (properties: object = {}) =>
    tokens.whoIs(
      await tokens.mint({ access: { datasets: [{ id: tokens.dataset }] }, ...properties }),
    );
  const change = async (made: Promise<unknown>) => {
    await made;
    memory.lookAgain();
  };

  test("a new row filter applies to a query that was prepared without it", async () => {
    const self = await embed();
    assert.is(await settle(self), 7);
    const fill = (filters: readonly object[]) =>
      change(
        tokens.call(
          tokens.ada,
          "embedfiltergroup",
          filters.length > 0 ? "associate" : "dissociate",
          {
            id: group,
            resource: { role: "Securables", id: tokens.dataset },
            properties: { filters },
          },
        ),
      );
    await fill([filter("city", "? = ?", "Ghent")]);
    assert.is(await settle(self), 5);
    await fill([]);
    assert.is(await settle(self), 7);
  });

  test("callers with different filters or parameters never share a prepared query", async () => {
    const ofTenant = { parameter: "metadata.tenant", type: "hierarchy" };
    const filters = [filter("tenant", "? = ?", ofTenant)];
    const withTenant = (tenant: string) => embed({ filters, parameter_overrides: { tenant } });
    const [one, other] = [await withTenant("a"), await withTenant("b")];
    assert.equal([await settle(one), await settle(other), await settle(tokens.ada)], [3, 4, 7]);
    assert.equal([await settle(one), await settle(other)], [3, 4]);
  });

  test("a prepared query fails once its caller may no longer read the dataset", async () => {
    const { records, dataset, ada, eve } = tokens;
    assert.is(await settle(ada), 7);
    await change(records.change("securable", dataset, { owner_id: eve.userId }));
    assert.is((await refusal(answerTo(ada))).code, "RECORD_NOT_FOUND");
    await change(records.change("securable", dataset, { owner_id: ada.userId }));
    assert.is(await settle(ada), 7);
  });

  test("a prepared query follows a change of its column", async () => {
    const { records, columns, ada } = tokens;
    const id = String(columns["km"]);
    assert.is(await settle(ada), 7);
    await change(records.change("column", id, { missing_since: new Date() }));
    assert.is((await refusal(answerTo(ada))).code, "QUERY_NOT_SERVED");
    await change(records.change("column", id, { missing_since: null }));
    assert.is(await settle(ada), 7);
    await change(records.change("column", id, { type: "datetime" }));
    assert.is(await answerTo(ada), 3, "dates are counted");
    await change(records.change("column", id, { type: "numeric" }));
  });

  test("a prepared expression follows changes of its columns and of row filters", async () => {
    const { records, columns, dataset, ada } = tokens;
    const id = String(columns["km"]);
    const doubled = {
      measures: [{ expression: `{${dataset}:${id}} * 2`, aggregation: { type: "sum" } }],
    };
    assert.is(await settle(ada, doubled), 14);
    await change(records.change("column", id, { missing_since: new Date() }));
    assert.is((await refusal(answerTo(ada, doubled))).code, "MEMBER_INVALID");
    await change(records.change("column", id, { missing_since: null }));
    assert.is(await settle(ada, doubled), 14);
    const filters = [filter("tenant", "? = ?", "a")];
    assert.is(await settle(await embed({ filters }), doubled), 6);
  });

  test("a prepared join fails once a key has duplicates, and is found again without them", async () => {
    const { records, columns, dataset, otherDataset, ada } = tokens;
    const rowsOfOther = await records.find("column", { securable_id: otherDataset });
    const stored = rowsOfOther
      .toSorted((one, other) => Number(one.order) - Number(other.order))
      .map(({ id, type }) => ({ id, type: type as "numeric" }));
    const [key, size] = stored;
    const push = async (pushed: readonly (readonly Cell[])[]) => {
      store.fill(otherDataset, stored, pushed);
      await change(
        records.change("securable", otherDataset, { shared_storage_version: randomUUID() }),
      );
    };
    const ghent = ["Ghent", 10, null, null];
    const lille = ["Lille", 20, null, null];
    await push([ghent, lille]);
    const link = { id: columns["city"], resource: { role: "Joins", id: key?.id } };
    await change(tokens.call(ada, "column", "associate", link));
    const bySize = {
      dimensions: [{ dataset_id: otherDataset, column_id: size?.id }],
      measures: [{ dataset_id: dataset, column_id: columns["km"] }],
    };
    assert.is(await settle(ada, bySize), 10);
    await push([ghent, lille, ghent]);
    assert.is((await refusal(answerTo(ada, bySize))).code, "QUERY_NOT_JOINABLE");
    await push([lille]);
    assert.is(await settle(ada, bySize), 20);
    await change(tokens.call(ada, "column", "dissociate", link));
    assert.is((await refusal(answerTo(ada, bySize))).code, "QUERY_NOT_JOINABLE");
  });

  test("a prepared formula follows its text and the right to read it", async () => {
    const { records, columns, dataset, ada, eve } = tokens;
    const km = `{${dataset}:${columns["km"]}}`;
    const properties = { expression: `sum(${km})` };
    const { id } = await tokens.call(ada, "formula", "create", { properties });
    const query = { measures: [{ formula_id: id }] };
    assert.is(await settle(ada, query), 7);
    await change(records.change("formula", id, { expression: `max(${km})` }));
    assert.is(await settle(ada, query), 4);
    await change(records.change("formula", id, { user_id: eve.userId }));
    assert.is((await refusal(answerTo(ada, query))).code, "RECORD_NOT_FOUND");
    await change(records.change("formula", id, { user_id: ada.userId }));
    assert.is(await settle(ada, query), 4);
  });

  test("expressions that read the clock are computed for the instant of each call", async () => {
    const { dataset, columns, ada } = tokens;
    const age = {
      measures: [
        {
          expression: `case when {${dataset}:${columns["day"]}} <= now() then 1 else 0 end`,
          aggregation: { type: "sum" },
        },
      ],
    };
    const { signal } = new AbortController();
    const at = async (iso: string) =>
      (await queries.evaluate(age, ada, signal, Date.parse(iso))).data[0]?.[0];
    for (let count = 0; count < 2; count++) {
      assert.is(await at("2024-01-15T00:00:00.000Z"), 1);
      assert.is(await at("2024-03-15T00:00:00.000Z"), 3);
    }
  });

  test("relative dates count from the instant of each call", async () => {
    const { dataset, columns, ada } = tokens;
    const day = { dataset_id: dataset, column_id: columns["day"] };
    const recent = {
      measures: sum().measures,
      where: [{ expression: "last_now", parameters: [day, { unit: 3, quantity: 1 }] }],
    };
    const { signal } = new AbortController();
    const at = async (iso: string) =>
      (await queries.evaluate(recent, ada, signal, Date.parse(iso))).data[0]?.[0];
    for (let count = 0; count < 2; count++) {
      assert.is(await at("2024-01-15T00:00:00.000Z"), 1);
      assert.is(await at("2024-03-15T00:00:00.000Z"), 4);
    }
  });

  test("queries are found by caller, path and text, and the least recently used are dropped", () => {
    const prepared = createPreparedQueries(memory);
    const query = (value: unknown, path = "") => ({ path, value, explain: false });
    const kept = {} as PreparedQuery;
    const [ada, bob] = [principalOf("ada"), principalOf("bob")];
    prepared.keep(query({ a: 1 }), ada, kept);
    assert.is(prepared.find(query({ a: 1 }), { ...ada }), kept);
    assert.is(prepared.find(query({ a: 1 }), bob), undefined);
    assert.is(prepared.find(query({ a: 2 }), ada), undefined);
    assert.is(prepared.find(query({ a: 1 }, "queries[0]"), ada), undefined);
    for (let count = 0; count < 2_000; count++) prepared.keep(query({ b: count }), ada, kept);
    assert.is(prepared.find(query({ a: 1 }), ada), undefined);
    assert.is(prepared.find(query({ b: 0 }), ada), kept);
    prepared.keep(query("x".repeat(16_000)), ada, kept);
    assert.is(prepared.find(query("x".repeat(16_000)), ada), undefined);
    for (let count = 0; count < 600; count++)
      prepared.keep(query({ [count]: "x".repeat(15_000) }), ada, kept);
    assert.is(prepared.find(query({ 0: "x".repeat(15_000) }), ada), undefined, "too long together");
    assert.is(prepared.find(query({ 599: "x".repeat(15_000) }), ada), kept);
    const list = query({ where: [{ parameters: [{}, Array.from({ length: 4_000 }, () => 1)] }] });
    prepared.keep(list, ada, kept);
    assert.is(prepared.find(list, ada), undefined, "a long list");
    const none = createPreparedQueries(undefined);
    none.keep(query({ a: 1 }), ada, kept);
    assert.is(none.find(query({ a: 1 }), ada), undefined);
  });
});
