import { aggregateSql, type GroupValue } from "./aggregateSql.ts";
import {
  conditionSql,
  conjuncts,
  lastMentions,
  mentionsIn,
  type Condition,
  type ConditionOptions,
} from "./conditionSql.ts";
import { aggregationDefinitions } from "../../../../plugins/protocol/index.ts";
import { completedSql } from "./completedSql.ts";
import { finishAnswer, type OracleAnswer, type Output } from "./finishAnswer.ts";
import { linearBin } from "./linearBin.ts";
import type { Oracle } from "./openOracle.ts";
import type { AskedQuery, FormulaTwin, OracleQuery } from "./oracleQuery.ts";
import {
  binned,
  rowValue,
  type Aggregation,
  type Discretization,
  type Mention,
  type RowValue,
} from "./values.ts";
import type { World } from "./world.ts";

/** Answers a query about the loaded world with SQL. `rowFilter` is SQL that selects the rows to query. */
export async function oracleAnswer(
  oracle: Oracle,
  { query, twins, formulas, parameters }: OracleQuery,
  world: World,
  rowFilter = "true",
): Promise<OracleAnswer> {
  const zoneName = query.options?.timezone_id || "UTC";
  const zone = world.zones.indexOf(zoneName);
  if (zone < 0) throw new Error(`the world knows no ${zoneName}`);
  const isRollup = query.options?.rollup_data !== false;
  const valueOf = (mention: Mention): RowValue => {
    const value = rowValue(mention, twins, zone);
    const requested = linearOf(mention);
    const isFixed =
      requested !== undefined && (requested.size !== undefined || requested.over !== undefined);
    return isFixed ? binned(value, linearBin(requested, null, null)) : value;
  };
  const lasts = new Map<string, number | null>();
  for (const mention of [...(query.where ?? [])].flatMap(lastMentions)) {
    const [[last]] = (await oracle.sendQuery(
      `select ms(max(${valueOf(mention).sql})) from stored where ${rowFilter}`,
    )) as [[number | null]];
    lasts.set(keyOf(mention), last);
  }
  const doubts: string[] = [];
  const options = {
    parameters,
    nowMs: world.nowMs,
    zone: zoneName,
    lastOf: (mention: Mention) => lasts.get(keyOf(mention)) ?? null,
    onDoubt: (sql: string) => doubts.push(sql),
  };
  const rowOptions: ConditionOptions = { ...options, tested: valueOf };
  const rowTests = (conditions: readonly Condition[]) =>
    [rowFilter, ...conditions.flatMap((each) => conditionSql(each, rowOptions) ?? [])].join(
      " and ",
    );
  const where = rowTests(query.where ?? []);
  /** Returns the conditions that test only the column of a dimension. */
  const ownTests = (mention: Mention) =>
    (query.where ?? [])
      .flatMap(conjuncts)
      .filter((condition) =>
        mentionsIn(condition).every((each) => sourceOf(each) === sourceOf(mention)),
      );
  const dimensionValue = async (mention: Mention): Promise<RowValue> => {
    const value = valueOf(mention);
    const requested = linearOf(mention);
    if (!requested || value.bin) return value;
    const passed = mention.include_nonoccurring ? rowTests(ownTests(mention)) : where;
    const [[low, high]] = (await oracle.sendQuery(
      `select min(${value.sql}), max(${value.sql}) from stored where ${passed}`,
    )) as [[number | null, number | null]];
    return binned(value, linearBin(requested, low, high));
  };
  const dimensions = query.dimensions ?? [];
  const measures = query.measures ?? [];

  if (!isRollup) {
    const values = await Promise.all([...dimensions, ...measures].map(dimensionValue));
    const outputs = values.map((value, index): Output => ({ ...value, name: `c${index}` }));
    const selected = values.map(({ sql }, index) => `${sql} as c${index}`);
    const mentions = [...dimensions, ...measures];
    const order = [
      ...(query.order ?? []).map((item) =>
        orderSql(`c${indexOf(mentions.map(plainOf), plainOf(item))}`, item),
      ),
      ...outputs.map(({ name }) => `${name} nulls last`),
    ];
    return finishAnswer(oracle, {
      relations: [`asked as (select ${selected.join(", ")} from stored where ${where})`],
      outputs,
      order,
      ...groupLimitOf(query, (each) => `c${indexOf(mentions.map(plainOf), plainOf(each))}`),
      page: pageOf(query),
      doubts: [],
      near: [],
    });
  }

  const keys = await Promise.all(dimensions.map(dimensionValue));
  const aggregates: GroupValue[] = [];
  const aggregateOf = (value: GroupValue): number => {
    const known = aggregates.findIndex(({ sql }) => sql === value.sql);
    return known < 0 ? aggregates.push(value) - 1 : known;
  };
  const formulaTexts: string[] = [];
  const outputOf = (mention: Mention): Output => {
    if (mention.formula) {
      const known = formulaTexts.indexOf(mention.formula);
      const index = known < 0 ? formulaTexts.push(mention.formula) - 1 : known;
      return { name: `f${index}`, type: formulaOf(mention.formula, formulas).type };
    }
    const aggregation = aggregationOf(mention, valueOf);
    const value = mention.column_id === "*" ? undefined : valueOf(mention);
    const { type: _, fraction: __, ...mentioned } = aggregation;
    const { takes } = aggregationDefinitions[aggregation.type];
    const second = takes === "weight" || takes === "other" ? { second: valueOf(mentioned) } : {};
    const { fraction } = aggregation;
    const group = aggregateSql(aggregation.type, value, {
      ...(fraction !== undefined && { fraction }),
      ...second,
    });
    const index = aggregateOf(group);
    return {
      name: `a${index}`,
      type: group.type,
      ...(group.tolerance && { tolerance: `t${index}` }),
      ...(aggregation.type === "cumulativesum" && { isRunning: true }),
    };
  };
  const keyOutputs = keys.map((value, index): Output => ({ ...value, name: `k${index}` }));
  const outputs = [...keyOutputs, ...measures.map(outputOf)];
  /** Finds the dimension to which an item of `having` or `order` refers. If there is none, finds the measure. */
  const meantBy = (mention: Mention): Output => {
    const { order: _, ...wanted } = mention;
    const place = dimensions.findIndex((each) => plainOf(each) === plainOf(wanted));
    return mention.aggregation || mention.formula || place < 0
      ? outputOf(wanted)
      : (keyOutputs[place] as Output);
  };
  const having = (query.having ?? []).flatMap(
    (each) =>
      conditionSql(each, {
        ...options,
        tested: (mention) => {
          const { name, type, tolerance } = meantBy(mention);
          const isDate = mention.column_id !== "*" && !mention.formula && valueOf(mention).isDate;
          return { sql: name, type, isDate, ...(tolerance && { tolerance }) };
        },
      }) ?? [],
  );
  const ordered = (query.order ?? []).map((item) => ({ item, output: meantBy(item) }));
  for (const text of formulaTexts)
    for (const each of formulaOf(text, formulas).aggregates)
      aggregateOf(formulaAggregate(each, valueOf, zone));
  const formulaSql = formulaTexts.map((text, index) => {
    const formula = formulaOf(text, formulas);
    const names = formula.aggregates.map(
      (each) => `a${aggregateOf(formulaAggregate(each, valueOf, zone))}`,
    );
    return `${formula.sql(names)} as f${index}`;
  });
  const selected = [
    ...keys.map(({ sql }, index) => `${sql} as k${index}`),
    ...aggregates.flatMap(({ sql, tolerance }, index) => [
      `${sql} as a${index}`,
      ...(tolerance ? [`${tolerance} as t${index}`] : []),
    ]),
  ];
  const grouping =
    keys.length > 0 ? ` group by ${keys.map((_, index) => index + 1).join(", ")}` : "";
  const complete = dimensions.flatMap((mention, index) => {
    if (!mention.include_nonoccurring) return [];
    const own = ownTests(mention);
    const level = mention.level ?? undefined;
    return [
      { index, value: keys[index] as RowValue, where: rowTests(own), ...(level && { level }) },
    ];
  });
  return finishAnswer(oracle, {
    relations: [
      `groups as (select ${selected.join(", ")} from stored where ${where}${grouping})`,
      ...completedSql(complete, keys.length, aggregates, zone),
      `computed as (select ${["*", ...formulaSql].join(", ")} from ${complete.length > 0 ? "completed" : "groups"})`,
      `asked as (select * from computed${having.length > 0 ? ` where ${having.join(" and ")}` : ""})`,
    ],
    outputs,
    order: [
      ...ordered.map(({ item, output }) => orderSql(output.name, item)),
      ...keys.map((_, index) => `k${index} nulls last`),
    ],
    ...groupLimitOf(query, (each) => `k${indexOf(dimensions.map(plainOf), plainOf(each))}`),
    page: pageOf(query),
    doubts,
    near: ordered.flatMap(({ output: { name, tolerance } }) =>
      tolerance ? [{ name, tolerance }] : [],
    ),
  });
}

