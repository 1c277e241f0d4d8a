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

/**
 * A mistake that a plugin can be created with. This list was written independently of the kit's list of deviations.
 */
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
  | "a row twice"
  | "!= drops null"
  | "limit + 1"
  | "limit + 3"
  | "limit - 1"
  | "case everywhere"
  | "accents"
  | "trims"
  | "nested groups dropped"
  | "nested groups flattened"
  | "or as and"
  | "Saturday weeks"
  | "local starts"
  | "offset + 1"
  | "descending ignored"
  | "not in with null"
  | "empty lists pass"
  | "filters a day late"
  | "like from the start"
  | "numbers as strings"
  | "distinct count"
  | "empty is null"
  | "case in one column";

/** Matches the description that the kit must give of each mistake. */
export const mistakeNames: Readonly<Record<Mistake, RegExp>> = {
  "ignores case": /^ignores case when it compares strings$/,
  pads: /^ignores trailing spaces when it compares strings$/,
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
  "SQL negatives": /^drops rows with null under negative operators$/,
  "no null in lists": /^ignores null in lists$/,
  "not in ignored": /^ignores the operator not in$/,
  "one filter of several": /^acknowledges several filters and applies only the first$/,
  "counts nulls": /^counts nulls$/,
  "truncated rows": /^truncates its answer: 60 of 120 rows$/,
  "previous answer": /^returns the answer to the previous query$/,
  "a row twice": /^repeats rows$/,
  "!= drops null": /^drops rows with null under !=$/,
  "limit + 1": /^returns one row more than the limit$/,
  "limit + 3": /^returns 3 rows more than the limit$/,
  "limit - 1": /^returns one row fewer than the limit$/,
  "case everywhere": /^ignores case when it compares strings$/,
  accents: /^ignores accents when it compares strings$/,
  trims: /^trims strings before it compares them$/,
  "nested groups dropped": /^ignores groups inside groups$/,
  "nested groups flattened": /^reads the members of inner groups as members of the outer group$/,
  "or as and": /^treats "or" as "and"$/,
  "Saturday weeks": /^starts weeks on Saturday$/,
  "local starts": /^returns the local start of a period as if it were UTC$/,
  "offset + 1": /^skips one row more than the offset$/,
  "descending ignored": /^ignores the direction of the order$/,
  "not in with null": /^lets no row pass if the list of not in contains null$/,
  "empty lists pass": /^lets every row pass if the list of in or not in is empty$/,
  "filters a day late": /^moves the datetimes in filters by 1 day$/,
  "like from the start": /^treats like as starts with$/,
  "numbers as strings": /^compares numbers as strings$/,
  "distinct count": /^counts distinct values instead of values$/,
  "empty is null": /^treats empty strings as null in filters$/,
  "case in one column": /^ignores case when it compares strings, in the column "text"$/,
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
    nested: true,
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
  { id: "other", type: "hierarchy" },
] as const;

const texts = [
  "Anna",
  "anna",
  "ANNA",
  "anna ",
  "Émile",
  "émile",
  "Emile",
  " anna",
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
  texts[(row * 3) % texts.length] ?? null,
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
 * Keeps only the cells of the previous answer that fit the types of this answer's columns, because the types of the two
 * answers may differ.
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
    let { by, offset = 0 } = limit;
    if (mistake === "limit + 1") by += 1;
    if (mistake === "limit + 3") by += 3;
    if (mistake === "limit - 1") by -= 1;
    if (mistake === "offset + 1") offset += 1;
    if (mistake === "no offset") offset = 0;
    if (mistake === "overlapping pages" && offset > 0) offset--;
    return rows.slice(offset, offset + Math.max(0, by));
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
  for (const { column, order: direction } of order.toReversed()) {
    const used = mistake === "descending ignored" ? "asc" : direction;
    rows.sort((one, other) => sorted(one[column] ?? null, other[column] ?? null, used, mistake));
  }
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
  if (mistake === "case everywhere" && canonical(one, mistake) === canonical(other, mistake))
    return 0;
  const sign = smaller(one, other, mistake) ? -1 : 1;
  return isDescending ? -sign : sign;
}

function smaller(one: Cell, other: Cell, mistake?: Mistake): boolean {
  const areNumbers = typeof one === "number" && typeof other === "number";
  if (areNumbers && mistake !== "numbers as strings") return one < other;
  if (mistake === "case everywhere") return String(one).toLowerCase() < String(other).toLowerCase();
  if (mistake === "ICU order") return String(one).localeCompare(String(other), "en") < 0;
  // All of these strings are in the Basic Multilingual Plane, where code units and code points sort alike.
  return String(one) < String(other);
}

