import * as assert from "uvu/assert";
import {
  bindExpression,
  bindTest,
  type BoundColumnValue,
  type ExpressionSource,
} from "../../../engine/expressions/bindExpression.ts";
import type {
  BoundCode,
  BoundTest,
  BoundText,
  BoundValue,
} from "../../../engine/expressions/boundValue.ts";
import { RowEvaluator } from "../../../engine/expressions/rowEvaluator.ts";
import { vectorFunction } from "../../../engine/expressions/scalarFunctions.ts";
import { EngineError } from "../../../engine/errors.ts";
import { findRows, indexRows } from "../../../engine/joins/rowIndex.ts";
import { floorPeriods } from "../../../engine/time/periodFloor.ts";
import { readZone } from "../../../engine/time/zone.ts";
import type { Expression, Predicate, Scalar } from "../../../engine/index.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { makePlan } from "../randomPlan.ts";
import { makeRows, makeTables, type RandomTable } from "../randomTables.ts";
import { referenceAnswer, type Row, type Tables } from "../referenceEngine.ts";

/** The values of a table's column in the form of vectors: numbers, or stored codes. */
type PlainColumn = Float64Array;

const column = (name: string, join?: string): Expression => ({
  kind: "column",
  name,
  ...(join !== undefined && { join }),
});
const call = (name: string, ...of: readonly Expression[]): Expression => ({
  kind: "call",
  function: name,
  of,
});
const text = (value: string | null): Expression => ({ kind: "literal", type: "text", value });
const number = (value: number | null): Expression => ({ kind: "literal", type: "number", value });

/**
 * Returns a source of bound columns for the table `t` and its joins. Joined columns are looked up by code if the join
 * compares strings, and by row if it compares numbers.
 */
function createSource(tables: readonly RandomTable[], rows: Tables) {
  const columns: PlainColumn[] = [];
  const textsOf = (table: string, name: string) => [
    ...new Set(rows[table].flatMap((row) => (typeof row[name] === "string" ? [row[name]] : []))),
  ];
  const codesOf = (texts: readonly string[], values: readonly Scalar[]) =>
    Uint32Array.from(values, (value) => (value === null ? 0 : texts.indexOf(String(value)) + 1));
  const typeOf = (table: string, name: string) => {
    const found = tables.find((each) => each.name === table)?.columns;
    const type = found?.find((each) => each.name === name)?.type;
    if (!type) throw new EngineError("COLUMN_UNKNOWN", [table, name]);
    return type;
  };
  const own = (name: string): BoundColumnValue => {
    const type = typeOf("t", name);
    const values = rows["t"].map((row) => row[name]);
    if (type !== "text") {
      const vector = Float64Array.from(values, (value) => Number(value ?? NaN));
      return { type, of: { kind: "column", column: columns.push(vector) - 1 } };
    }
    const texts = textsOf("t", name);
    const codes = Float64Array.from(codesOf(texts, values));
    const code: BoundCode = { kind: "byCode", column: columns.push(codes) - 1 };
    return { type, of: { kind: "text", texts, textCount: texts.length, code } };
  };
  /** Returns a column of a joined table, looked up by the left column's code or by the row of its number. */
  const joined = (table: string, left: string, name: string): BoundColumnValue => {
    const type = typeOf(table, name);
    const from = own(left);
    const values = rows[table].map((row) => row[name]);
    if (from.type !== "text") {
      const keys = Float64Array.from(rows[table], (row) => Number(row["id"] ?? NaN));
      const index = indexRows(keys, { table, name: "id", type: from.type });
      const of: BoundValue = { kind: "rowOf", of: from.of, index };
      if (type !== "text")
        return {
          type,
          of: {
            kind: "byNumber",
            of,
            base: 1,
            values: Float64Array.from([null, ...values], (value) => Number(value ?? NaN)),
          },
        };
      const texts = textsOf(table, name);
      const code: BoundCode = {
        kind: "byNumber",
        of,
        base: 1,
        codes: codesOf(texts, [null, ...values]),
      };
      return { type, of: { kind: "text", texts, textCount: texts.length, code } };
    }
    const { texts: lefts, code } = from.of;
    if (code.kind !== "byCode")
      throw new Error("a column of the table itself must have stored codes");
    const found = [null, ...lefts].map((key) =>
      key === null ? undefined : rows[table].find((row) => row["id"] === key),
    );
    const cells = found.map((row) => row?.[name] ?? null);
    if (type !== "text")
      return {
        type,
        of: {
          kind: "byCode",
          column: code.column,
          values: Float64Array.from(cells, (value) => Number(value ?? NaN)),
        },
      };
    const texts = textsOf(table, name);
    return {
      type,
      of: {
        kind: "text",
        texts,
        textCount: texts.length,
        code: { kind: "byCode", column: code.column, codes: codesOf(texts, cells) },
      },
    };
  };
  const source: ExpressionSource = {
    column: (name, join) =>
      join === undefined
        ? own(name)
        : joined(
            ...({
              c: ["cities", "city"],
              p: ["people", "personId"],
              a: ["accounts", "accountId"],
              d: ["days", "day"],
            }[join] as [string, string]),
            name,
          ),
    floor: (_, period, timezone) => ({ kind: "zone", zone: readZone(timezone), period }),
  };
  return { source, columns };
}

