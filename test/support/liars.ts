import {
  PluginError,
  type Batch,
  type Filter,
  type Plugin,
  type Query,
  type BatchColumn,
} from "../../plugins/protocol/index.ts";
import { createPlainPlugin, type PlainPlugin } from "./plainPlugin.ts";

/**
 * A plugin that breaks one of its promises. It passes queries on to a plugin that keeps its promises, and changes the
 * queries or the answers.
 */
export interface Liar {
  readonly does: string;
  lie(honest: PlainPlugin): Plugin;
}

/** Plugins that break promises. They cover all kinds of broken promises that are known from existing plugins. */
export const liars: readonly Liar[] = [
  { does: "ignores != and not in", lie: (honest) => withoutFilters(honest, /^(!=|not in)$/) },
  { does: "ignores = and in", lie: (honest) => withoutFilters(honest, /^(=|in)$/) },
  { does: "ignores all filters", lie: (honest) => withoutFilters(honest, /./) },
  {
    does: "drops null under every test",
    lie: (honest) =>
      changingQuery(honest, (query) => ({
        ...query,
        filters: [...query.filters, ...notNull(query)],
      })),
  },
  {
    does: "sends every group twice",
    lie: (honest) =>
      answering(honest, ({ options }, batch) => (options.pushdown ? twice(batch) : batch)),
  },
  { does: "sends a group in two parts", lie: inParts },
  { does: "starts weeks on Sunday", lie: (honest) => answering(honest, onSundays) },
  { does: "ignores levels", lie: (honest) => changingQuery(honest, withoutLevels) },
  {
    does: "truncates in the time zone of its server",
    lie: (honest) =>
      changingQuery(honest, (query) => ({
        ...query,
        options: { ...query.options, timezone_id: "America/New_York" },
      })),
  },
  { does: "returns null for extremes", lie: (honest) => answering(honest, withoutExtremes) },
  {
    does: "sorts in the opposite direction",
    lie: (honest) =>
      changingQuery(honest, ({ order = [], ...query }) => ({
        ...query,
        ...(order.length > 0 && {
          order: order.map((item) => ({ ...item, order: item.order === "asc" ? "desc" : "asc" })),
        }),
      })),
  },
];

/**
 * Returns a plugin that repeats its previous answer if this answer has the right shape for the query. If not, the call
 * fails, because the host would refuse an answer of another shape.
 */
export function repeater(honest: PlainPlugin): Plugin {
  let before: Batch | undefined;
  return answering(honest, (_, batch) => {
    const answer = before ?? batch;
    before = batch;
    const shapeOf = ({ columns }: Batch) => columns.map(({ type }) => type).join();
    if (shapeOf(answer) === shapeOf(batch)) return answer;
    throw new PluginError("PLUGIN_BAD_ANSWER", ["another query's answer"]);
  });
}

function changingQuery(honest: PlainPlugin, change: (query: Query) => Query): Plugin {
  return { ...honest, query: (call) => honest.query({ ...call, query: change(call.query) }) };
}

/**
 * Returns a plugin that changes each answer. The plugin returns the answer in one piece, because rows that were passed
 * to `append` can no longer be changed.
 */
function answering(honest: PlainPlugin, change: (query: Query, batch: Batch) => Batch): Plugin {
  return {
    ...honest,
    async query({ query, credentials, signal }) {
      return change(query, await honest.query({ query, credentials, signal }));
    },
  };
}

function withoutFilters(honest: PlainPlugin, ignored: RegExp): Plugin {
  const kept = (filters: readonly Filter[]): Filter[] =>
    filters.flatMap((filter): readonly Filter[] => {
      if ("and" in filter) return [{ and: kept(filter.and) }];
      // Ignoring one filter of an `or` makes the whole `or` pass every row, so it is removed.
      if ("or" in filter) return kept(filter.or).length < filter.or.length ? [] : [filter];
      return ignored.test(filter.expression) ? [] : [filter];
    });
  return changingQuery(honest, (query) => ({ ...query, filters: kept(query.filters) }));
}

function notNull({ filters }: Query): Filter[] {
  return filters.flatMap((filter) =>
    "column_id" in filter && filter.expression !== "is null"
      ? [{ column_id: filter.column_id, expression: "is not null" as const }]
      : [],
  );
}

function withoutLevels(query: Query): Query {
  const columns = query.columns.map((column) => {
    const { level: _, ...raw } = column;
    return raw;
  });
  return { ...query, columns };
}

/** Returns a plugin that groups two halves of the rows separately and concatenates the two answers. */
function inParts(honest: PlainPlugin): Plugin {
  return {
    ...honest,
    async query(call) {
      const known = (await honest.datasets(call)).find((each) => each.id === call.query.id);
      const { id, columns } = known ?? { id: "", columns: [] };
      const rows = honest.rowsOf(id) ?? [];
      const half = async (parity: number) => {
        const part = createPlainPlugin(honest.capabilities);
        const cells = rows.map((row) => columns.map((column) => row[column.id] ?? null));
        part.fill(
          id,
          columns,
          cells.filter((_, index) => index % 2 === parity),
        );
        return part.query(call);
      };
      const [even, odd] = [await half(0), await half(1)];
      return {
        rowCount: even.rowCount + odd.rowCount,
        columns: even.columns.map((vector, index) =>
          joined(vector, odd.columns[index] as BatchColumn),
        ),
      };
    },
  };
}

function twice({ rowCount, columns }: Batch): Batch {
  return { rowCount: rowCount * 2, columns: columns.map((vector) => joined(vector, vector)) };
}

function joined(one: BatchColumn, other: BatchColumn): BatchColumn {
  if (one.type === "hierarchy" && other.type === "hierarchy") {
    const texts = [one, other].flatMap(({ codes, dictionary }) =>
      Array.from(codes, (code) => dictionary[code]),
    );
    const dictionary = [...new Set(texts.filter((text) => text !== undefined))];
    const codes = texts.map((text) => (text === undefined ? -1 : dictionary.indexOf(text)));
    return { type: "hierarchy", codes: Int32Array.from(codes), dictionary };
  }
  if (one.type === "hierarchy" || other.type === "hierarchy") throw new TypeError("other types");
  return { ...one, values: Float64Array.from([...one.values, ...other.values]) };
}

const dayMs = 86_400_000;

/** Moves the start of each week from Monday to the Sunday before it, and keeps the rows. */
function onSundays({ columns }: Query, batch: Batch): Batch {
  const moved = batch.columns.map((vector, index): BatchColumn =>
    columns[index]?.level === "week" && vector.type === "datetime"
      ? { ...vector, values: vector.values.map((at) => at - dayMs) }
      : vector,
  );
  return { ...batch, columns: moved };
}

function withoutExtremes({ columns }: Query, batch: Batch): Batch {
  const emptied = batch.columns.map((vector, index): BatchColumn => {
    const { aggregation } = columns[index] ?? {};
    if (aggregation !== "min" && aggregation !== "max") return vector;
    return vector.type === "hierarchy"
      ? { ...vector, codes: vector.codes.map(() => -1) }
      : { ...vector, values: vector.values.map(() => Number.NaN) };
  });
  return { ...batch, columns: emptied };
}
