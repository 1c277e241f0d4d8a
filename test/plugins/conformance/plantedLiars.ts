import { batchOfRows } from "../../../plugins/protocol/index.ts";
import {
  type Capabilities,
  type Cell,
  type ColumnFilter,
  definePlugin,
  type Filter,
  type Plugin,
  PluginError,
  type Query,
  type QueryColumn,
} from "../../../plugins/sdk/index.ts";

/** A mistake that a plugin can be created with. This list was written independently of the kit's list of deviations. */
export type Mistake =
  | "ignores case"
  | "pads"
  | "case in like"
  | "wildcards in like"
  | "nulls first"
  | "nulls greatest"
  | "ICU order"
  | "NaN greatest"
  | "Sunday weeks"
  | "today's offset"
  | "UTC for every zone"
  | "closed ranges"
  | "limit before filter"
  | "limit before order"
  | "overlapping pages"
  | "no offset"
  | "integer average"
  | "0 for an empty sum"
  | "null is 0"
  | "no group of null"
  | "SQL negatives"
  | "no null in lists"
  | "not in ignored"
  | "one filter of several"
  | "counts nulls"
  | "truncated rows"
  | "previous answer"
  | "a row twice";

/** Matches the description that the kit must give of each mistake. */
export const mistakeNames: Readonly<Record<Mistake, RegExp>> = {
  "ignores case": /^ignores case in text comparisons$/,
  pads: /^ignores trailing spaces in text$/,
  "case in like": /^matches parts of text case-sensitively$/,
  "wildcards in like": /^reads % and _ as wildcards$/,
  "nulls first": /^sorts nulls first$/,
  "nulls greatest": /^sorts null as the highest value$/,
  "ICU order": /^sorts text by the rules of a language$/,
  "NaN greatest": /^treats NaN as the greatest number$/,
  "Sunday weeks": /^starts weeks on Sunday$/,
  "today's offset": /^uses today's offset of a time zone for all instants$/,
  "UTC for every zone": /^truncates in UTC, whatever the time zone of the query$/,
  "closed ranges": /^includes equal values in < and >$/,
  "limit before filter": /^applies the limit before the filters$/,
  "limit before order": /^applies the limit before the order$/,
  "overlapping pages": /^starts each page with the last row of the previous page$/,
  "no offset": /^ignores the offset$/,
  "integer average": /^truncates averages to whole numbers$/,
  "0 for an empty sum": /^returns 0 for the sum of no values$/,
  "null is 0": /^treats null as 0$/,
  "no group of null": /^omits the group of null$/,
  "SQL negatives": /^drops null under negative operators$/,
  "no null in lists": /^ignores null in lists$/,
  "not in ignored": /^ignores the operator not in$/,
  "one filter of several": /^acknowledges several filters and applies only the first$/,
  "counts nulls": /^counts nulls$/,
  "truncated rows": /^truncates its answer: 60 of 120 rows$/,
  "previous answer": /^returns the answer to the previous query$/,
  "a row twice": /^repeats rows$/,
};

const every = ["numeric", "datetime", "hierarchy"] as const;
const text = ["hierarchy"] as const;
const capabilities: Capabilities = {
  projection: true,
  filters: {
    operators: {
      "=": every,
      "!=": every,
      "<": every,
      "<=": every,
      ">": every,
      ">=": every,
      in: every,
      "not in": every,
      like: text,
      "not like": text,
      "is null": every,
      "is not null": every,
    },
  },
  grouping: {
    aggregations: ["sum", "count", "min", "max", "average", "distinctcount"],
    levels: ["year", "month", "week", "day"],
    timezones: true,
  },
  order: true,
  limit: true,
};

const columns = [
  { id: "text", type: "hierarchy" },
  { id: "number", type: "numeric" },
  { id: "at", type: "datetime" },
] as const;

const texts = [
  "Anna",
  "anna",
  "ANNA",
  "anna ",
  "Émile",
  "émile",
  "a_b",
  "axb",
  "50%",
  "50 pc",
  "",
  "zebra",
  "Zebra",
  null,
];
const numbers = [0, -1, 1, 2.5, -2.5, 7.25, -13, null, 40];
const instants = [
  "2024-03-31T00:30:00.000Z",
  "2024-10-27T00:30:00.000Z",
  "2024-01-07T12:00:00.000Z",
  "2024-01-08T00:00:00.000Z",
  "2023-12-31T23:30:00.000Z",
  "2024-07-01T04:30:00.000Z",
  "2024-01-01T04:30:00.000Z",
  "1969-07-20T20:17:40.123Z",
  null,
];
const rowCount = 120;
const table: readonly (readonly Cell[])[] = Array.from({ length: rowCount }, (_, row) => [
  texts[row % texts.length] ?? null,
  numbers[(row * 5) % numbers.length] ?? null,
  instants[(row * 2) % instants.length] ?? null,
]);

