import { randomUUID } from "node:crypto";
import { context, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import type { Principal } from "../../../../core/base/contracts/index.ts";
import { createCatalogMemory, type CatalogMemory } from "../../../../core/catalog/index.ts";
import { createRowFilters } from "../../../../core/identity/access/index.ts";
import { createQueries, type Queries, type QueryAnswer } from "../../../../core/queries/index.ts";
import { rememberedRecords } from "../../../../core/resources/index.ts";
import type { Cell, DataType } from "../../../../plugins/protocol/index.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { createPlainPlugin, type PlainPlugin } from "../../../support/plainPlugin.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { openTokens, type Tokens } from "../../identity/access/openTokens.ts";

/** The stored columns of three datasets: trips lead to cities, and cities to countries. */
const datasetColumns = {
  trips: {
    city: "hierarchy",
    back: "hierarchy",
    km: "numeric",
    day: "datetime",
    tenant: "hierarchy",
  },
  cities: { key: "hierarchy", country: "hierarchy", people: "numeric" },
  countries: { code: "hierarchy", area: "numeric" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, DataType>>>>;

type DatasetName = keyof typeof datasetColumns;
const datasetNames = Object.keys(datasetColumns) as DatasetName[];

interface Place {
  readonly id: string;
  /** The ids of the columns by name, including the derived column `computed`. */
  readonly columns: Readonly<Record<string, string>>;
}

interface StoredFilter {
  readonly column: string;
  readonly expression: string;
  readonly value: unknown;
  readonly clause?: "having";
}

const cityNames = ["Ghent", "Lille", "Metz"];
const days = ["2024-01-01T00:00:00.000Z", "2024-02-10T23:30:00.000Z", "2024-03-01T00:30:00.000Z"];

/** Returns the rows of a dataset. A key sometimes occurs twice, so that the datasets cannot be joined by it. */
function randomRows(random: Random, name: DatasetName): readonly (readonly Cell[])[] {
  const twice = <Value>(keys: readonly Value[]) =>
    random.chance(0.25) ? [...keys, ...keys.slice(0, 1)] : keys;
  switch (name) {
    case "trips":
      return Array.from({ length: 3 + random.below(6) }, () => [
        random.pick(cityNames),
        random.pick(cityNames),
        random.below(9),
        random.pick(days),
        random.pick(["a", "b"]),
      ]);
    case "cities":
      return twice(cityNames).map((key) => [key, random.pick(["BE", "FR"]), random.below(100)]);
    case "countries":
      return twice(["BE", "FR"]).map((code) => [code, random.below(50)]);
  }
}

const zones = ["UTC", "Asia/Tokyo"];

suite("core/queries/prepared/randomChanges", (test) => {
  const spans = new InMemorySpanExporter();
  let tokens: Tokens;
  let store: PlainPlugin;
  let memory: CatalogMemory;
  let preparing: Queries;
  let plain: Queries;
  let nowMs = 0;
  let group: string;
  let formula: string;
  let places: Readonly<Record<DatasetName, Place>>;

  test.before(async () => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
    );
    tokens = await openTokens();
    const { records, ada, catalog } = tokens;
    store = createPlainPlugin();
    const placeOf = async (name: DatasetName): Promise<Place> => {
      const { id } = await records.insert("securable", {
        type: "dataset",
        storage: "strata",
        owner_id: ada.userId,
        rows: 0,
        name: { en: name },
      });
      const made = await records.insertMany(
        "column",
        [...Object.entries(datasetColumns[name]), ["computed", "numeric"] as const].map(
          ([column, type], order) => ({
            name: { en: column },
            type,
            order,
            securable_id: id,
            user_id: ada.userId,
            ...(column === "computed" && { expression: "1" }),
          }),
        ),
      );
      const ids = made.map(({ name: names, id: column }) => [(names as { en: string }).en, column]);
      return { id, columns: Object.fromEntries(ids) as Record<string, string> };
    };
    const [trips, cities, countries] = [
      await placeOf("trips"),
      await placeOf("cities"),
      await placeOf("countries"),
    ];
    places = { trips, cities, countries };
    memory = createCatalogMemory({ catalog });
    const services = {
      connections: createPlainConnections({ store, scratch: createPlainPlugin() }),
      rowFilters: createRowFilters(catalog),
      now: () => nowMs,
    };
    preparing = createQueries({
      ...services,
      records: rememberedRecords(records, memory),
      memory,
      cacheBytes: 2 ** 20,
    });
    plain = createQueries({ ...services, records });
    group = await tokens.make(ada, "embedfiltergroup");
    const expression = `sum(${written("trips", "km")})`;
    formula = (await tokens.call(ada, "formula", "create", { properties: { expression } })).id;
  });
  test.after(async () => {
    trace.disable();
    context.disable();
    await tokens.close();
  });

  const ref = (name: DatasetName, column: string, more: object = {}) => ({
    dataset_id: places[name].id,
    column_id: places[name].columns[column],
    ...more,
  });
  const written = (name: DatasetName, column: string) =>
    `{${places[name].id}:${places[name].columns[column]}}`;
  const by = (type: string) => ({ aggregation: { type } });

  const questions = (): readonly object[] => {
    const km = ref("trips", "km", by("sum"));
    const city = ref("trips", "city");
    const country = ref("cities", "country");
    return [
      { dimensions: [city], measures: [km] },
      { dimensions: [country], measures: [km] },
      { dimensions: [ref("countries", "area")], measures: [km] },
      {
        dimensions: [ref("cities", "country", { via: places.trips.columns["back"] })],
        measures: [km],
      },
      { dimensions: [country], measures: [km, ref("cities", "people", by("sum"))] },
      { dimensions: [country], measures: [ref("cities", "people", by("sum"))] },
      { dimensions: [country], measures: [ref("trips", "computed", by("sum"))] },
      { measures: [km], where: [{ expression: "? = ?", parameters: [country, "BE"] }] },
      { dimensions: [city], measures: [{ formula: `max(${written("trips", "km")}) - 1` }] },
      { dimensions: [city], measures: [{ formula_id: formula }] },
      { dimensions: [country], measures: [{ formula_id: formula }] },
      {
        dimensions: [country],
        measures: [
          { formula: `sum(${written("trips", "km")}) / sum(${written("cities", "people")})` },
        ],
      },
      { dimensions: [ref("trips", "city", { include_nonoccurring: true })], measures: [km] },
      {
        dimensions: [ref("trips", "day", { level: 5 })],
        measures: [{ formula: `sum(${written("trips", "computed")}) * 2` }],
      },
      {
        dimensions: [country],
        measures: [km],
        where: [
          {
            expression: "last_now",
            parameters: [ref("trips", "day"), { unit: 3, quantity: 1 }],
          },
        ],
      },
      { dimensions: [city, ref("trips", "km")], options: { rollup_data: false } },
    ];
  };

  /** Replaces the rows of a dataset. */
  const push = async (random: Random, name: DatasetName) => {
    const { id, columns } = places[name];
    const stored = Object.entries(datasetColumns[name]).map(([column, type]) => ({
      id: String(columns[column]),
      type,
    }));
    const rows = randomRows(random, name);
    store.fill(id, stored, rows);
    const version = randomUUID();
    const values = { shared_storage_version: version, rows: rows.length };
    await tokens.records.change("securable", id, values);
  };

  /** Changes something that a query may depend on. Returns a description. */
  const change = async (random: Random): Promise<string> => {
    const { records, ada, eve, call } = tokens;
    const name = random.pick(datasetNames);
    const { id, columns } = places[name];
    const kinds = {
      async rows() {
        await push(random, name);
        return `rows of ${name}`;
      },
      async column() {
        const column = random.pick(Object.keys(datasetColumns[name]));
        const isMissing = random.chance(0.3);
        await records.change("column", String(columns[column]), {
          missing_since: isMissing ? new Date() : null,
        });
        return `${column} of ${name} is ${isMissing ? "missing" : "there"}`;
      },
      async expression() {
        const expression = random.pick([
          `${written("trips", "km")} * 2`,
          `${written("trips", "km")} + 1`,
          `case when ${written("trips", "day")} <= now() then 1 else 0 end`,
          `nonsense(`,
        ]);
        await records.change("column", String(places.trips.columns["computed"]), { expression });
        return `computed is ${expression}`;
      },
      async link() {
        const [from, to] = random.pick([
          [places.trips.columns["city"], places.cities.columns["key"]],
          [places.trips.columns["back"], places.cities.columns["key"]],
          [places.cities.columns["country"], places.countries.columns["code"]],
        ]);
        const action = random.chance(0.7) ? "associate" : "dissociate";
        const resource = { role: "Joins", id: to };
        await call(ada, "column", action, { id: from, resource }).catch(ignoreApiError);
        return `${action} ${from} with ${to}`;
      },
      async owner() {
        const owner = random.chance(0.7) ? ada : eve;
        await records.change("securable", id, { owner_id: owner.userId });
        return `${name} belongs to ${owner.name}`;
      },
      async filters() {
        const ofTrips: readonly StoredFilter[] = [
          { column: "city", expression: "? = ?", value: "Ghent" },
          { column: "km", expression: "? > ?", value: 20, clause: "having" },
          { column: "tenant", expression: "? in ?", value: [] },
          { column: "day", expression: "last_now", value: { unit: 3, quantity: 1 } },
        ];
        const ofCities: readonly StoredFilter[] = [
          { column: "key", expression: "? != ?", value: "Lille" },
        ];
        const own = name === "trips" ? ofTrips : name === "cities" ? ofCities : [];
        const filters = random.some(own, 0.4).map(({ column, ...rest }) => ({
          securable_id: id,
          column_id: columns[column],
          ...rest,
        }));
        const action = filters.length > 0 ? "associate" : "dissociate";
        const resource = { role: "Securables", id };
        const body = { id: group, resource, properties: { filters } };
        await call(ada, "embedfiltergroup", action, body).catch(ignoreApiError);
        return `filters of ${name}: ${JSON.stringify(filters)}`;
      },
      async formula() {
        const expression = random.pick([
          `sum(${written("trips", "km")})`,
          `count(${written("trips", "city")}) + 0`,
          `sum(${written("cities", "people")}) * 2`,
        ]);
        await records.change("formula", formula, { expression });
        return `the formula is ${expression}`;
      },
      async formulaOwner() {
        const owner = random.chance(0.7) ? ada : eve;
        await records.change("formula", formula, { user_id: owner.userId });
        return `the formula belongs to ${owner.name}`;
      },
    };
    const made = await (random.chance(0.4) ? kinds.rows : random.pick(Object.values(kinds)))();
    memory.lookAgain();
    return made;
  };

  test("prepared queries answer like queries that were never prepared, whatever changes in between", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const { signal } = new AbortController();
      const { ada } = tokens;
      const datasets = datasetNames.map((name) => ({ id: places[name].id }));
      const embed = await tokens.whoIs(await tokens.mint({ access: { datasets } }));
      const history: string[] = [];
      const outcome = async (queries: Queries, who: Principal, query: object) => {
        try {
          const answer = (await queries.answer(query, who, signal)) as QueryAnswer;
          return { data: answer.data };
        } catch (failure) {
          if (!(failure instanceof ApiError)) throw failure;
          // If several datasets are hidden, any of them may be named.
          return { code: failure.code };
        }
      };
      let answerCount = 0;
      for (const name of datasetNames) await push(random, name);
      for (let count = 0; count < 12; count++) history.push(await change(random));
      for (let round = 0; round < rounds({ quick: 12, deep: 60 }); round++) {
        const asked = random.some(questions(), 0.3).map((query) => ({
          query: { options: { timezone_id: random.pick(zones) }, ...query },
          who: random.pick([ada, ada, embed]),
        }));
        for (let step = 0; step < 4; step++) {
          if (step > 0) history.push(await change(random));
          nowMs = Date.parse(random.pick(days)) + random.below(60) * 86_400_000;
          for (const { query, who } of asked) {
            const expected = await outcome(plain, who, query);
            for (let again = 0; again < 2; again++) {
              const found = await outcome(preparing, who, query);
              const at = `${JSON.stringify(query)} of ${who.name} after\n${history.slice(-8).join("\n")}\n${JSON.stringify([found, expected])}`;
              assert.equal(found, expected, at);
            }
            if ("data" in expected) answerCount++;
          }
        }
      }
      const named = (name: string) =>
        spans.getFinishedSpans().filter((span) => span.name === name).length;
      assert.ok(answerCount > 20, `${answerCount} answers`);
      const preparedCount = named("query") - named("parse");
      assert.ok(preparedCount > answerCount / 2, `${preparedCount} prepared of ${named("query")}`);
    });
  });
});

function ignoreApiError(failure: unknown): void {
  if (!(failure instanceof ApiError)) throw failure;
}
