import * as assert from "uvu/assert";
import type { ParameterOverride } from "../../../core/access/principal.ts";
import { createPlainHost, type PlainColumn, type PlainHost } from "../../support/plainHost.ts";
import { refusal } from "../../support/refused.ts";
import { embedOf, override } from "../../support/restricted.ts";
import { suite } from "../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
];
const rows = [
  ["Ghent", 1],
  ["Lille", 2],
  [null, 4],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const cleared = override(undefined, { clear: true });

suite("core/queries/parameters", (test) => {
  let host: PlainHost;
  test.before(async () => {
    host = await createPlainHost({ columns, rows });
  });

  const is = (value: unknown, expression = "? = ?", column: object = ref("city")) => ({
    expression,
    parameters: [column, value],
  });
  const city = (more: object = {}) => ({ parameter: "metadata.city", type: "hierarchy", ...more });
  const cities = (more: object = {}) => city({ type: "array[hierarchy]", ...more });
  const as = (overrides: Readonly<Record<string, ParameterOverride>>) =>
    embedOf({ parameters: new Map(Object.entries(overrides)) });
  const sum = async (where: unknown, overrides: Readonly<Record<string, ParameterOverride>> = {}) =>
    (await host.askAs(as(overrides), { measures: [ref("km")], where })).data[0]?.[0];

  test("a value is the token's override, else the default", async () => {
    const where = [is(city({ value: "Lille" }))];
    assert.is(await sum(where), 2);
    assert.is(await sum(where, { city: override("Ghent") }), 1);
    assert.is(await sum(where, { other: override("Ghent") }), 2);
    assert.is(await sum([is(city({ parameter: "city" }))], { city: override("Ghent") }), 1);
    assert.is(await sum([is(cities({ value: ["Lille", null] }), "? in ?")]), 6);
  });

  test("one who acts as a user is told the default", async () => {
    const find = { measures: [ref("km")], where: [is(city({ value: "Lille" }))] };
    assert.equal((await host.ask(find)).data, [[2]]);
  });

  test("having takes parameters too", async () => {
    const find = {
      dimensions: [ref("city")],
      measures: [ref("km")],
      having: [
        is(
          { parameter: "least", type: "numeric", value: 2 },
          "? >= ?",
          ref("km", { aggregation: "sum" }),
        ),
      ],
    };
    assert.is((await host.askAs(as({}), find)).data.length, 2);
    assert.is((await host.askAs(as({ least: override(4) }), find)).data.length, 1);
  });

  test("a cleared parameter takes its test away, and groups that hold no other", async () => {
    const test = is(city({ value: "Lille" }));
    for (const [where, expected] of [
      [[test], 7],
      [[test, is("Ghent")], 1],
      [[{ or: [test, is("Ghent")] }], 1],
      [[{ or: [test] }, is("Ghent")], 1],
      [[{ and: [test] }, [test]], 7],
      [[{ or: [{ and: [test] }, [test], is("Ghent")] }], 1],
      [[{ or: [{ and: [{ or: [test] }] }] }], 7],
    ] as const)
      assert.is(await sum(where, { city: cleared }), expected, JSON.stringify(where));
  });

  test("an empty list lets no row pass, whatever the operator", async () => {
    const empty = { city: override([]) };
    assert.is(await sum([is(cities(), "? in ?")], empty), null);
    assert.is(await sum([is(cities(), "? not in ?")], empty), null);
    assert.is(await sum([{ or: [is(cities(), "? not in ?"), is("Ghent")] }], empty), 1);
  });

  test("a parameter without value, of another type, or inside a list is refused by its path", async () => {
    const cases: readonly [unknown, RegExp][] = [
      [is(city()), /where\[0\]\.parameters\[1\]\.value.*no value and no default/],
      [is(city({ value: null })), /no value and no default/],
      [is(city({ value: 5 })), /must be hierarchy/],
      [is(city({ value: ["a"] })), /must be hierarchy/],
      [is(cities({ value: "a" }), "? in ?"), /must be array/],
      [is(cities({ value: ["a"] })), /list/],
      [is(city({ type: "text", value: "a" })), /parameters\[1\]\.type/],
      [is(city({ value: "a", more: 1 })), /more/],
      [is(city({ parameter: 5, value: "a" })), /parameters\[1\]\.parameter/],
      [is([city({ value: "a" })], "? in ?"), /whole value/],
      [is({ parameter: "n", type: "numeric", value: 5 }), /hierarchy and takes a text/],
    ];
    for (const [condition, message] of cases)
      assert.match(
        (await refusal(host.ask({ measures: [ref("km")], where: [condition] }))).message,
        message,
      );
    const refused = await refusal(
      host.askAs(as({ city: override({ canary: 1 }) }), {
        measures: [ref("km")],
        where: [is(city({ value: "a" }))],
      }),
    );
    assert.is(refused.status, 400);
    assert.not.match(refused.message, /canary/);
  });
});
