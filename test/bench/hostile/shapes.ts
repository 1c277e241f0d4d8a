/** The columns of the dataset that the calls query, each as `{dataset_id, column_id}`. */
export interface ShapeColumns {
  /** A column with a different string in every row. */
  readonly name: object;
  /** A column of 20,000 different strings. */
  readonly city: object;
  /** A column of 40 different strings. */
  readonly region: object;
  readonly km: object;
  /** A datetime column. Its rows are a few minutes apart and cover several years. */
  readonly at: object;
}

/** A call that an embed token may send. */
export interface Shape {
  readonly resource: "data" | "export" | "dataexport";
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Maximum number of characters of a body. Even with credentials and characters beyond ASCII, the body stays below 64
 * KiB.
 */
const mostLength = 64 * 2 ** 10 - 1_400;

/** Returns the call that `made` creates from as many items as fit into its body. */
function filled<Item>(
  item: (index: number) => Item,
  made: (items: readonly Item[]) => Shape,
): Shape {
  const items: Item[] = [];
  let left = mostLength - JSON.stringify(made([]).body).length;
  for (let index = 0; ; index++) {
    const next = item(index);
    left -= JSON.stringify(next).length + 1;
    if (left < 0) return made(items);
    items.push(next);
  }
}

/** Returns expensive calls of less than 64 KiB, by name. */
export function hostileShapes({
  name,
  city,
  region,
  km,
  at,
}: ShapeColumns): Readonly<Record<string, Shape>> {
  const get = (...queries: readonly object[]): Shape => ({
    resource: "data",
    body: { action: "get", find: { queries } },
  });
  const where = (...tests: readonly object[]) => ({ measures: [count], where: tests });
  const count = { ...km, aggregation: "count" };
  const sum = { ...km, aggregation: "sum" };
  const text = (column: object) => {
    const { dataset_id: dataset, column_id: id } = column as {
      dataset_id: string;
      column_id: string;
    };
    return `{${dataset}:${id}}`;
  };
  const test = (expression: string, column: object, ...values: readonly unknown[]) => ({
    expression,
    parameters: [column, ...values],
  });
  const formula = (source: string) => ({ formula: source });
  const derived = (source: string) => ({ expression: source });
  const times = (length: number, part: (index: number) => string, between: string) =>
    Array.from({ length }, (_, index) => part(index)).join(between);
  const nested = (depth: number, call: (inner: string) => string, inner: string): string =>
    depth === 0 ? inner : nested(depth - 1, call, call(inner));
  const queries = (query: (index: number) => object) =>
    filled(query, (all) => get(...all.slice(0, 100)));
  const deep = (depth: number, inner: object, beside: object): object =>
    depth === 0
      ? inner
      : {
          [depth % 2 ? "and" : "or"]: [
            deep(depth - 1, inner, beside),
            ...Array<object>(5).fill(beside),
          ],
        };
  const everyLevel = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const manyMeasures = (aggregation: string) =>
    Array.from({ length: 180 }, (_, index) => ({
      ...derived(`${text(km)} + ${index}`),
      aggregation,
    }));
  return {
    "likes, ored": filled(
      (index) => test("? like ?", name, `e n${index}`),
      (or) => get(where({ or })),
    ),
    "likes beyond ASCII, joined by or": filled(
      (index) => test("? like ?", name, `é ß${index}`),
      (or) => get(where({ or })),
    ),
    "not likes, joined by and": filled(
      (index) => test("? not like ?", name, `n${index}`),
      (all) => get(where(...all)),
    ),
    "ends with, joined by or, four queries": filled(
      (index) => test("? ends with ?", name, `é${index}`),
      (or) => {
        const part = Math.ceil(or.length / 4);
        return get(
          ...[0, 1, 2, 3]
            .map((index) => where({ or: or.slice(index * part, (index + 1) * part) }))
            .filter(({ where: [first] }) => (first as { or: readonly object[] }).or.length > 0),
          where(),
        );
      },
    ),
    "likes over a computed string": filled(
      (index) => test("? like ?", derived(`lower(${text(name)})`), `n${index}`),
      (or) => get(where({ or })),
    ),
    "one list of thousands": filled(
      (index) => `person ${index}`,
      (list) => get(where(test("? in ?", name, list))),
    ),
    "100 lists": filled(
      (index) => `person ${index}`,
      (list) => {
        const part = Math.ceil(list.length / 100);
        return get(
          ...Array.from({ length: 100 }, (_, index) =>
            where(test("? in ?", name, list.slice(index * part, (index + 1) * part))),
          ),
        );
      },
    ),
    "tiny number filters": filled(
      (index) => test("? != ?", km, index),
      (all) => get(where(...all)),
    ),
    "groups 20 deep": get(where(deep(20, test("? = ?", km, 1), test("? > ?", km, 1)))),
    "filters on two columns": get(
      where({
        or: Array.from({ length: 95 }, (_, index) =>
          test("? > ?", derived(`${text(km)} + ${index}`), km),
        ),
      }),
    ),
    "strings of two columns, replaced again and again": get({
      measures: [
        {
          ...derived(
            `length(${nested(20, (inner) => `replace(${inner}, 'e', 'ee')`, `concat(${text(name)}, ${text(city)})`)})`,
          ),
          aggregation: "sum",
        },
      ],
    }),
    "strings of two columns, within the budget": get({
      measures: [
        {
          ...derived(
            `length(${nested(6, (inner) => `replace(${inner}, 'e', 'ee')`, `concat(${text(name)}, ${text(city)})`)})`,
          ),
          aggregation: "sum",
        },
      ],
    }),
    "strings of a column with few values, replaced again and again": get({
      measures: [
        {
          ...derived(
            `length(${nested(22, (inner) => `replace(${inner}, 'e', 'ee')`, text(region))})`,
          ),
          aggregation: "sum",
        },
      ],
    }),
    "nested replace and repeat": get({
      measures: [
        {
          ...derived(
            `length(${nested(60, (inner) => `replace(${inner}, 'e', 'eee')`, text(name))})`,
          ),
          aggregation: "sum",
        },
      ],
    }),
    "padded to 9,000 characters": get({
      measures: [{ ...derived(`length(lpad(${text(name)}, 9000, 'é'))`), aggregation: "sum" }],
    }),
    "concatenations grown by repeat": get({
      dimensions: [derived(nested(6, (inner) => `concat(${inner}, ${inner})`, text(name)))],
      measures: [count],
    }),
    "long chains of arithmetic": get({
      measures: [
        {
          ...derived(times(90, (index) => `sqrt(abs(${text(km)} + ${index}))`, " + ")),
          aggregation: "sum",
        },
      ],
    }),
    "long chains of string functions": get({
      measures: [
        {
          ...derived(
            times(75, (index) => `length(concat(upper(${text(name)}), '${index}'))`, " + "),
          ),
          aggregation: "sum",
        },
      ],
    }),
    "date arithmetic": get({
      measures: [
        {
          ...derived(times(60, (index) => `week(date_add('month', ${index}, ${text(at)}))`, " + ")),
          aggregation: "sum",
        },
      ],
    }),
    "100 queries of 80,000 groups": queries((index) => ({
      dimensions: [name],
      measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "sum" }],
      limit: { by: 10 },
    })),
    "100 queries of 80,000 groups, all rows": queries((index) => ({
      dimensions: [name],
      measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "sum" }],
    })),
    "raw rows": queries((index) => ({
      dimensions: [name, city, region, at, derived(`${text(km)} + ${index}`)],
      options: { rollup_data: false },
    })),
    "raw rows, ordered by strings, at an offset": queries((index) => ({
      dimensions: [name, city],
      order: [{ ...city, order: "desc" }],
      options: { rollup_data: false },
      limit: { by: 10, offset: 70_000 + index },
    })),
    "order in a language": queries((index) => ({
      dimensions: [name],
      measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "sum" }],
      order: [{ ...name, order: "desc" }],
      options: { locale_id: "sv" },
      limit: { by: 10 },
    })),
    "180 medians of 80,000 groups": get({
      dimensions: [name],
      measures: manyMeasures("median"),
      limit: { by: 10 },
    }),
    "180 distinct counts of 20,000 groups": get({
      dimensions: [city],
      measures: manyMeasures("distinctcount"),
      limit: { by: 10 },
    }),
    "180 sums of 80,000 groups, all rows": get({
      dimensions: [name],
      measures: manyMeasures("sum"),
    }),
    "180 formulas": get({
      dimensions: [name],
      measures: Array.from({ length: 90 }, (_, index) =>
        formula(`sum(${text(km)}) / (count(${text(km)}) + ${index})`),
      ),
      limit: { by: 10 },
    }),
    "all cities in all regions": queries((index) => ({
      dimensions: [
        { ...city, include_nonoccurring: true },
        { ...region, include_nonoccurring: true },
      ],
      measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "sum" }],
    })),
    "days of years in all regions": queries((index) => ({
      dimensions: [
        { ...at, level: 5, include_nonoccurring: true },
        { ...region, include_nonoccurring: true },
      ],
      measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "sum" }],
      options: { timezone_id: "America/St_Johns" },
    })),
    "seconds in a time zone": queries((index) => ({
      dimensions: [{ ...at, level: 8 }],
      measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "sum" }],
      options: { timezone_id: "Australia/Lord_Howe" },
      limit: { by: 10 },
    })),
    "every level at once": queries((index) => ({
      dimensions: everyLevel.map((level) => ({ ...at, level })),
      measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "sum" }],
      options: { timezone_id: "Australia/Lord_Howe" },
      limit: { by: 10 },
    })),
    "the maximum number of bins": queries((index) => ({
      dimensions: [
        { ...km, discretization: { type: "linear", bins: 10_000 }, include_nonoccurring: true },
        { ...region, include_nonoccurring: true },
      ],
      measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "sum" }],
    })),
    "100 dimensions": get({
      dimensions: Array.from({ length: 150 }, (_, index) => derived(`${text(km)} + ${index}`)),
      measures: [count],
      limit: { by: 10 },
    }),
    "having over every group": queries((index) => ({
      dimensions: [name],
      measures: [count],
      having: [test("? > ?", { ...derived(`${text(km)} + ${index}`), aggregation: "sum" }, 1e12)],
    })),
    "last values and bins of many columns": queries((index) => ({
      dimensions: [
        { ...derived(`${text(km)} * ${index + 1}`), discretization: { type: "linear", bins: 100 } },
      ],
      measures: [sum],
      where: [test("last_available", at, { unit: 5, quantity: 100 })],
    })),
    "cumulative sums": queries((index) => ({
      dimensions: [name],
      measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "cumulativesum" }],
      limit: { by: 10 },
    })),
    explanations: {
      resource: "data",
      body: {
        action: "explain",
        find: {
          queries: Array.from({ length: 100 }, (_, index) => ({
            dimensions: [name],
            measures: [{ ...derived(`${text(km)} + ${index}`), aggregation: "median" }],
          })),
        },
      },
    },
    "an export of all rows": {
      resource: "dataexport",
      body: {
        action: "create",
        properties: {
          type: "csv",
          query: { dimensions: [name, city, region, at, km], options: { rollup_data: false } },
        },
      },
    },
  };
}
