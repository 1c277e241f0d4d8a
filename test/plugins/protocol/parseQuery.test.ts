import * as assert from "uvu/assert";
import { parseQuery, PluginError } from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

const options = { pushdown: true };
const derived = (expression: unknown) => ({
  id: "d",
  derived: [{ id: "x", type: "numeric", expression }],
  columns: [{ column_id: "x" }],
  filters: [],
  options,
});
const literal = { kind: "literal", type: "numeric", value: 1 };
const negate = (of: unknown) => ({ kind: "call", function: "negate", args: [of] });

suite("plugins/protocol/parseQuery", (test) => {
  test("derived columns, bins, fractions and weights of a query are read as they were sent", () => {
    const query = {
      ...derived({
        kind: "call",
        function: "add",
        args: [literal, { kind: "column", column_id: "n" }],
      }),
      columns: [
        { column_id: "x", bin: { width: 10, origin: -5 } },
        { column_id: "x", aggregation: "percentile", fraction: 0.95 },
        { column_id: "x", aggregation: "weightedaverage", weight: "n" },
      ],
    };
    assert.equal(parseQuery(JSON.parse(JSON.stringify(query))), query);
  });

  const joined = (...columns: readonly string[]) => ({
    id: "e",
    left: "city",
    right: "name",
    columns: columns.map((id) => ({ id, column_id: "n", type: "numeric" })),
  });

  test("the joins of a query are read as they were sent, even if one starts from a column of an earlier join", () => {
    const twice = { id: "twice", type: "numeric", expression: negate(literal) };
    const filters = [{ or: [{ column_id: "twice", expression: "=", value: [1] }] }];
    const joins = [
      { ...joined("e.n"), derived: [twice], filters },
      { ...joined("f.n"), left: "e.n", filters: [] },
    ];
    const query = { ...derived(literal), joins };
    assert.equal(parseQuery(JSON.parse(JSON.stringify(query))), query);
  });

  test("a query fails if joined columns repeat an id or a join starts from a column that does not exist yet", () => {
    const malformed = (joins: unknown) => {
      try {
        parseQuery({ ...derived(literal), joins });
      } catch (failure) {
        if (failure instanceof PluginError && failure.code === "PLUGIN_MALFORMED")
          return failure.message;
        throw failure;
      }
      return "nothing was refused";
    };
    assert.match(malformed([joined("a"), joined("a")]), /have the id "a"; ids must be distinct/);
    assert.match(malformed([joined("x")]), /have the id "x"; ids must be distinct/);
    assert.match(malformed([{ ...joined("a"), left: "a" }]), /joins\/0\/left must be .*, not "a"/);
    assert.match(malformed([{ ...joined("a"), left: "b" }, joined("b")]), /of an earlier join/);
    assert.match(malformed([{ ...joined("a"), left: "x" }]), /joins\/0\/left must be .*, not "x"/);
    assert.match(malformed([{ ...joined("a"), right: undefined }]), /malformed/);
    assert.match(malformed({}), /malformed/);
    const twice = [literal, literal].map((expression) => ({
      id: "d",
      type: "numeric",
      expression,
    }));
    assert.match(
      malformed([{ ...joined("a"), derived: twice }]),
      /have the id "d"; ids must be distinct/,
    );
    assert.match(malformed([{ ...joined("a"), filters: {} }]), /malformed/);
    let deep: unknown = { column_id: "n", expression: "is null" };
    for (let level = 0; level < 5_000; level++) deep = { and: [deep] };
    assert.match(malformed([{ ...joined("a"), filters: [deep] }]), /nested deeper than 64 levels/);
    let expression: unknown = literal;
    for (let level = 0; level < 5_000; level++) expression = negate(expression);
    const own = [{ id: "d", type: "numeric", expression }];
    assert.match(malformed([{ ...joined("a"), derived: own }]), /nested deeper than 250 levels/);
  });

  test("a query that violates the protocol fails with PLUGIN_MALFORMED", () => {
    let deep: unknown = literal;
    for (let level = 0; level < 5_000; level++) deep = negate(deep);
    const column = (more: object) => ({
      ...derived(literal),
      columns: [{ column_id: "x", ...more }],
    });
    const wrong = [
      derived(undefined),
      derived({ kind: "column" }),
      derived({ kind: "call", function: "now", args: [] }),
      derived({ kind: "call", function: "constructor", args: [] }),
      derived({ kind: "call", function: "negate", args: "n" }),
      derived(negate({ kind: "literal", type: "number", value: 1 })),
      derived(deep),
      { ...derived(literal), derived: "x" },
      { ...derived(literal), derived: [{ id: "x", type: "boolean", expression: literal }] },
      column({ bin: { width: 0, origin: 0 } }),
      column({ bin: { width: 1 } }),
      column({ aggregation: "percentile", fraction: 1.5 }),
      column({ aggregation: "mode" }),
      column({ aggregation: "weightedaverage", weight: 1 }),
    ];
    for (const body of wrong) {
      try {
        parseQuery(body);
        assert.unreachable(JSON.stringify(body).slice(0, 200));
      } catch (failure) {
        assert.instance(failure, PluginError);
        assert.is((failure as PluginError).code, "PLUGIN_MALFORMED");
      }
    }
  });
});
