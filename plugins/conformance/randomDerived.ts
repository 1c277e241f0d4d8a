import {
  dataTypes,
  type DataType,
  dateParts,
  decimalMarks,
  type Derived,
  type Expression,
  type ExpressionType,
  functionDefinitions,
  type FunctionDefinition,
  type FunctionName,
  levels,
  type Parameter,
  thousandsMarks,
} from "../protocol/index.ts";
import type { Random } from "./createRandom.ts";
import { columnsOf, type Subject } from "./subject.ts";
import { zones } from "./zones.ts";

/** Values for which sources often return different results. */
const constants: Readonly<Record<DataType, readonly (string | number)[]>> = {
  numeric: [0, 1, 2, -1, 3, 0.5, 10, -2.5],
  hierarchy: [
    "",
    "a",
    "A",
    " ",
    "é",
    "ß",
    "𝒳y",
    "a b",
    "12",
    " -0.5 ",
    "1e6",
    "2024-02-29",
    "2024-02-29T23:30:00+02:00",
    "2023-02-30",
  ],
  datetime: ["2024-02-29T23:59:59.999Z", "2024-03-31T01:30:00.000Z", "1969-07-20T20:17:40.123Z"],
};
const patterns = ["yyyy-MM-dd", "dd/MM/yyyy HH:mm", "HH:mm:ss.SSS"];
const dateFormats = ["%d.%m.%Y", "%m/%d/%y %H:%M", "%e %B %Y", "%Y-%m-%dT%H:%M:%S%Z"];
/** Functions that test one column, or that compare two columns. */
const tests = ["isNull", "equal", "less", "greaterOrEqual"] as const;
/**
 * Functions that parse strings. Few columns contain such strings, so some queries pass a constant instead of a column.
 */
const readers: readonly FunctionName[] = [
  "toNumber",
  "toDatetime",
  "toDate",
  "parseDate",
  "parseNumber",
];
/** Constants for functions whose strings have a format that the other constants lack. */
const formatted: Readonly<Partial<Record<FunctionName, readonly string[]>>> = {
  parseDate: [
    "31.12.2024",
    "3.4.2024",
    "30.02.2024",
    "12/31/68 23:59",
    "3/4/69 0:05",
    "5 déc. 2024",
    "2024-02-29T23:30:00+02:00",
  ],
  parseNumber: ["1.234,56 €", "1,234.56", "(1 234)", "-12,5 %", "EUR 0.5", "1'000", "12%"],
};

/**
 * Returns a random derived column that calls a function over columns and constants. A test is wrapped in `case`, so
 * that its result is a value. Undefined if the dataset has no suitable column, or if the plugin does not promise
 * `case`.
 */
export function randomDerived(
  name: FunctionName,
  id: string,
  subject: Subject,
  random: Random,
): Derived | undefined {
  const definition: FunctionDefinition = functionDefinitions[name];
  const present = dataTypes.filter((type) => columnsOf(subject.dataset, type).length > 0);
  if (present.length === 0) return undefined;
  const kinds = { T: random.pick(present), U: random.pick(present) };
  const args = parametersOf(definition, random).map((parameter) =>
    randomArgument(parameter, kinds, subject, random),
  );
  const isConstant = readers.includes(name) && random.chance(0.5);
  const choosable = choosableColumns(definition, kinds, subject);
  const strings = formatted[name];
  const constantArgs = strings ? args.with(0, literal("hierarchy", random.pick(strings))) : args;
  const known = isConstant ? constantArgs : withColumn(args, choosable, random);
  if (!known) return undefined;
  const call: Expression = { kind: "call", function: name, args: known };
  const result = definition.result === "T" ? kinds.T : definition.result;
  if (result !== "boolean") return { id, type: result, expression: call };
  const { functions = [] } = subject.capabilities.expressions ?? {};
  if (!functions.includes("case")) return undefined;
  const [yes, no] = [literal("numeric", 1), literal("numeric", 0)];
  return {
    id,
    type: "numeric",
    expression: { kind: "call", function: "case", args: [call, yes, no] },
  };
}

