import * as assert from "uvu/assert";
import { applyFunction } from "../../../plugins/meanings/evaluate.ts";
import type { Value } from "../../../plugins/meanings/value.ts";
import {
  functionDefinitions,
  functions,
  type FunctionDefinition,
  type FunctionName,
} from "../../../plugins/protocol/index.ts";
import { compareText } from "../../../engine/column/texts/compareText.ts";
import { dateParts } from "../../../engine/expressions/datetimeFunctions.ts";
import type { Cell, Parameter } from "../../../engine/expressions/scalarFunction.ts";
import {
  callRow,
  scalarFunctions,
  vectorFunction,
} from "../../../engine/expressions/scalarFunctions.ts";
import { periods, type DataType } from "../../../engine/types.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";

/** Functions of the protocol that plans express as a `case` or a predicate. */
const elsewhere = [
  "and",
  "or",
  "not",
  "isNull",
  "equal",
  "less",
  "lessOrEqual",
  "greater",
  "greaterOrEqual",
  "between",
  "in",
  "case",
  "switch",
];

const zones = [
  "UTC",
  "Europe/Brussels",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "Pacific/Apia",
];
const dateFormats = ["%Y", "%Y-%m-%d", "%d.%m.%Y %H:%M", "%Y-%m-%dT%H:%M:%S.%L%Z"];
const patterns = ["yyyy-MM-dd", "HH:mm:ss.SSS", "dd/MM yyyy", ""];
const texts = [
  "",
  " a ",
  "Gent",
  "GENT",
  "ß",
  "\u{1F600}x\uFF5E",
  "a,b,,c",
  "12",
  " -0.5e3 ",
  "1e400",
  "0x10",
  "2024-02-29",
  "2023-02-29",
  "2024-01-31T12:30:00.123Z",
  "2024-01-31 23:30+02:00",
  "-000001-01-01",
  "\u2003wide\u00A0",
  "na",
  ".*",
];
const numbers = [
  0,
  -0,
  1,
  -1,
  2,
  3,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  1.005,
  22,
  23,
  -3,
  1e15,
  1e21,
  1e300,
  -1e300,
  1e-300,
  2 ** 53,
  100_001,
  7.9,
];
const instants = [0, -1, 8.64e15, -8.64e15, 951_782_400_000, 1_711_846_800_000, 1_729_990_800_000];

function makeNumber(random: Random): number {
  if (random.chance(0.5)) return random.pick(numbers);
  return random.chance(0.5) ? random.below(40) - 15 : (random.below(2 ** 30) - 2 ** 29) / 1000;
}

function makeInstant(random: Random): number {
  if (random.chance(0.2)) return random.pick(instants);
  return Date.UTC(1880, 0, 1) + Math.floor((random.below(2 ** 30) / 2 ** 30) * 7.5e12);
}

function makeText(random: Random): string {
  if (random.chance(0.7)) return random.pick(texts);
  return Array.from({ length: random.below(6) }, () =>
    random.pick(["a", "B", "\u{1F600}", " ", "é"]),
  ).join("");
}

type ArgumentType = DataType | "boolean";
type Made = { readonly type: ArgumentType; readonly value: Value; readonly isLiteral: boolean };

function makeArgument(random: Random, parameter: Parameter, any: ArgumentType): Made {
  if (parameter === "period") return { type: "text", value: random.pick(periods), isLiteral: true };
  if (parameter === "part") return { type: "text", value: random.pick(dateParts), isLiteral: true };
  if (parameter === "zone") return { type: "text", value: random.pick(zones), isLiteral: true };
  if (parameter === "pattern")
    return { type: "text", value: random.pick(patterns), isLiteral: true };
  if (parameter === "dateFormat")
    return { type: "text", value: random.pick(dateFormats), isLiteral: true };
  if (parameter === "decimalMark")
    return { type: "text", value: random.pick([".", ","]), isLiteral: true };
  if (parameter === "thousandsMark")
    return { type: "text", value: random.pick(["", ",", ".", " ", "'"]), isLiteral: true };
  const type = parameter === "T" ? any : parameter;
  const make = { number: makeNumber, datetime: makeInstant, text: makeText, boolean: makeText };
  return { type, value: random.chance(0.06) ? null : make[type](random), isLiteral: false };
}

const toCell = ({ type, value }: Made): Cell =>
  typeof value === "boolean" ? null : (value ?? (type === "text" ? null : NaN));