/** Converts a cell to the form in which the plugin compares cells. */
function canonical(cell: Cell, mistake?: Mistake): Cell {
  if (typeof cell !== "string") return cell;
  if (mistake === "ignores case" || mistake === "case everywhere") return cell.toLowerCase();
  if (mistake === "accents") return cell.normalize("NFD").replaceAll(/\p{M}/gu, "");
  if (mistake === "trims") return cell.trim();
  return mistake === "pads" ? cell.replace(/ +$/, "") : cell;
}

function isKept(row: readonly Cell[], filter: Filter, mistake?: Mistake, depth = 0): boolean {
  if (!("column_id" in filter)) return isKeptByGroup(row, filter, mistake, depth);
  const cell = readCell(row, filter, mistake);
  const { expression, value = [] } = filter;
  if (expression === "is null") return cell === null;
  if (expression === "is not null") return cell !== null;
  if (expression === "not in" && mistake === "not in ignored") return true;
  if (expression === "not in" && mistake === "not in with null" && value.includes(null))
    return false;
  const isList = expression === "in" || expression === "not in";
  if (isList && value.length === 0 && mistake === "empty lists pass") return true;
  const isNegative = expression === "!=" || expression.startsWith("not ");
  if (isNegative && cell === null && mistake === "SQL negatives") return false;
  if (expression === "!=" && cell === null && mistake === "!= drops null") return false;
  return isNegative !== isMet(cell, filter, mistake);
}

function readCell(row: readonly Cell[], { column_id }: ColumnFilter, mistake?: Mistake): Cell {
  const cell = row[indexOf(column_id)] ?? null;
  if (mistake === "empty is null" && cell === "") return null;
  // A plugin that compares with the filter's datetime, moved by a day, moves the cell in the other direction.
  if (mistake === "filters a day late" && column_id === "at" && typeof cell === "string")
    return new Date(Date.parse(cell) - 86_400_000).toISOString();
  return cell;
}

function isKeptByGroup(
  row: readonly Cell[],
  group: Exclude<Filter, ColumnFilter>,
  mistake: Mistake | undefined,
  depth: number,
): boolean {
  const isAnd = "and" in group || mistake === "or as and";
  let members = "and" in group ? group.and : group.or;
  const isGroup = (member: Filter) => !("column_id" in member);
  if (mistake === "nested groups dropped") {
    members = members.filter((member) => !isGroup(member));
    if (members.length === 0) return true;
  }
  if (mistake === "nested groups flattened") members = members.flatMap(leavesOf);
  const passes = (member: Filter) => isKept(row, member, mistake, depth + 1);
  return isAnd ? members.every(passes) : members.some(passes);
}

function leavesOf(filter: Filter): readonly Filter[] {
  if ("column_id" in filter) return [filter];
  return ("and" in filter ? filter.and : filter.or).flatMap(leavesOf);
}

/** Returns whether a cell passes a filter with a positive operator. */
function isMet(
  cell: Cell,
  { column_id, expression, value: given = [] }: ColumnFilter,
  planted?: Mistake,
): boolean {
  const isOneColumn = planted === "case in one column" && column_id === "text";
  const mistake = isOneColumn ? "ignores case" : planted;
  const value =
    mistake === "empty is null" ? given.map((each) => (each === "" ? null : each)) : given;
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
  const isEqual =
    mistake === "case everywhere"
      ? canonical(cell, mistake) === canonical(wanted, mistake)
      : cell === wanted;
  if (isEqual) return expression.endsWith("=") || mistake === "closed ranges";
  return smaller(cell, wanted, mistake) === expression.startsWith("<");
}

function isPart(whole: string, part: string, mistake?: Mistake): boolean {
  if (mistake === "case in like") return whole.includes(part);
  if (mistake === "like from the start") return whole.toLowerCase().startsWith(part.toLowerCase());
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
    const first = mistake === "Sunday weeks" ? 7 : mistake === "Saturday weeks" ? 6 : 1;
    const before = (day.dayOfWeek - first + 7) % 7;
    day = day.subtract({ days: before }).startOfDay();
  } else if (level === "month") day = day.with({ day: 1 }).startOfDay();
  else if (level === "year") day = day.with({ month: 1, day: 1 }).startOfDay();
  if (mistake === "local starts") return `${day.toPlainDateTime().toString()}.000Z`;
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
  if (aggregation === "count" && mistake === "distinct count") return new Set(values).size;
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