function parametersOf(
  { parameters, repeated = [], last }: FunctionDefinition,
  random: Random,
): readonly Parameter[] {
  const more = Array.from({ length: random.below(3) }, () => repeated).flat();
  return [...parameters, ...more, ...(last === undefined ? [] : [last])];
}

type Kinds = Readonly<Record<"T" | "U", DataType>>;

const literal = (type: ExpressionType, value: string | number | boolean | null): Expression => ({
  kind: "literal",
  type,
  value,
});

function typeOf(parameter: Parameter, kinds: Kinds): DataType | undefined {
  if (parameter === "T" || parameter === "U") return kinds[parameter];
  return dataTypes.find((type) => type === parameter);
}

function randomArgument(
  parameter: Parameter,
  kinds: Kinds,
  subject: Subject,
  random: Random,
): Expression {
  switch (parameter) {
    case "boolean":
      return randomTest(subject, random);
    case "constant":
      return literal(kinds.T, random.chance(0.1) ? null : randomConstant(kinds.T, subject, random));
    case "period":
      return literal("hierarchy", random.pick(levels));
    case "part":
      return literal("hierarchy", random.pick(dateParts));
    case "pattern":
      return literal("hierarchy", random.pick(patterns));
    case "zone":
      return literal("hierarchy", random.pick(["UTC", ...zones]));
    case "dateFormat":
      return literal("hierarchy", random.pick(dateFormats));
    case "decimalMark":
      return literal("hierarchy", random.pick(decimalMarks));
    case "thousandsMark":
      return literal("hierarchy", random.pick(thousandsMarks));
    case "T":
    case "U":
    case "datetime":
    case "hierarchy":
    case "numeric": {
      const type = typeOf(parameter, kinds) ?? "numeric";
      const columns = columnsOf(subject.dataset, type);
      if (columns.length > 0 && random.chance(0.6))
        return { kind: "column", column_id: random.pick(columns).id };
      return literal(type, randomConstant(type, subject, random));
    }
  }
}

/** Returns a value from the rows, or a value for which sources often return different results. */
function randomConstant(type: DataType, subject: Subject, random: Random): string | number {
  const known = columnsOf(subject.dataset, type).flatMap(({ id }) => subject.values.get(id) ?? []);
  return known.length > 0 && random.chance(0.4) ? random.pick(known) : random.pick(constants[type]);
}

function randomTest({ dataset, capabilities }: Subject, random: Random): Expression {
  const promised = tests.filter((name) => capabilities.expressions?.functions.includes(name));
  if (promised.length === 0) return literal("boolean", random.chance(0.5));
  const name = random.pick(promised);
  const column = random.pick(dataset.columns);
  const known: Expression = { kind: "column", column_id: column.id };
  if (name === "isNull") return { kind: "call", function: name, args: [known] };
  const other = literal(column.type, random.pick(constants[column.type]));
  return { kind: "call", function: name, args: [known, other] };
}

/** The columns that can be arguments of the function. */
interface Choosable {
  readonly at: number;
  readonly columns: ReturnType<typeof columnsOf>;
}

function choosableColumns(
  { parameters }: FunctionDefinition,
  kinds: Kinds,
  { dataset }: Subject,
): readonly Choosable[] {
  return parameters.flatMap((parameter, at) => {
    const type = typeOf(parameter, kinds);
    const columns = type === undefined ? [] : columnsOf(dataset, type);
    return columns.length > 0 ? [{ at, columns }] : [];
  });
}

/**
 * Replaces one argument with a column if all arguments are constants, because the host itself computes calls that
 * contain only constants.
 */
function withColumn(
  args: readonly Expression[],
  places: readonly Choosable[],
  random: Random,
): readonly Expression[] | undefined {
  if (args.some(({ kind }) => kind !== "literal")) return args;
  if (places.length === 0) return undefined;
  const { at, columns } = random.pick(places);
  return args.with(at, { kind: "column", column_id: random.pick(columns).id });
}