/** Returns a function that evaluates a bound expression row by row, without any optimization. */
function createReader(columns: readonly PlainColumn[], rowCount: number) {
  const each = (make: (row: number) => number) =>
    Float64Array.from({ length: rowCount }, (_, row) => make(row));
  const numbers = (of: BoundValue): Float64Array => {
    switch (of.kind) {
      case "column":
        return columns[of.column];
      case "literal":
        return each(() => of.value);
      case "byCode":
        return each((row) => of.values[columns[of.column][row]]);
      case "byNumber": {
        const from = numbers(of.of);
        return each((row) => of.values[from[row] - of.base + 1] ?? of.values[0]);
      }
      case "rowOf": {
        const found = new Uint32Array(rowCount);
        findRows(of.index, numbers(of.of), found);
        return each((row) => found[row] || NaN);
      }
      case "period": {
        const starts = new Float64Array(rowCount);
        floorPeriods(of.floor, numbers(of.of), rowCount, starts);
        return starts;
      }
      case "bin": {
        const from = numbers(of.of);
        return each((row) => of.origin + Math.floor((from[row] - of.origin) / of.width) * of.width);
      }
      case "case": {
        const branches = of.branches.map(({ when, then }) => [test(when), numbers(then)] as const);
        const rest = numbers(of.otherwise);
        return each((row) => (branches.find(([when]) => when[row])?.[1] ?? rest)[row]);
      }
      case "call": {
        const out = new Float64Array(rowCount);
        vectorFunction(of.function, of.literals)(of.of.map(numbers), rowCount, out);
        return out;
      }
      case "rows": {
        const out = new Float64Array(rowCount);
        new RowEvaluator(of, () => undefined).writeNumbers(
          of.inputs.map((input) => vector(input.of)),
          rowCount,
          out,
        );
        return out;
      }
    }
  };
  const vector = (of: BoundValue | BoundText) =>
    of.kind === "text" ? codes(of.code) : numbers(of);
  const codes = (code: BoundCode): Float64Array => {
    switch (code.kind) {
      case "code":
        return each(() => code.code);
      case "byCode":
        return each((row) => {
          const own = columns[code.column][row];
          return code.codes ? code.codes[own] : own;
        });
      case "byNumber": {
        const from = numbers(code.of);
        return each((row) => code.codes[from[row] - code.base + 1] ?? code.codes[0]);
      }
      case "case": {
        const branches = code.branches.map(({ when, then }) => [test(when), codes(then)] as const);
        const rest = codes(code.otherwise);
        return each((row) => (branches.find(([when]) => when[row])?.[1] ?? rest)[row]);
      }
    }
  };
  const test = (bound: BoundTest): boolean[] => {
    const rows = (make: (row: number) => boolean) =>
      Array.from({ length: rowCount }, (_, row) => make(row));
    switch (bound.kind) {
      case "and": {
        const parts = bound.of.map(test);
        return rows((row) => parts.every((part) => part[row]));
      }
      case "or": {
        const parts = bound.of.map(test);
        return rows((row) => parts.some((part) => part[row]));
      }
      case "not": {
        const part = test(bound.of);
        return rows((row) => !part[row]);
      }
      case "lookup":
        return rows((row) => bound.passes[columns[bound.column][row]] === 1);
      case "lookupNumber": {
        const from = numbers(bound.of);
        return rows((row) => (bound.passes[from[row] - bound.base + 1] ?? bound.passes[0]) === 1);
      }
      case "isNull": {
        const from = numbers(bound.left);
        return rows((row) => Number.isNaN(from[row]));
      }
      case "in": {
        const from = numbers(bound.left);
        return rows((row) => bound.values.has(from[row]));
      }
      case "compare": {
        const from = numbers(bound.left);
        const { operator, value } = bound;
        return rows((row) => {
          const left = from[row];
          if (operator === "=") return left === value;
          if (operator === "<") return left < value;
          if (operator === "<=") return left <= value;
          return operator === ">" ? left > value : left >= value;
        });
      }
    }
  };
  /** Returns the values of an expression as cells. */
  const cells = (of: BoundValue | BoundText, type: string): Scalar[] => {
    if (of.kind === "text")
      return [...codes(of.code)].map((code) => (code === 0 ? null : of.texts[code - 1]));
    if (of.kind === "rows" && type === "text") {
      const evaluator = new RowEvaluator(of, () => undefined);
      const out = new Uint32Array(rowCount);
      evaluator.writeCodes(
        of.inputs.map((input) => vector(input.of)),
        rowCount,
        out,
      );
      return [...out].map((code) => (code === 0 ? null : evaluator.texts[code - 1]));
    }
    return [...numbers(of as BoundValue)].map((value) => (Number.isNaN(value) ? null : value));
  };
  return { cells, test };
}

