import * as assert from "uvu/assert";
import { createCookieJar, type CookieJar } from "../../../support/cookieJar.ts";
import {
  clientId,
  clientSecret,
  openProvider,
  type TestProvider,
} from "../../../support/openProvider.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type Dataset, type People } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
type Trip = readonly [region: string | null, carrier: string, day: string, km: number];

const regions = ["north", "south", "west", "Ærø", ""] as const;
const carriers = ["Delta", "United"] as const;
const names = ["region", "carrier", "day", "km"] as const;
type Name = (typeof names)[number];

/** The parameter values of a person. A value is undefined if the provider does not send its claim. */
interface Values {
  readonly regions: readonly string[] | undefined;
  readonly carrier: string | undefined;
  readonly least: number | undefined;
}

function tripsOf(random: Random): Trip[] {
  return Array.from({ length: 300 }, () => [
    random.chance(0.05) ? null : random.pick(regions),
    random.pick(carriers),
    new Date(Date.UTC(2024, 0, 1 + random.below(400))).toISOString().slice(0, 10),
    random.below(90),
  ]);
}

function valuesOf(random: Random): Values {
  const some = regions.filter(() => random.chance(0.4));
  return {
    regions: random.chance(0.1) ? undefined : some,
    carrier: random.chance(0.1) ? undefined : random.pick([...carriers, "nobody"]),
    least: random.chance(0.1) ? undefined : random.below(60),
  };
}

/** Returns a random query that every caller may run. */
function questionOf({ id, columns }: Dataset, random: Random): Json {
  const item = (name: Name, more: Json = {}): Json => ({
    dataset_id: id,
    column_id: columns[name],
    ...more,
  });
  const grouped = names
    .filter((name) => name !== "km" && random.chance(0.5))
    .map((name) => item(name, name === "day" ? { level: 1 + random.below(4) } : {}));
  const aggregations = ["sum", "min", "max", "average", "count", "distinctcount"] as const;
  const measured = [
    { dataset_id: id, column_id: "*" },
    ...aggregations
      .filter(() => random.chance(0.3))
      .map((type) => item(type === "distinctcount" ? "region" : "km", { aggregation: { type } })),
  ];
  const isRaw = random.chance(0.2);
  const tests = [
    random.chance(0.4) && {
      expression: random.pick(["? in ?", "? not in ?"]),
      parameters: [item("region"), regions.filter(() => random.chance(0.5))],
    },
    random.chance(0.4) && {
      expression: random.pick(["? > ?", "? <= ?", "? != ?"]),
      parameters: [item("km"), random.below(90)],
    },
  ].filter(Boolean);
  const order = random.pick(grouped.length > 0 ? grouped : [undefined]);
  return {
    dimensions: isRaw ? names.map((name) => item(name)) : grouped,
    ...(!isRaw && { measures: measured }),
    ...(tests.length > 0 && { where: tests }),
    ...(!isRaw && order && { order: [{ ...order, order: random.pick(["asc", "desc"]) }] }),
    ...(random.chance(0.3) && { limit: { by: 1 + random.below(20) } }),
    options: { cells: "plain", ...(isRaw && { rollup_data: false }) },
  };
}