function aggregationOf(mention: Mention, valueOf: (mention: Mention) => RowValue): Aggregation {
  const { aggregation } = mention;
  if (typeof aggregation === "object") return aggregation;
  if (aggregation) return { type: aggregation };
  return {
    type: mention.column_id !== "*" && valueOf(mention).type === "numeric" ? "sum" : "count",
  };
}

function formulaOf(text: string, formulas: OracleQuery["formulas"]): FormulaTwin {
  const formula = formulas.get(text);
  if (!formula) throw new Error(`there is no SQL for ${text}`);
  return formula;
}

function formulaAggregate(
  { name, of, fraction }: FormulaTwin["aggregates"][number],
  valueOf: (mention: Mention) => RowValue,
  zone: number,
): GroupValue {
  const value =
    typeof of === "string"
      ? valueOf({ column_id: of })
      : of && { sql: of.sql(zone), type: of.type, isDate: of.isDate, isExact: true };
  return aggregateSql(name, value, { ...(fraction !== undefined && { fraction }) });
}

/**
 * Returns a key for a reference without its aggregation. The key identifies the value of a row to which the reference
 * refers.
 */
function plainOf(mention: Mention): string {
  const { column_id, expression, level, discretization } = mention;
  return JSON.stringify([expression || column_id, level ?? null, linearOf({ discretization })]);
}