const plain = (cells: readonly Scalar[]) => cells.map((cell) => (cell === 0 ? 0 : cell));

const tables = makeTables({ wordCount: 30, hasExtremes: true });
const joins = makePlanJoins();

function makePlanJoins() {
  const from = (name: string, table: string, left: string) => ({
    name,
    table,
    left: { name: left },
    right: "id",
  });
  return [
    from("c", "cities", "city"),
    from("p", "people", "personId"),
    from("a", "accounts", "accountId"),
    from("d", "days", "day"),
  ];
}

/** Binds and evaluates an expression over rows, and compares the result with the row-at-a-time engine. */
function check(of: Expression, rows: Tables, label = JSON.stringify(of)): BoundValue | BoundText {
  const { source, columns } = createSource(tables, rows);
  const bound = bindExpression(of, source);
  const reader = createReader(columns, rows["t"].length);
  const expected = referenceAnswer(
    { table: "t", joins, grouped: false, outputs: [{ kind: "key", of }] },
    rows["t"],
    rows,
  );
  assert.equal(
    plain(reader.cells(bound.of, bound.type)),
    plain(expected.map(([cell]) => cell)),
    label,
  );
  return bound.of;
}

function checkFilter(filter: Predicate, rows: Tables): void {
  const { source, columns } = createSource(tables, rows);
  const passes = createReader(columns, rows["t"].length).test(bindTest(filter, source));
  const expected = referenceAnswer(
    { table: "t", joins, grouped: false, filter, outputs: [{ kind: "key", of: column("serial") }] },
    rows["t"],
    rows,
  );
  const found = rows["t"].flatMap((row: Row, index) => (passes[index] ? [row["serial"]] : []));
  assert.equal(
    found,
    expected.map(([cell]) => cell),
    JSON.stringify(filter),
  );
}