/** Creates a plugin over plain arrays that makes one mistake, or none if `mistake` is absent. */
export function plantedPlugin(mistake?: Mistake): Plugin {
  let previous: Cell[][] | undefined;
  return definePlugin({
    datasets: [{ id: "rows", columns }],
    capabilities,
    async query({ query }) {
      if (query.id !== "rows") throw new PluginError("PLUGIN_UNKNOWN_DATASET", [query.id]);
      const unknown = query.columns.find(
        ({ column_id }) => column_id !== "*" && indexOf(column_id) < 0,
      );
      if (unknown) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [query.id, unknown.column_id]);
      let rows = answerOf(query, mistake);
      if (mistake === "previous answer") [rows, previous] = [previous ?? rows, rows];
      const fits = rows.every((row) => row.length === query.columns.length);
      if (!fits) rows = previous ?? [];
      return {
        ...batchOfRows(query.columns.map(columnOf), fitted(rows, query)),
        // The filter is acknowledged even if it was not applied.
        applied: query.filters.map((_, at) => at),
      };
    },
  });
}

/**
 * Keeps only the cells of the previous answer that the columns of this answer allow, because their types may differ.
 */
function fitted(rows: readonly (readonly Cell[])[], query: Query): readonly (readonly Cell[])[] {
  const types = query.columns.map((column) => columnOf(column).type);
  return rows.map((row) =>
    row.map((cell, at) => {
      const isNumber = typeof cell === "number";
      const isInstant = typeof cell === "string" && /^\d{4}-/.test(cell);
      if (cell === null || types[at] === "hierarchy") return cell === null ? null : String(cell);
      return (types[at] === "numeric" ? isNumber : isInstant) ? cell : null;
    }),
  );
}

function columnOf({ column_id, aggregation }: QueryColumn) {
  const own = columns.find(({ id }) => id === column_id);
  const isKept = aggregation === undefined || aggregation === "min" || aggregation === "max";
  return { id: column_id, type: isKept ? (own?.type ?? "numeric") : ("numeric" as const) };
}

const indexOf = (id: string) => columns.findIndex((column) => column.id === id);

function answerOf(query: Query, mistake: Mistake | undefined): Cell[][] {
  const { filters, limit, order = [], options } = query;
  const page = <Row>(rows: readonly Row[]): Row[] => {
    if (!limit) return [...rows];
    let { offset = 0 } = limit;
    if (mistake === "no offset") offset = 0;
    if (mistake === "overlapping pages" && offset > 0) offset--;
    return rows.slice(offset, offset + limit.by);
  };
  const source = mistake === "limit before filter" ? page(table) : table;
  const applied = mistake === "one filter of several" ? filters.slice(0, 1) : filters;
  const kept = source.filter((row) => applied.every((filter) => isKept(row, filter, mistake)));
  let rows = options.pushdown
    ? grouped(kept, query, mistake)
    : kept.map((row) => query.columns.map((column) => shown(row, column, query, mistake)));
  if (mistake === "truncated rows" && !options.pushdown) rows = rows.slice(0, 60);
  if (mistake === "a row twice" && options.pushdown) rows = [...rows.slice(0, 1), ...rows];
  if (mistake === "limit before order") rows = page(rows);
  for (const { column, order: direction } of order.toReversed())
    rows.sort((one, other) =>
      sorted(one[column] ?? null, other[column] ?? null, direction, mistake),
    );
  return mistake === "limit before filter" || mistake === "limit before order" ? rows : page(rows);
}

function sorted(one: Cell, other: Cell, direction: "asc" | "desc", mistake?: Mistake): number {
  if (one === other) return 0;
  const isDescending = direction === "desc";
  if (one === null || other === null) {
    const isNumeric = typeof (one ?? other) === "number";
    const isFirst =
      mistake === "nulls first" ||
      (isDescending && (mistake === "nulls greatest" || (mistake === "NaN greatest" && isNumeric)));
    return (one === null) === isFirst ? -1 : 1;
  }
  const sign = smaller(one, other, mistake) ? -1 : 1;
  return isDescending ? -sign : sign;
}

function smaller(one: Cell, other: Cell, mistake?: Mistake): boolean {
  if (typeof one === "number" && typeof other === "number") return one < other;
  if (mistake === "ICU order") return String(one).localeCompare(String(other), "en") < 0;
  // All of these strings are in the Basic Multilingual Plane, where code units and code points sort alike.
  return String(one) < String(other);
}

/** Returns the form of a cell in which the plugin compares it. */
function canonical(cell: Cell, mistake?: Mistake): Cell {
  if (typeof cell !== "string") return cell;
  if (mistake === "ignores case") return cell.toLowerCase();
  return mistake === "pads" ? cell.replace(/ +$/, "") : cell;
}

function isKept(row: readonly Cell[], filter: Filter, mistake?: Mistake): boolean {
  if (!("column_id" in filter)) throw new TypeError("no groups were promised");
  const cell = row[indexOf(filter.column_id)] ?? null;
  const { expression } = filter;
  if (expression === "is null") return cell === null;
  if (expression === "is not null") return cell !== null;
  if (expression === "not in" && mistake === "not in ignored") return true;
  const isNegative = expression === "!=" || expression.startsWith("not ");
  if (isNegative && cell === null && mistake === "SQL negatives") return false;
  return isNegative !== isMet(cell, filter, mistake);
}

