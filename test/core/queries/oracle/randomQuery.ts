import { aggregationDefinitions, aggregations } from "../../../../plugins/protocol/index.ts";
import type { ParameterOverride } from "../../../../core/base/contracts/index.ts";
import { override } from "../../../support/restricted.ts";
import type { Random } from "../../../support/random.ts";
import type { Condition } from "./conditionSql.ts";
import type { AskedQuery, FormulaTwin, OracleQuery } from "./oracleQuery.ts";
import { randomFormula, randomRowTwin } from "./randomTwins.ts";
import { plainLimit } from "../../../support/plainBin.ts";
import { linearBin } from "./linearBin.ts";
import {
  rowValue,
  type Discretization,
  type Mention,
  type RowTwin,
  type ValueType,
} from "./values.ts";
import { columns, instants, randomValue, type World } from "./world.ts";

const relativeWords = [
  "last_now",
  "last_available",
  "next_now",
  "ago",
  "more_than_ago",
  "or_more_ago",
  "last_completed",
  "next_full",
  "to_date",
  "WTD",
  "MTD",
  "QTD",
  "YTD",
];
const ofEveryType = aggregations.filter((name) => aggregationDefinitions[name].argument === "any");

/**
 * Returns a random query in the form that clients send, with the SQL for its expressions. The query may use any part of
 * the grammar.
 */
export function randomQuery(random: Random, world: World): OracleQuery {
  const maker = createMaker(random, world);
  return random.chance(0.2) ? maker.rawRows() : maker.groups();
}

interface Measure {
  readonly mention: Mention;
  readonly type: ValueType;
  /** The column whose values are used as comparison values. */
  readonly column: string;
}

