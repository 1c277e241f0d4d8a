import * as assert from "uvu/assert";
import type { ParameterOverride } from "../../../../core/base/contracts/index.ts";
import { PluginError } from "../../../../plugins/protocol/index.ts";
import { createPlainHost, type PlainColumn, type PlainHost } from "../../../support/plainHost.ts";
import { failureOf, refusal } from "../../../support/refused.ts";
import { embedOf, override, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

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

suite("core/queries/parse/resolveParameter", (test) => {
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

  test("the value of a parameter is the token's override, or otherwise the default", async () => {
    const where = [is(city({ value: "Lille" }))];
    assert.is(await sum(where), 2);
    assert.is(await sum(where, { city: override("Ghent") }), 1);
    assert.is(await sum(where, { other: override("Ghent") }), 2);
    assert.is(await sum([is(city({ parameter: "city" }))], { city: override("Ghent") }), 1);
    assert.is(await sum([is(cities({ value: ["Lille", null] }), "? in ?")]), 6);
  });

  test("a caller who acts as a user gets the default value of a parameter", async () => {
    const find = { measures: [ref("km")], where: [is(city({ value: "Lille" }))] };
    assert.equal((await host.sendQuery(find)).data, [[2]]);
  });

  test("tests in `having` can use parameters", async () => {
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

  test("clearing a parameter removes its test, and any group that then contains no test", async () => {
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

  test("a parameter with an empty list matches no row, whatever the operator", async () => {
    const empty = { city: override([]) };
    assert.is(await sum([is(cities(), "? in ?")], empty), null);
    assert.is(await sum([is(cities(), "? not in ?")], empty), null);
    assert.is(await sum([{ or: [is(cities(), "? not in ?"), is("Ghent")] }], empty), 1);
  });

  test("a parameter without a value, of another type, or inside a list fails, and the error names its path", async () => {
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
      [
        is({ parameter: "n", type: "numeric", value: 5 }),
        /hierarchy, so the value must be a string/,
      ],
    ];
    for (const [condition, message] of cases)
      assert.match(
        (await refusal(host.sendQuery({ measures: [ref("km")], where: [condition] }))).message,
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

  test("an override never makes a filter match more rows, unless it clears the parameter", async () => {
    const all = await sum([]);
    const forms: readonly (readonly [string, ParameterOverride | undefined, unknown])[] = [
      ["none", undefined, 2],
      ["short", override("Ghent"), 1],
      ["sticky", override("Ghent", { sticky: true }), 1],
      ["sensitive", override("Ghent", { sensitive: true, sticky: true }), 1],
      ["a value that occurs nowhere", override("nowhere"), null],
      ["an empty string", override(""), null],
      ["clear", cleared, all],
      ["sticky clear", override(undefined, { clear: true, sticky: true }), all],
      ["a number", override(5), "MEMBER_INVALID"],
      ["a list", override(["Ghent"]), "MEMBER_INVALID"],
      ["an empty list", override([]), "MEMBER_INVALID"],
      ["an object", override({ value: "Ghent" }), "MEMBER_INVALID"],
      ["a truth", override(true), "MEMBER_INVALID"],
      ["null", override(null), "MEMBER_MISSING"],
      ["nothing", override(undefined), "MEMBER_MISSING"],
    ];
    const closed = (code: unknown) =>
      typeof code === "string" && code.startsWith("MEMBER") ? "ROWS_CLOSED" : code;
    for (const [form, given, expected] of forms) {
      const overrides = given ? { city: given } : {};
      const result = await sum([is(city({ value: "Lille" }))], overrides).catch(
        (failure: { code: string }) => failure.code,
      );
      assert.is(result, expected, form);
      const filters = [rowFilter("city", "? = ?", city({ value: "Lille" }))];
      const bound = embedOf({ filters, parameters: new Map(Object.entries(overrides)) });
      const narrowed = await host
        .askAs(bound, { measures: [ref("km")] })
        .then(({ data }) => data[0]?.[0])
        .catch((failure: { code: string }) => failure.code);
      assert.is(narrowed, closed(expected), form);
    }
  });

  test("a list in an override may contain only null and values of its type, and matches no row if empty", async () => {
    const forms: readonly (readonly [unknown, unknown])[] = [
      [["Ghent"], 1],
      [["Ghent", null], 5],
      [[null], 4],
      [["nowhere"], null],
      [[], null],
      ["Ghent", "MEMBER_INVALID"],
      [[5], "MEMBER_INVALID"],
      [[["Ghent"]], "MEMBER_INVALID"],
      [[undefined], "MEMBER_INVALID"],
      [Array.from({ length: 100_001 }, () => "Ghent"), "MEMBER_INVALID"],
    ];
    for (const [given, expected] of forms) {
      const overrides = { city: override(given, { sensitive: true }) };
      const result = await sum([is(cities({ value: ["Lille"] }), "? in ?")], overrides).catch(
        (failure: { code: string }) => failure.code,
      );
      assert.is(result, expected, JSON.stringify(given)?.slice(0, 50));
    }
  });

  test("the value of a sensitive parameter appears in no error of a failing plugin or of the host", async () => {
    const values = ["canary-1", "o'canary", "bird", "x7", 4711, "2024-01-31", 'qu"ote'];
    for (const value of values) {
      const at = new Date("2024-01-31").toISOString();
      const told = `bad filter ['${String(value)}', ${JSON.stringify(value)}, '${String(value).replaceAll("'", "''")}', ${at}]`;
      const failing = await createPlainHost({
        columns,
        rows,
        wrap: (plugin) => ({
          ...plugin,
          async query() {
            throw new PluginError("PLUGIN_SOURCE_FAILED", [told], { cause: new Error(told) });
          },
        }),
      });
      const find = { measures: [ref("km")] };
      const secret = embedOf({
        parameters: new Map([
          ["t", override([value, null], { sensitive: true })],
          ["open", override("bad filter")],
        ]),
      });
      const refused = await failureOf(failing.askAs(secret, find));
      const shown = [refused.message, refused.stack, refused.cause, refused.details].join("\n");
      for (const text of [String(value), value === "2024-01-31" ? at : String(value)])
        assert.not.ok(shown.includes(text), `${text} in ${refused.message}`);
      assert.match(refused.message, /bad filter/);
      assert.is(refused.code, "PLUGIN_SOURCE_FAILED");
      const open = embedOf({ parameters: new Map([["t", override(value)]]) });
      assert.ok((await refusal(failing.askAs(open, find))).message.includes(told));
    }
  });
});