suite("core/host: claims, parameters and rows", (test) => {
  let people: People;
  let provider: TestProvider;
  let config = "";
  let dataset: Dataset;
  let trips: readonly Trip[] = [];
  const random = createRandom();

  const filters = () =>
    [
      ["region", "? in ?", "regions", "array[hierarchy]"],
      ["carrier", "? = ?", "carrier", "hierarchy"],
      ["km", "? >= ?", "least", "numeric"],
    ].map(([column, expression, parameter, type]) => ({
      securable_id: dataset.id,
      column_id: dataset.columns[column!],
      expression,
      value: { parameter: `metadata.${parameter}`, type },
    }));

  test.before(async () => {
    people = await openPeople({ failuresPerMinute: 0 });
    provider = await openProvider(() => [`${people.host.url}/auth/sso/${config}/callback`]);
    trips = tripsOf(random);
    const pushed = await people.owner.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: trips,
      options: { header: names },
    });
    const [made] = pushed.rows;
    const columns = (made?.columns ?? []).map((each) => [each["source_name"], String(each["id"])]);
    dataset = { id: String(made?.id), columns: Object.fromEntries(columns) };
    const { id } = await people.owner.create<{ id: string }>("ssoconfig", {
      name: "Corp",
      type: "openid",
      active: true,
      config: {
        issuer: provider.issuer,
        client_id: clientId,
        client_secret: clientSecret,
        scopes: ["openid", "email", "profile", "work"],
        claims: {
          parameters: {
            regions: { claim: "regions", list: true },
            carrier: "customer",
            least: "level",
          },
        },
      },
    });
    config = id;
    await people.owner.associate<object>(
      "securable",
      dataset.id,
      { role: "Groups", id: people.publicGroup },
      { flagRead: true, flagUse: true, filters: filters() },
    );
  });
  test.after(async () => {
    await provider?.close();
    await people?.close();
  });

  /** Signs a person on in the way that a browser does, with the claims that the provider sends at that time. */
  const signOn = async (name: string, { regions: list, carrier, least }: Values) => {
    provider.persons.set(name, {
      email: `${name}@corp.example`,
      ...(list && { regions: list.length === 1 && random.chance(0.5) ? list[0] : list }),
      ...(carrier !== undefined && { customer: carrier }),
      ...(least !== undefined && { level: least }),
    });
    const jar = createCookieJar();
    const begun = await jar.follow(`${people.host.url}/auth/sso/${config}`);
    await begun.answer.arrayBuffer();
    const { answer } = await jar.follow(`${begun.url}?login=${name}`);
    assert.is(answer.status, 200, await answer.text());
    return jar;
  };
  const queryBySession = async (jar: CookieJar, find: Json) => {
    const answer = await jar.open(`${people.host.url}/0.1.0/data`, {
      method: "POST",
      headers: {
        "X-Manifold-Console": "1",
        Origin: people.host.url,
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ version: "0.1.0", action: "get", find }),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const shownOf = ({ status, body }: { readonly status: number; readonly body: Json }) =>
    status === 200 ? body["data"] : (body["type"] as Json)["code"];
  /** Returns the rows that parameter values allow, computed naively; undefined if a parameter has no value. */
  const rowsOf = ({ regions: list = [], carrier, least }: Values) =>
    carrier === undefined || least === undefined
      ? undefined
      : trips.filter(
          (trip) => list.includes(String(trip[0])) && trip[1] === carrier && trip[3] >= least,
        );

  test.deep(
    "for random people and queries, sign-on shows the same rows as an embed token with the same parameters",
    () =>
      withSeed(random, async () => {
        let [seenCount, queryCount, answeredCount] = [0, 0, 0];
        const find = {
          measures: [{ dataset_id: dataset.id, column_id: "*" }],
          options: { cells: "plain" },
        };
        for (let person = 0; person < rounds({ quick: 3, deep: 16, soak: 200 }); person++) {
          const values = valuesOf(random);
          // A sign-on removes earlier rights, so a person who could see more rows before can no longer see them.
          if (person % 2 === 1)
            await signOn(`p${person}`, { regions, carrier: carriers[0], least: 0 });
          const jar = await signOn(`p${person}`, values);
          const expected = rowsOf(values);
          const counted = await queryBySession(jar, find);
          const context = JSON.stringify(values);
          if (expected) assert.equal(shownOf(counted), [[expected.length]], context);
          else assert.is(shownOf(counted), "ROWS_CLOSED", context);
          seenCount += expected?.length ?? 0;
          // No token can be created without a value for each parameter of its filters.
          const token =
            expected &&
            (await people.mint({
              username: `t${person}`,
              access: { datasets: [{ id: dataset.id, rights: "use" }] },
              filters: filters(),
              parameter_overrides: { ...values, regions: values.regions ?? [] },
            }));
          for (let round = 0; round < rounds({ quick: 6, deep: 25 }); round++) {
            const question = questionOf(dataset, random);
            const seen = await queryBySession(jar, question);
            if (!token) {
              assert.equal([seen.status, shownOf(seen)], [403, "ROWS_CLOSED"], context);
              continue;
            }
            const twin = await people.call("data", {
              action: "get",
              find: question,
              ...token.pair,
            });
            const said = `${context} ${JSON.stringify(question)}`;
            assert.is(seen.status, twin.status, said);
            assert.equal(shownOf(seen), shownOf(twin), said);
            queryCount += 1;
            answeredCount += seen.status === 200 ? 1 : 0;
          }
        }
        assert.ok(seenCount > 0, "some person sees rows");
        assert.is(
          answeredCount,
          queryCount,
          "every query of a person with parameters returns rows",
        );
      }),
  );
});