function createMaker(random: Random, world: World) {
  const zone = random.chance(0.4) ? 0 : random.below(world.zones.length);
  const zoneName = world.zones[zone] ?? "UTC";
  const twins = new Map<string, RowTwin>();
  const formulas = new Map<string, FormulaTwin>();
  const parameters = new Map<string, ParameterOverride>();

  /**
   * Whether the query uses only stored columns and a single list of tests, so that plugins with pushdown can answer it.
   */
  const isSimple = random.chance(0.25);
  const sourceColumns = columns.filter(({ expression }) => expression === undefined);
  const rowMention = (isKey: boolean): Mention => {
    if (isSimple) return { column_id: random.pick(sourceColumns).id, dataset_id: "D" };
    if (random.chance(0.12)) {
      const { text, twin } = randomRowTwin(random, world.zones.indexOf(zoneName));
      twins.set(text, twin);
      const plain = { expression: text, dataset_id: "D" };
      const level =
        zone === 0 && twin.type === "datetime" && !twin.isDate && isKey && random.chance(0.4);
      return level ? { ...plain, level: 1 + random.below(5) } : plain;
    }
    const { id, type } = random.pick(columns);
    const plain = { column_id: id, dataset_id: "D" };
    if (type !== "datetime" || random.chance(isKey ? 0.25 : 0.6))
      return random.chance(0.1)
        ? { ...plain, level: null, discretization: { type: "none" }, unnest: false }
        : plain;
    return { ...plain, level: 1 + random.below(9) };
  };
  const typeOf = (mention: Mention) => rowValue(mention, twins, world.zones.indexOf(zoneName)).type;

  const places = sourceColumns.map(({ id }) => id);
  const storedValue = (column: string) =>
    world.rows.length > 0 ? random.pick(world.rows)[places.indexOf(column)] : undefined;
  const valueFor = (type: ValueType, column: string): string | number => {
    const value = (random.chance(0.7) && storedValue(column)) || randomValue(column, random);
    if (type === "numeric") return typeof value === "number" ? value : random.below(12) - 2;
    if (type === "hierarchy")
      return typeof value === "string" && !/^[-+\d].*T/.test(value) ? value : "a";
    const instant =
      typeof value === "string" && /^[-+\d].*T/.test(value) ? value : random.pick(instants);
    if (instant.length !== 24) return instant;
    return random.pick([
      instant,
      instant,
      instant.slice(0, 10),
      instant.slice(0, 23),
      `${instant.slice(0, 4)}-01-01`,
    ]);
  };

  const parameter = (value: unknown, type: ValueType, isPair = false): unknown => {
    if (!random.chance(0.12)) return value;
    const isList = Array.isArray(value);
    const name = `p${parameters.size}-${random.below(1000)}`;
    const fill = random.below(5);
    if (fill === 0) parameters.set(name, override(undefined, { clear: true }));
    if (fill === 1) parameters.set(name, override(value));
    if (fill === 2 && isList && !isPair) parameters.set(name, override([]));
    const hasDefault = !parameters.has(name) || random.chance(0.5);
    return {
      parameter: random.chance(0.7) ? `metadata.${name}` : name,
      type: isList ? `array[${type}]` : type,
      ...(hasDefault && { value }),
    };
  };

  const test = (mention: Mention, type: ValueType, column: string): Condition => {
    const comparable = type !== "hierarchy";
    const words = ["=", "!=", "in", "not in", "is null", "is not null"];
    const ordered = ["<", "<=", ">", ">=", "between"];
    const texts = ["like", "starts with", "ends with"].flatMap((word) => [word, `not ${word}`]);
    const word = random.pick([...words, ...(comparable ? ordered : texts)]);
    const spaced = random.chance(0.1) ? ` ?  ${word.replace(" ", "   ")} ` : `? ${word}`;
    if (word.endsWith("null")) return { expression: `? ${word}`, parameters: [mention] };
    const expression = `${spaced} ?`.trim();
    // A test for equality with periods needs values at which periods start; these are Mondays.
    const isOfPeriods = type === "datetime" && mention.level;
    const isEquality = ["=", "!=", "in", "not in"].includes(word);
    const value = () =>
      isOfPeriods && isEquality
        ? random.pick(["2024-01-01", "2018-01-01", "2007-01-01"])
        : valueFor(type, column);
    if (word.endsWith("in")) {
      const list = Array.from({ length: random.below(4) }, () =>
        random.chance(0.2) ? null : value(),
      );
      return { expression, parameters: [mention, parameter(list, type)] };
    }
    if (word === "between") {
      const pair = [value(), value()].toSorted((one, other) => (one < other ? -1 : 1));
      return { expression, parameters: [mention, parameter(pair, type, true)] };
    }
    const part = texts.includes(word) ? cut(String(value())) : value();
    return { expression, parameters: [mention, parameter(part, type)] };
  };
  const cut = (text: string): string => {
    const letters = Array.from(text.slice(0, 40));
    const from = random.below(letters.length + 1);
    return random.chance(0.4) ? text : letters.slice(from, from + 2).join("");
  };

  const group = (make: () => Condition, depth: number): Condition => {
    if (isSimple || depth === 3 || random.chance(0.65)) return make();
    const members = Array.from({ length: 1 + random.below(3) }, () => group(make, depth + 1));
    return random.pick([{ and: members }, { or: members }, members]);
  };
  const hasBins = (mention: Mention): boolean =>
    ["n", "m", "cost", "late"].includes(mention.column_id ?? "") && !mention.expression;
  /** Returns random bins with a fixed width and start. */
  const fixedBins = (): Discretization =>
    random.pick([
      { type: "linear", size: random.pick([0.5, 2, 3, 100, 0.1, 0.3, 1.7]) },
      { type: "linear", size: 2.5, over: [0.25, 8] },
      { type: "linear", size: random.pick([0.2, 0.7]), over: [0.1, 8] },
      { type: "linear", bins: 1 + random.below(6), over: [-2, 3] },
    ]);
  const binTest = (mention: Mention): Condition => {
    const discretization = fixedBins();
    const bin = linearBin(discretization, null, null);
    const value = (): string | number => {
      const index = random.below(8) - 3;
      const start = plainLimit(bin, index);
      const other = random.chance(0.1) ? start + bin.width / 8 : start;
      return random.chance(0.5) ? other : `[ ${start} - ${plainLimit(bin, index + 1)} [`;
    };
    const word = random.pick(["=", "!=", "<", "<=", ">", ">=", "in", "not in"]);
    const given = word.endsWith("in") ? [value(), value(), null].slice(random.below(2)) : value();
    return { expression: `? ${word} ?`, parameters: [{ ...mention, discretization }, given] };
  };
  const relativeTest = (): Condition => {
    const column = random.pick(["w", "v", "day"]);
    const mention = { column_id: column, dataset_id: "D" };
    const expression = random.pick(relativeWords);
    if (expression.endsWith("TD") && random.chance(0.5))
      return { expression, parameters: [mention] };
    const unit = 1 + random.below(column === "day" ? 5 : 9);
    const quantity = random.pick([undefined, 0, 1, 3, -2, 12]);
    return {
      expression,
      parameters: [mention, { unit, ...(quantity !== undefined && { quantity }) }],
    };
  };
  const rowTest = (): Condition => {
    if (random.chance(0.15)) return relativeTest();
    const mention = rowMention(false);
    if (hasBins(mention) && !isSimple && random.chance(0.2)) return binTest(mention);
    return test(mention, typeOf(mention), mention.column_id ?? "");
  };
  const where = (): Condition[] =>
    random.chance(0.5)
      ? Array.from({ length: random.pick([1, 1, 2]) }, () => group(rowTest, 0))
      : [];

  const dimension = (): Mention => {
    const mention = rowMention(true);
    if (isSimple || !hasBins(mention) || random.chance(0.5)) return mention;
    const counted = { type: "linear", bins: 1 + random.below(6) };
    return { ...mention, discretization: random.chance(0.4) ? counted : fixedBins() };
  };
  const dimensions = (): Mention[] => {
    const made = Array.from({ length: random.pick([0, 1, 1, 2, 2, 3]) }, dimension);
    const places = made.map(({ column_id, expression }) => expression ?? column_id);
    return made.filter((_, index) => places.indexOf(places[index]) === index);
  };
  /** Returns whether a column has few enough periods to enumerate them. */
  const canComplete = ({ column_id, level, expression }: Mention): boolean => {
    if (expression) return !level;
    if (!level) return true;
    return column_id === "day"
      ? level <= 5
      : (column_id === "w" || column_id === "v") && level <= 3;
  };
  const completed = (made: readonly Mention[]): Mention[] =>
    made.map((mention) =>
      made.length <= 2 && canComplete(mention) && random.chance(0.15)
        ? { ...mention, include_nonoccurring: true }
        : mention,
    );

  const second = (): object => {
    const column_id = random.pick(["n", "m"]);
    if (random.chance(0.6)) return { dataset_id: "D", column_id };
    if (random.chance(0.5))
      return { dataset_id: "D", column_id, discretization: { type: "linear", size: 2 } };
    const expression = "{D:n} + {D:m}";
    twins.set(expression, { type: "numeric", isDate: false, sql: () => `finite("n" + "m")` });
    return { expression };
  };
  const measure = (): Measure => {
    if (random.chance(0.12)) {
      const { text, twin } = randomFormula(random);
      formulas.set(text, twin);
      return { mention: { formula: text, dataset_id: "D" }, type: twin.type, column: "n" };
    }
    if (random.chance(0.15))
      return {
        mention: { column_id: "*", dataset_id: "D", aggregation: { type: "count" } },
        type: "numeric",
        column: "*",
      };
    const mention = rowMention(false);
    const type = typeOf(mention);
    const column = mention.column_id ?? "";
    const names = type === "numeric" && column !== "edge" ? aggregations : ofEveryType;
    const name = random.pick(names);
    const { takes, result } = aggregationDefinitions[name];
    const more = {
      ...(takes === "fraction" && { fraction: random.pick([0, 0.1, 0.25, 0.5, 0.95, 1]) }),
      ...((takes === "weight" || takes === "other") && second()),
    };
    const isPlain = Object.keys(more).length === 0 && random.chance(0.5);
    const keepsType = result === "T";
    const isBinned = hasBins(mention) && !isSimple && random.chance(0.1);
    return {
      mention: {
        ...mention,
        ...(isBinned && { discretization: fixedBins() }),
        aggregation: isPlain ? name : { type: name, ...more },
      },
      type: keepsType ? type : "numeric",
      column: keepsType ? column : "n",
    };
  };
  const isRunning = ({ aggregation }: Mention) =>
    JSON.stringify(aggregation)?.includes("cumulativesum") ?? false;

  const page = () => ({
    by: random.chance(0.05) ? 0 : 1 + random.below(30),
    offset: random.pick([0, 0, 0, 0, 1, 3]),
  });
  const limit = (keys: readonly Mention[]) => {
    const per = random.chance(0.4) ? random.some(keys, 0.4).slice(0, 2) : [];
    if (per.length === 0) return page();
    return { by: random.below(4), offset: random.pick([0, 0, 1]), per };
  };
  const ordered = (mentions: readonly Mention[]) =>
    random
      .some(mentions, 0.35)
      .toSorted(() => (random.chance(0.5) ? 1 : -1))
      .map((mention) => ({
        ...mention,
        ...(random.chance(0.9) && { order: random.pick(["asc", "desc", "ASC", "DESC"]) }),
      }));
  const around = (
    rollup: boolean,
    mentions: readonly Mention[],
    keys: readonly Mention[],
  ): Pick<AskedQuery, "order" | "limit" | "options"> => {
    const isIn = zone !== 0 || random.chance(0.3);
    return {
      ...(random.chance(0.6) && { order: ordered(mentions) }),
      ...(random.chance(0.3) && { limit: limit(keys) }),
      options: {
        ...((!rollup || random.chance(0.3)) && { rollup_data: rollup }),
        ...(isIn && { timezone_id: zoneName }),
        ...(random.chance(0.1) && { paging: page() }),
        ...(random.chance(0.15) && { cells: "plain" }),
      },
    };
  };
  const texts = { twins, formulas, parameters };

  return {
    rawRows(): OracleQuery {
      const made = dimensions();
      const measures = Array.from({ length: random.below(3) + (made.length === 0 ? 1 : 0) }, () =>
        random.chance(0.8) ? rowMention(false) : dimension(),
      );
      const shown = measures.map((mention) =>
        random.chance(0.3) ? { ...mention, aggregation: "count" as const } : mention,
      );
      return {
        query: {
          dimensions: made,
          measures: shown,
          where: where(),
          ...around(false, [...made, ...shown], [...made, ...shown]),
        },
        ...texts,
      };
    },
    groups(): OracleQuery {
      const made = completed(dimensions());
      const measures = Array.from(
        { length: random.below(3) + (made.length === 0 ? 1 : 0) },
        measure,
      );
      const hidden = random.chance(0.2) ? [measure()] : [];
      const tests = [...measures, ...hidden].filter(({ mention }) => !isRunning(mention));
      const groupTest = (): Condition => {
        const { mention, type, column } = random.pick(tests);
        return test(mention, type, column);
      };
      const mentions = [...made, ...measures.map(({ mention }) => mention)];
      return {
        query: {
          dimensions: made,
          measures: measures.map(({ mention }) => mention),
          where: where(),
          having: tests.length > 0 && random.chance(0.25) ? [group(groupTest, 1)] : [],
          ...around(
            true,
            mentions.filter((mention) => !isRunning(mention)),
            made,
          ),
        },
        ...texts,
      };
    },
  };
}