/** Returns the result that the expression language computes, as a cell. */
function expectedOf(name: string, made: readonly Made[], type: ArgumentType): Cell {
  if (name === "compare") {
    const [left, right] = made.map(({ value }) => value);
    if (left === null || right === null) return NaN;
    if (typeof left === "string") return Math.sign(compareText(left, String(right)));
    return Number(left) < Number(right) ? -1 : Number(left) > Number(right) ? 1 : 0;
  }
  const isTest = ["contains", "startsWith", "endsWith"].includes(name);
  if (isTest && made.some(({ value }) => value === null)) return NaN;
  const value = applyFunction(
    name as FunctionName,
    made.map((each) => each.value),
  );
  if (typeof value === "boolean") return value ? 1 : 0;
  return value ?? (type === "text" ? null : NaN);
}

function makeCall(random: Random, name: string) {
  const { parameters, repeated, result } = scalarFunctions[name];
  const any = random.pick(["number", "datetime", "text"] as const);
  const made = parameters.map((parameter) => makeArgument(random, parameter, any));
  if (repeated)
    for (let more = random.below(3); more > 0; more--)
      made.push(makeArgument(random, repeated, any));
  return { made, type: result === "T" ? any : result };
}

/** Calls a function with the values of a single row. */
const rowOf = (name: string, literals: readonly string[], cells: readonly Cell[]) =>
  callRow(
    name,
    literals,
    cells.map((cell) => () => cell),
  )();

/** Returns the engine's name of a type. The engine represents booleans as numbers. */
const engineType = (type: string): string =>
  ({ numeric: "number", boolean: "number", hierarchy: "text" })[type] ?? type;

const shown = (cell: Cell) => (cell === 0 ? 0 : cell);

suite("engine/expressions/scalarFunctions", (test) => {
  test("scalar functions have the names and parameters of the protocol", () => {
    const known = Object.keys(scalarFunctions).filter((name) => name !== "compare");
    const protocol = functions.filter((name) => !elsewhere.includes(name));
    assert.equal(known.toSorted(), protocol.toSorted());
    for (const name of known) {
      const { parameters, repeated, result } = scalarFunctions[name];
      const theirs: FunctionDefinition = functionDefinitions[name as FunctionName];
      assert.equal(parameters, theirs.parameters.map(engineType), name);
      assert.equal(repeated ? [repeated] : undefined, theirs.repeated?.map(engineType), name);
      assert.is(engineType(theirs.result), result, name);
    }
  });

  for (const name of Object.keys(scalarFunctions))
    test(`${name} returns the result that the language of expressions defines`, async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        for (let round = 0; round < rounds({ quick: 8, deep: 400, soak: 2000 }); round++) {
          const { made, type } = makeCall(random, name);
          const literals = made
            .filter(({ isLiteral }) => isLiteral)
            .map(({ value }) => String(value));
          const cells = made.filter(({ isLiteral }) => !isLiteral).map(toCell);
          const label = `${name}(${made.map(({ value }) => JSON.stringify(value)).join(", ")})`;
          const found = rowOf(name, literals, cells);
          const expected = expectedOf(name, made, type);
          assert.ok(
            Object.is(shown(found), shown(expected)),
            `${label} is ${String(found)}, not ${String(expected)}`,
          );
        }
      });
    });

  test("adding 0 periods returns the same instant, even in an hour that the clock repeats", () => {
    for (const instant of [1729987200000, 1729990800000])
      assert.is(rowOf("dateAdd", ["week", "Europe/Brussels"], [0, instant]), instant);
  });

  test("evaluating a batch returns the same results as evaluating its rows one by one, including nulls", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const [name, { parameters, result }] of Object.entries(scalarFunctions)) {
        if (result === "text" || parameters.includes("text")) continue;
        for (let round = 0; round < rounds({ quick: 3, deep: 10 }); round++) {
          const rowCount = random.below(50);
          let { made } = makeCall(random, name);
          while (made.some((each) => !each.isLiteral && each.type === "text"))
            ({ made } = makeCall(random, name));
          const literals = made
            .filter(({ isLiteral }) => isLiteral)
            .map(({ value }) => String(value));
          const types = made.filter(({ isLiteral }) => !isLiteral).map(({ type }) => type);
          const parts = types.map((type) =>
            Float64Array.from({ length: rowCount }, () =>
              Number(toCell(makeArgument(random, type as "number", "number"))),
            ),
          );
          const out = new Float64Array(rowCount + 1).fill(7);
          vectorFunction(name, literals)(parts, rowCount, out);
          const expected = Array.from({ length: rowCount }, (_, row) =>
            rowOf(
              name,
              literals,
              parts.map((part) => part[row]),
            ),
          );
          assert.equal([...out], [...expected, 7], name);
        }
      }
    });
  });

  test("an unknown function name is rejected, even __proto__", () => {
    for (const name of ["nothing", "__proto__", "constructor"])
      assert.throws(
        () => callRow(name, [], []),
        (error: { code?: string }) => error.code === "QUERY_PLAN",
      );
  });
});