/** Returns whether a cell passes a filter with a positive operator. */
function isMet(cell: Cell, { expression, value = [] }: ColumnFilter, mistake?: Mistake): boolean {
  const [wanted = null] = value;
  const same = (each: Cell) => canonical(each, mistake) === canonical(cell, mistake);
  if (expression === "in" || expression === "not in")
    return value.some((each) => same(each) && !(mistake === "no null in lists" && each === null));
  if (expression === "=" || expression === "!=") return cell !== null && same(wanted);
  if (expression === "like" || expression === "not like")
    return cell !== null && isPart(String(cell), String(wanted), mistake);
  if (!/^[<>]=?$/.test(expression)) throw new TypeError(`${expression} was not promised`);
  if (mistake === "NaN greatest" && cell === null && typeof wanted === "number")
    return expression.startsWith(">");
  if (cell === null || wanted === null) return false;
  if (cell === wanted) return expression.endsWith("=") || mistake === "closed ranges";
  return smaller(cell, wanted) === expression.startsWith("<");
}

function isPart(whole: string, part: string, mistake?: Mistake): boolean {
  if (mistake === "case in like") return whole.includes(part);
  if (mistake !== "wildcards in like") return whole.toLowerCase().includes(part.toLowerCase());
  const pattern = [...part.toLowerCase()]
    .map((sign) => (sign === "%" ? ".*" : sign === "_" ? "." : RegExp.escape(sign)))
    .join("");
  return new RegExp(pattern, "s").test(whole.toLowerCase());
}

function shown(
  row: readonly Cell[],
  column: QueryColumn,
  { options }: Query,
  mistake?: Mistake,
): Cell {
  const cell = row[indexOf(column.column_id)] ?? null;
  if (column.level === undefined || typeof cell !== "string") return cell;
  const zone = mistake === "UTC for every zone" ? "UTC" : (options.timezone_id ?? "UTC");
  return truncated(cell, column.level, zone, mistake);
}

function truncated(cell: string, level: string, zone: string, mistake?: Mistake): string {
  const instant = Temporal.Instant.from(cell);
  const isToday = mistake === "today's offset";
  const fixed = isToday ? Temporal.Now.instant().toZonedDateTimeISO(zone).offset : zone;
  const local = instant.toZonedDateTimeISO(fixed);
  let day = local.startOfDay();
  if (level === "week") {
    const before = mistake === "Sunday weeks" ? day.dayOfWeek % 7 : day.dayOfWeek - 1;
    day = day.subtract({ days: before }).startOfDay();
  } else if (level === "month") day = day.with({ day: 1 }).startOfDay();
  else if (level === "year") day = day.with({ month: 1, day: 1 }).startOfDay();
  return new Date(day.epochMilliseconds).toISOString();
}

function grouped(rows: readonly (readonly Cell[])[], query: Query, mistake?: Mistake): Cell[][] {
  const keys = query.columns.filter(({ aggregation }) => !aggregation);
  const groups = new Map<string, (readonly Cell[])[]>();
  if (keys.length === 0) groups.set("all", []);
  for (const row of rows) {
    const cells = keys.map((column) => shown(row, column, query, mistake));
    if (mistake === "no group of null" && cells.includes(null)) continue;
    const name =
      keys.length === 0 ? "all" : JSON.stringify(cells.map((cell) => canonical(cell, mistake)));
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups.values()].map((members) =>
    query.columns.map((column) => {
      if (column.aggregation) return folded(members, column, mistake);
      return members[0] ? shown(members[0], column, query, mistake) : null;
    }),
  );
}

function folded(
  rows: readonly (readonly Cell[])[],
  { column_id, aggregation }: QueryColumn,
  mistake?: Mistake,
): Cell {
  if (column_id === "*") return rows.length;
  const all = rows.map((row) => row[indexOf(column_id)] ?? null);
  const values = all.filter((cell) => cell !== null);
  const sum = values.reduce((total: number, value) => total + Number(value), 0);
  if (aggregation === "count") return mistake === "counts nulls" ? all.length : values.length;
  if (aggregation === "distinctcount") {
    const isNullCounted = mistake === "counts nulls" && values.length < all.length;
    return new Set(values.map((value) => canonical(value, mistake))).size + Number(isNullCounted);
  }
  if (aggregation === "sum")
    return values.length === 0 && mistake !== "0 for an empty sum" ? null : sum;
  if (aggregation === "average") {
    const count = mistake === "null is 0" ? all.length : values.length;
    if (count === 0) return null;
    return mistake === "integer average" ? Math.trunc(sum / count) : sum / count;
  }
  if (aggregation !== "min" && aggregation !== "max")
    throw new TypeError(`${aggregation} was not promised`);
  const isNan =
    mistake === "NaN greatest" && values.length < all.length && typeof values[0] === "number";
  if (aggregation === "max" && isNan) return null;
  const ordered = values.toSorted((one, other) => sorted(one, other, "asc", mistake));
  return (aggregation === "min" ? ordered[0] : ordered.at(-1)) ?? null;
}