function linearOf({ discretization }: Mention): Discretization | undefined {
  const requested = discretization as Discretization | undefined;
  return requested?.type === "linear" ? requested : undefined;
}

const sourceOf = ({ column_id, expression }: Mention) => JSON.stringify([column_id, expression]);
const keyOf = sourceOf;

function indexOf(all: readonly string[], one: string): number {
  const index = all.indexOf(one);
  if (index < 0) throw new Error(`${one} is not among ${all.join()}`);
  return index;
}

function orderSql(name: string, { order }: { readonly order?: string }): string {
  return `${name} ${order?.toLowerCase() === "desc" ? "desc" : "asc"} nulls last`;
}

/** Returns which rows are kept for each combination of values. `nameOf` returns the name of a column in `asked`. */
function groupLimitOf({ limit }: AskedQuery, nameOf: (mention: Mention) => string) {
  if (!limit?.per) return {};
  const { by, offset = 0, per } = limit;
  return { groupLimit: { names: per.map(nameOf), by, offset } };
}

/** Writes the LIMIT and OFFSET of the requested page, within the limit of the query. */
function pageOf({ limit: given, options }: AskedQuery): string {
  const limit = given?.per ? undefined : given;
  const page = options?.paging;
  if (!limit && !page) return "";
  const first = (limit?.offset ?? 0) + (page?.offset ?? 0);
  const left = limit ? Math.max(0, limit.by - (page?.offset ?? 0)) : Infinity;
  return ` limit ${Math.min(page?.by ?? Infinity, left)} offset ${first}`;
}
