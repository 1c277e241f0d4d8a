import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import { defaultLimits } from "../../../../core/queries/limits.ts";
import { parseQueries, parseQuery } from "../../../../core/queries/parse/parseQuery.ts";
import type { ParsedQuery } from "../../../../core/queries/parsedQuery.ts";
import { suite } from "../../../support/suite.ts";

const km = { column_id: "km", dataset_id: "D" };
const city = { column_id: "city", dataset_id: "D" };

function parse(query: unknown, limits = defaultLimits): ParsedQuery {
  return parseQuery(query, "queries[0]", limits);
}

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (failure) {
    if (failure instanceof ApiError) return failure;
    throw failure;
  }
  throw new Error("nothing was refused");
}

suite("core/queries/parse/parseQuery", (test) => {
  test("a request with a single query and a request with a list of queries are parsed into the same queries", () => {
    const query = { measures: [km] };
    assert.equal(parseQueries(query, defaultLimits), {
      several: false,
      queries: [{ path: "", value: query, explain: false }],
    });
    assert.equal(parseQueries({ queries: [query] }, defaultLimits), {
      several: false,
      queries: [{ path: "queries[0]", value: query, explain: false }],
    });
    assert.ok(parseQueries({ queries: [query, query] }, defaultLimits).several);
  });

  test("a request without a query, or with too many queries, fails", () => {
    for (const find of [
      undefined,
      null,
      { queries: [] },
      { queries: "x" },
      { queries: [{}], other: 1 },
    ])
      assert.is(refusal(() => parseQueries(find, defaultLimits)).status, 400);
    const queries = Array.from({ length: 101 }, () => ({}));
    assert.match(
      refusal(() => parseQueries({ queries }, defaultLimits)).message,
      /at most 100 queries/,
    );
  });

  test("members without effect and neutral values that clients send are accepted", () => {
    const oracleQuery = parse({
      dimensions: [
        {
          ...city,
          level: null,
          lowestLevel: 5,
          discretization: { type: "none" },
          unnest: false,
          expression: null,
        },
      ],
      measures: [{ ...km, aggregation: null }],
      where: null,
      context: { chart_id: "c" },
      options: {
        locale_id: "fr",
        synchronized: true,
        aiSummary: false,
        timezone_id: "europe/brussels",
        rollup_data: null,
      },
    });
    assert.is(oracleQuery.timezoneId, "Europe/Brussels");
    assert.is(oracleQuery.rollup, true);
    assert.equal(oracleQuery.where, []);
  });

  test("a level is parsed into its name, and an aggregation may be a string or an object", () => {
    const oracleQuery = parse({
      dimensions: [
        { ...km, level: 1 },
        { ...km, level: 9 },
      ],
      measures: [
        { ...km, aggregation: "average" },
        { ...km, aggregation: { type: "count" } },
      ],
    });
    assert.equal(
      oracleQuery.dimensions.map((each) => each.level),
      ["year", "millisecond"],
    );
    assert.equal(
      oracleQuery.measures.map((each) => each.aggregation),
      ["average", "count"],
    );
  });

  test("operators may have any white space and letter case, and a nested list means AND", () => {
    const where = [
      { expression: "?=?", parameters: [km, 1] },
      { expression: " ?  NOT \t starts\n with ? ", parameters: [city, "G"] },
      [
        { expression: "? Is Not Null", parameters: [city] },
        { or: [{ expression: "? in ?", parameters: [city, ["a", null]] }] },
      ],
    ];
    const oracleQuery = parse({ measures: [km], where });
    const shape = JSON.stringify(oracleQuery.where, (member, value: unknown) =>
      member === "reference" || member === "path" ? undefined : value,
    );
    assert.is(
      shape,
      '[{"operator":"=","value":[1]},{"operator":"not starts with","value":["G"]},' +
        '{"and":[{"operator":"is not null"},{"or":[{"operator":"in","value":["a",null]}]}]}]',
    );
  });

  test("`options.paging` selects a page within the query's limit", () => {
    const limits = (limit: unknown, paging: unknown) =>
      parse({ measures: [km], limit, options: { paging } }).limit;
    assert.is(limits(undefined, undefined), undefined);
    assert.equal(limits({ by: 10 }, undefined), { by: 10, offset: 0 });
    assert.equal(limits(undefined, { by: 5, offset: 10 }), { by: 5, offset: 10 });
    assert.equal(limits({ by: 12, offset: 3 }, { by: 5, offset: 10 }), { by: 2, offset: 13 });
    assert.equal(limits({ by: 4 }, { by: 5, offset: 10 }), { by: 0, offset: 10 });
  });

  test("unknown and invalid members fail with 400, and the error names their path", () => {
    const where = (test: unknown) => ({
      measures: [km],
      where: [{ expression: "? = ?", parameters: [km, 1] }, test],
    });
    const cases: readonly (readonly [unknown, string, RegExp])[] = [
      ["x", "MEMBER_INVALID", /^queries\[0\] is not valid: it must be an object, not a string/],
      [{}, "MEMBER_MISSING", /^queries\[0\]\.dimensions is required/],
      [
        { measure: [] },
        "MEMBER_UNKNOWN",
        /^queries\[0\]\.measure is unknown; known members: dimensions, measures/,
      ],
      [{ dimensions: {} }, "MEMBER_INVALID", /^queries\[0\]\.dimensions.*a list, not an object/],
      [{ dimensions: ["km"] }, "MEMBER_INVALID", /^queries\[0\]\.dimensions\[0\].*not a string/],
      [
        { dimensions: [{ dataset_id: "D" }] },
        "MEMBER_MISSING",
        /^queries\[0\]\.dimensions\[0\]\.column_id/,
      ],
      [
        { dimensions: [{ column_id: 7, dataset_id: "D" }] },
        "MEMBER_INVALID",
        /dimensions\[0\]\.column_id.*not a number/,
      ],
      [
        { dimensions: [{ column_id: "km" }] },
        "MEMBER_MISSING",
        /dimensions\[0\]\.dataset_id is required: the id of the dataset/,
      ],
      [
        { dimensions: [{ dataset_id: "D", expression: "" }] },
        "MEMBER_MISSING",
        /dimensions\[0\]\.column_id is required: the id of a column; or send an expression/,
      ],
      [{ dimensions: [{ ...km, columnId: "x" }] }, "MEMBER_UNKNOWN", /dimensions\[0\]\.columnId/],
      [
        { dimensions: [{ ...km, level: 10 }] },
        "MEMBER_INVALID",
        /dimensions\[0\]\.level.*1 \(year\)/,
      ],
      [{ dimensions: [{ ...km, level: "year" }] }, "MEMBER_INVALID", /dimensions\[0\]\.level/],
      [
        { measures: [{ ...km, aggregation: "mean" }] },
        "MEMBER_INVALID",
        /measures\[0\]\.aggregation.*one of .*sum.*, not "mean"/,
      ],
      [
        { measures: [{ ...km, aggregation: { kind: "sum" } }] },
        "MEMBER_UNKNOWN",
        /aggregation\.kind/,
      ],
      [{ measures: [{ ...km, aggregation: { level: 1 } }] }, "MEMBER_MISSING", /aggregation\.type/],
      [
        { measures: [{ ...km, aggregation: { type: "sum", column_id: "w" } }] },
        "MEMBER_INVALID",
        /measures\[0\]\.aggregation\.column_id.*only corr and weightedaverage can have it, not sum/,
      ],
      [
        { measures: [{ ...km, aggregation: { type: "median", fraction: 0.5 } }] },
        "MEMBER_INVALID",
        /aggregation\.fraction.*only percentile can have it, not median/,
      ],
      [
        { measures: [{ ...km, aggregation: "percentile" }] },
        "MEMBER_MISSING",
        /measures\[0\]\.aggregation\.fraction/,
      ],
      [
        { measures: [{ ...km, aggregation: { type: "percentile", fraction: 95 } }] },
        "MEMBER_INVALID",
        /aggregation\.fraction.*from 0 to 1, not 95/,
      ],
      [
        { measures: [{ ...km, aggregation: { type: "weightedaverage", dataset_id: "D" } }] },
        "MEMBER_MISSING",
        /aggregation\.column_id/,
      ],
      [
        { measures: [{ ...km, aggregation: { type: "weightedaverage", column_id: "w" } }] },
        "MEMBER_MISSING",
        /aggregation\.dataset_id/,
      ],
      [
        {
          measures: [
            { ...km, aggregation: { type: "weightedaverage", dataset_id: "D", column_id: "*" } },
          ],
        },
        "MEMBER_INVALID",
        /measures\[0\]\.aggregation\.column_id.*a numeric column/,
      ],
      [
        { measures: [km], order: [{ ...km, order: "up" }] },
        "MEMBER_INVALID",
        /order\[0\]\.order.*asc or desc/,
      ],
      [{ measures: [km], limit: 5 }, "MEMBER_INVALID", /limit.*an object, not a number/],
      [{ measures: [km], limit: {} }, "MEMBER_MISSING", /limit\.by/],
      [{ measures: [km], limit: { by: -1 } }, "MEMBER_INVALID", /limit\.by.*whole number/],
      [{ measures: [km], limit: { by: 1.5 } }, "MEMBER_INVALID", /limit\.by/],
      [{ measures: [km], limit: { by: 1, offset: "1" } }, "MEMBER_INVALID", /limit\.offset/],
      [{ measures: [km], options: { timezone: "UTC" } }, "MEMBER_UNKNOWN", /options\.timezone /],
      [
        { measures: [km], options: { timezone_id: "Mars/Olympus" } },
        "MEMBER_INVALID",
        /options\.timezone_id.*IANA/,
      ],
      [
        { measures: [km], options: { timezone_id: "+01:00" } },
        "MEMBER_INVALID",
        /options\.timezone_id.*IANA/,
      ],
      [
        { measures: [km], options: { timezone_id: 1 } },
        "MEMBER_INVALID",
        /options\.timezone_id.*not a number/,
      ],
      [
        { measures: [km], options: { rollup_data: "no" } },
        "MEMBER_INVALID",
        /options\.rollup_data.*true or false/,
      ],
      [where(7), "MEMBER_INVALID", /where\[1\].*not a number/],
      [where({}), "MEMBER_INVALID", /where\[1\].*\{expression, parameters\}/],
      [where({ and: [], or: [] }), "MEMBER_INVALID", /where\[1\]/],
      [where({ or: [] }), "MEMBER_INVALID", /where\[1\].or.*at least one test/],
      [where({ not: [] }), "MEMBER_UNKNOWN", /where\[1\]\.not/],
      [
        where({ expression: "? ~ ?", parameters: [km, 1] }),
        "MEMBER_INVALID",
        /where\[1\]\.expression.*"\? ~ \?" is not a known test; the tests are: \? = \?/,
      ],
      [
        where({ expression: "= ?", parameters: [km, 1] }),
        "MEMBER_INVALID",
        /where\[1\]\.expression/,
      ],
      [
        where({ expression: "? =", parameters: [km, 1] }),
        "MEMBER_INVALID",
        /where\[1\]\.expression/,
      ],
      [where({ expression: "?", parameters: [km] }), "MEMBER_INVALID", /where\[1\]\.expression/],
      [
        where({ expression: "? is null ?", parameters: [km] }),
        "MEMBER_INVALID",
        /where\[1\]\.expression/,
      ],
      [where({ expression: "? = ?" }), "MEMBER_INVALID", /where\[1\]\.parameters/],
      [
        where({ expression: "? = ?", parameters: [km] }),
        "MEMBER_MISSING",
        /where\[1\]\.parameters\[1\]/,
      ],
      [
        where({ expression: "? = ?", parameters: [km, 1, 2] }),
        "MEMBER_INVALID",
        /where\[1\]\.parameters/,
      ],
      [
        where({ expression: "? = ?", parameters: [km, null] }),
        "MEMBER_INVALID",
        /parameters\[1\].*to test for null, use "\? is null"/,
      ],
      [
        where({ expression: "? = ?", parameters: [km, [1]] }),
        "MEMBER_INVALID",
        /parameters\[1\].*not a list/,
      ],
      [
        where({ expression: "? = ?", parameters: [km, true] }),
        "MEMBER_INVALID",
        /parameters\[1\].*not a boolean/,
      ],
      [
        where({ expression: "? = ?", parameters: [km, Number.POSITIVE_INFINITY] }),
        "MEMBER_INVALID",
        /parameters\[1\].*finite/,
      ],
      [
        where({ expression: "? in ?", parameters: [km, 1] }),
        "MEMBER_INVALID",
        /parameters\[1\].*must have a list/,
      ],
      [
        where({ expression: "? in ?", parameters: [km, [1, {}]] }),
        "MEMBER_INVALID",
        /parameters\[1\]\[1\]/,
      ],
      [
        where({ expression: "? between ?", parameters: [km, [1]] }),
        "MEMBER_INVALID",
        /parameters\[1\].*two values/,
      ],
      [
        where({ expression: "? is null", parameters: [km, 1] }),
        "MEMBER_INVALID",
        /parameters\[1\].*must have no value/,
      ],
    ];
    const relative = (expression: string, ...more: readonly unknown[]) =>
      where({ expression, parameters: [km, ...more] });
    const wrongRelatives: typeof cases = [
      [relative("ago"), "MEMBER_MISSING", /where\[1\]\.parameters\[1\]\.unit.*5 \(day\)/],
      [relative("ago", 5), "MEMBER_INVALID", /parameters\[1\].*an object, not a number/],
      [relative("ago", { unit: "day" }), "MEMBER_INVALID", /parameters\[1\]\.unit.*1 \(year\)/],
      [relative("ago", { unit: 5, n: 1 }), "MEMBER_UNKNOWN", /parameters\[1\]\.n /],
      [
        relative("ago", { unit: 5, quantity: 1.5 }),
        "MEMBER_INVALID",
        /parameters\[1\]\.quantity.*whole number/,
      ],
      [relative("ago", { unit: 5, quantity: 1e9 }), "MEMBER_INVALID", /quantity.*at most 1000000/],
      [relative("ago", { unit: 5 }, 1), "MEMBER_INVALID", /where\[1\]\.parameters.*unit, quantity/],
      [
        relative("a_while_ago", { unit: 5 }),
        "MEMBER_INVALID",
        /"a_while_ago" is not a known test; the tests are: .*last_now, last_available/,
      ],
    ];
    const bins = (discretization: unknown) => ({ dimensions: [{ ...km, discretization }] });
    const wrongBins: typeof cases = [
      [bins(10), "MEMBER_INVALID", /discretization.*an object, not a number/],
      [bins({ bins: 10 }), "MEMBER_MISSING", /discretization\.type/],
      [bins({ type: "log", bins: 1 }), "MEMBER_INVALID", /none or linear, not "log"/],
      [bins({ type: "linear" }), "MEMBER_INVALID", /either bins \(the number of bins\) or size/],
      [bins({ type: "linear", bins: 1, size: 1 }), "MEMBER_INVALID", /either bins .* not both/],
      [bins({ type: "linear", bins: 0 }), "MEMBER_INVALID", /bins.*from 1 to 10000/],
      [bins({ type: "linear", bins: 2.5 }), "MEMBER_INVALID", /bins.*whole number/],
      [bins({ type: "linear", size: 0 }), "MEMBER_INVALID", /width of bins must be above 0/],
      [bins({ type: "linear", size: "1" }), "MEMBER_INVALID", /size.*not a string/],
      [bins({ type: "linear", bins: 1, over: [2, 1] }), "MEMBER_INVALID", /over.*lower one first/],
      [bins({ type: "linear", bins: 1, over: 3 }), "MEMBER_INVALID", /over.*two numbers/],
      [
        bins({ type: "linear", bins: 1, over: [-1.7e308, 1.7e308] }),
        "MEMBER_INVALID",
        /over.*width of bins must be above 0/,
      ],
      [bins({ type: "linear", bins: 1, step: 1 }), "MEMBER_UNKNOWN", /discretization\.step/],
    ];
    for (const [query, code, message] of [...cases, ...wrongRelatives, ...wrongBins]) {
      const refused = refusal(() => parse(query));
      assert.match(refused.message, message);
      assert.is(refused.code, code, refused.message);
      assert.is(refused.status, 400);
      assert.match(refused.message, /queries\[0\]/);
    }
  });

  test("a member of the grammar that the host does not support fails with 400, and the error says that it is not supported", () => {
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [
        { dimensions: [{ ...km, discretization: { type: "powerset" } }] },
        /dimensions\[0\]\.discretization\.type.*powerset.*use linear/,
      ],
      [{ dimensions: [{ ...km, unnest: true }] }, /dimensions\[0\]\.unnest.*stored as strings/],
      [
        { measures: [{ ...km, aggregation: { type: "sum", unnest: true } }] },
        /measures\[0\]\.aggregation\.unnest/,
      ],
      ...["rate", "histogram"].map(
        (type) =>
          [
            { measures: [{ ...km, aggregation: { type } }] },
            new RegExp(`aggregation\\.type.*${type}; the aggregations are: sum, .*cumulativesum`),
          ] as const,
      ),
    ];
    for (const [query, message] of cases) {
      const refused = refusal(() => parse(query));
      assert.match(refused.message, message);
      assert.is(refused.code, "QUERY_NOT_SERVED", refused.message);
    }
  });

  test("exceeding a limit fails with 400, and the message names the limit", () => {
    const limits = {
      ...defaultLimits,
      columnCount: 2,
      listLength: 3,
      filterDepth: 2,
      filterCount: 2,
    };
    const one = { expression: "? = ?", parameters: [km, 1] };
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [{ dimensions: [km, km], measures: [km] }, /at most 2 columns/],
      [{ measures: [km], order: [km, km, km] }, /order.*at most 2/],
      [
        { measures: [km], where: [{ expression: "? in ?", parameters: [km, [1, 2, 3, 4]] }] },
        /at most 3 values/,
      ],
      [{ measures: [km], where: [[[[one]]]] }, /where\[0\]\[0\]\[0\].*at most 2 levels/],
      [
        { measures: [km], having: [{ and: [{ or: [{ and: [one] }] }] }] },
        /having.*at most 2 levels/,
      ],
      [{ measures: [km], where: [one, one, one] }, /where.*at most 2 tests/],
    ];
    for (const [query, message] of cases)
      assert.match(refusal(() => parse(query, limits)).message, message);
    const deep = JSON.parse("[".repeat(5_000) + "]".repeat(5_000)) as unknown;
    assert.match(
      refusal(() => parse({ measures: [km], where: deep })).message,
      /at most 32 levels/,
    );
  });

  test("members that every JavaScript object has, such as constructor, are refused as unknown", () => {
    const query = JSON.parse('{"measures": [], "__proto__": {"x": 1}}') as unknown;
    assert.is(refusal(() => parse(query)).code, "MEMBER_UNKNOWN");
    for (const name of ["constructor", "toString", "__proto__"]) {
      assert.is(
        refusal(() => parse({ measures: [{ ...km, aggregation: name }] })).code,
        "MEMBER_INVALID",
      );
      assert.is(
        refusal(() => parse({ measures: [km], where: [{ expression: name, parameters: [km] }] }))
          .code,
        "MEMBER_INVALID",
      );
    }
  });
});