suite("engine/expressions/bindExpression", (test) => {
  test("random expressions and tests return the same results as the row-at-a-time engine", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const forms = new Set<string>();
      for (const rowCount of [1, 60])
        for (let round = 0; round < rounds({ quick: 25, deep: 300 }); round++) {
          const rows = makeRows(random, tables, rowCount);
          const plan = makePlan(random, { tables, isSql: false });
          if (JSON.stringify(plan).includes('"join":"r"')) continue;
          for (const output of plan.outputs) if (output.of) forms.add(check(output.of, rows).kind);
          if (plan.filter) checkFilter(plan.filter, rows);
        }
      for (const form of ["column", "byCode", "period", "bin", "case", "call", "rows", "text"])
        assert.ok(forms.has(form), form);
    });
  });

  test("an expression over one text column is computed once per string", () => {
    const rows = makeRows(createRandom(1), tables, 50);
    const length = call("length", call("upper", column("city")));
    assert.is(check(length, rows).kind, "byCode");
    const parsed = call("parseDate", column("city"), text("%d.%m.%Y"));
    assert.is(check(parsed, rows).kind, "byCode");
    const amount = call("parseNumber", column("city"), text(","), text("."));
    assert.is(check(amount, rows).kind, "byCode");
    assert.is(check(call("upper", call("concat", column("city"), text("!"))), rows).kind, "text");
    assert.is(check(call("add", length, column("small")), rows).kind, "call");
    const region = call("coalesce", column("region", "c"), text("none"));
    assert.is(check(region, rows).kind, "text");
    assert.is(check(call("length", column("name", "p")), rows).kind, "byNumber");
    assert.is(
      check(call("length", call("coalesce", column("name", "p"), text("nobody"))), rows).kind,
      "byNumber",
    );
    assert.is(check(call("coalesce", column("name", "p"), text("nobody")), rows).kind, "text");
  });

  test("an expression that chooses between strings gets one dictionary before any row is read", () => {
    const rows = makeRows(createRandom(2), tables, 50);
    const when: Predicate = { kind: "compare", left: column("small"), operator: ">", value: 0 };
    const choice: Expression = {
      kind: "case",
      branches: [
        { when, then: column("city") },
        { when: { kind: "isNull", left: column("small") }, then: text("Gent") },
      ],
      otherwise: call("lower", column("word")),
    };
    const bound = check(choice, rows);
    assert.ok(bound.kind === "text" && new Set(bound.texts).size === bound.texts.length);
    assert.is(
      check(call("coalesce", column("city"), column("word"), text("-")), rows).kind,
      "text",
    );
    assert.is(check(call("concat", column("city"), column("word")), rows).kind, "rows");
    checkFilter({ kind: "match", left: choice, match: "contains", text: "W1" }, rows);
    checkFilter(
      {
        kind: "compare",
        left: call("concat", column("city"), column("word")),
        operator: ">",
        value: "Gent",
      },
      rows,
    );
  });

  test("constants are computed when the expression is bound", () => {
    const rows = makeRows(createRandom(3), tables, 3);
    assert.equal(check(call("add", number(1), number(2)), rows), { kind: "literal", value: 3 });
    const upper = check(call("upper", text("a")), rows);
    assert.ok(upper.kind === "text" && upper.texts[0] === "A");
    check(text(null), rows);
    check(number(null), rows);
    check(call("divide", number(1), number(0)), rows);
  });

  test("the error for an invalid expression names the fault", () => {
    const rows = makeRows(createRandom(4), tables, 3);
    const { source } = createSource(tables, rows);
    const refusals: readonly (readonly [Expression, string, RegExp])[] = [
      [call("nothing"), "QUERY_PLAN", /no function nothing/],
      [call("constructor"), "QUERY_PLAN", /no function constructor/],
      [call("add", number(1)), "QUERY_PLAN", /add takes 2 arguments, not 1/],
      [call("abs", number(1), number(1)), "QUERY_PLAN", /abs takes 1 arguments, not 2/],
      [call("concat"), "QUERY_PLAN", /concat takes 2 or more arguments/],
      [
        call("add", number(1), column("city")),
        "COLUMN_TYPE",
        /column city contains text, not number/,
      ],
      [call("least", number(1), text("a")), "COLUMN_TYPE", /text, not number/],
      [
        call("dateTrunc", text("fortnight"), column("when"), text("UTC")),
        "QUERY_PLAN",
        /no period "fortnight"/,
      ],
      [
        call("dateTrunc", column("city"), column("when"), text("UTC")),
        "QUERY_PLAN",
        /period of a function must be a literal/,
      ],
      [call("dateOf", column("when"), text("Mars/Base")), "QUERY_PLAN", /time zone "Mars\/Base"/],
      [
        call("formatDate", column("when"), text("yyyy QQ"), text("UTC")),
        "QUERY_PLAN",
        /no pattern/,
      ],
      [call("parseDate", column("city"), text("%q")), "QUERY_PLAN", /no dateFormat "%q"/],
      [
        call("parseNumber", column("city"), text(";"), text("")),
        "QUERY_PLAN",
        /no decimalMark ";"/,
      ],
      [column("nowhere"), "COLUMN_UNKNOWN", /nowhere/],
      [{ kind: "literal", type: "number", value: "x" }, "COLUMN_TYPE", /text/],
      [{ kind: "literal", type: "number", value: Infinity }, "QUERY_PLAN", /Infinity/],
      [
        { kind: "period", of: column("small"), period: "day", timezone: "UTC" },
        "COLUMN_TYPE",
        /small/,
      ],
      [
        { kind: "period", of: column("when"), period: "eon" as "day", timezone: "UTC" },
        "QUERY_PLAN",
        /eon/,
      ],
      [
        { kind: "bin", of: column("small"), width: 0, origin: 0 },
        "QUERY_PLAN",
        /width of a bin must be .* not 0/,
      ],
      [
        { kind: "bin", of: column("small"), width: 1, origin: NaN },
        "QUERY_PLAN",
        /origin of bins must be .* not NaN/,
      ],
      [{ kind: "case", branches: [] }, "QUERY_PLAN", /at least one branch/],
      [{ kind: "sum" } as unknown as Expression, "QUERY_PLAN", /no expression of the kind sum/],
    ];
    for (const [expression, code, message] of refusals) {
      let found: unknown;
      try {
        bindExpression(expression, source);
      } catch (error) {
        found = error;
      }
      assert.ok(found instanceof EngineError, JSON.stringify(expression));
      assert.is(found.code, code, found.message);
      assert.match(found.message, message);
    }
    const left = column("city");
    for (const [predicate, message] of [
      [{ kind: "compare", left, operator: "=", value: null }, /use isNull/],
      [{ kind: "match", left, match: "contains", text: null }, /use isNull/],
      [{ kind: "match", left, match: "like", text: "x" }, /no match like/],
      [
        { kind: "match", left: column("small"), match: "contains", text: "x" },
        /small contains number/,
      ],
      [{ kind: "compare", left, operator: "!=", value: "x" }, /no comparison operator !=/],
      [{ kind: "compare", left, operator: "=", value: 1 }, /city contains text, not number/],
      [
        { kind: "in", left: column("small"), values: [NaN] },
        /small must be compared with a finite number, not NaN/,
      ],
      [{ kind: "xor", of: [] }, /no predicate of the kind xor/],
    ] as const)
      assert.throws(() => bindTest(predicate as unknown as Predicate, source), message);
    const deep = (levels: number) => {
      let expression = column("small");
      for (let level = 0; level < levels; level++) expression = call("abs", expression);
      return expression;
    };
    assert.throws(() => bindExpression(deep(600), source), /at most 500 levels/);
    let test: Predicate = { kind: "isNull", left: column("small") };
    for (let level = 0; level < 100_000; level++) test = { kind: "not", of: test };
    assert.throws(() => bindTest(test, source), /at most 500 levels/);
  });
});
