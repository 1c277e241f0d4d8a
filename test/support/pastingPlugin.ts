import type { Knex } from "knex";
import {
  answerType,
  batchOfRows,
  PluginError,
  type Capabilities,
  type Cell,
  type ColumnFilter,
  type Plugin,
  type QueryColumn,
} from "../../plugins/protocol/index.ts";
import type { PlainTable } from "./plainAnswer.ts";

const sqlTypes = { numeric: "double precision", datetime: "timestamptz", hierarchy: "text" };

/**
 * Opens a plugin over a PostgreSQL table. Like a published plugin, it inserts values into its statements without
 * escaping them. A quote in a value therefore ends the SQL string. Null passes no filter, as in SQL.
 */
export async function openPastingPlugin(
  knex: Knex,
  id: string,
  columns: PlainTable["columns"],
  rows: readonly (readonly Cell[])[],
  capabilities: Capabilities,
): Promise<Plugin> {
  const named = columns.map((column) => `"${column.id}" ${sqlTypes[column.type]}`);
  await knex.raw(`create table "${id}" (${named.join(", ")})`);
  for (const row of rows)
    await knex.raw(`insert into "${id}" values (${row.map(() => "?").join(", ")})`, [...row]);
  const typeOf = (columnId: string) => columns.find((column) => column.id === columnId);
  const valueSql = ({ column_id, level }: Pick<QueryColumn, "column_id" | "level">): string =>
    level ? `date_trunc('${level}', "${column_id}" at time zone 'UTC')` : `"${column_id}"`;
  const textSql = (column: QueryColumn): string => {
    const own = typeOf(column.column_id);
    if (own?.type !== "datetime") return valueSql(column);
    const at = column.level ? valueSql(column) : `"${column.column_id}" at time zone 'UTC'`;
    return `to_char(${at}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  };
  const selectSql = (column: QueryColumn): string => {
    const { column_id, aggregation } = column;
    if (!aggregation) return textSql(column);
    if (column_id === "*") return "count(*)";
    if (aggregation === "distinctcount") return `count(distinct ${textSql(column)})`;
    return `${aggregation}(${aggregation === "count" ? valueSql(column) : textSql(column)})`;
  };
  const pasted = (cell: Cell): string => (typeof cell === "string" ? `'${cell}'` : String(cell));
  const testSql = ({ column_id, expression, value = [] }: ColumnFilter): string => {
    if (expression.endsWith("null")) return `"${column_id}" ${expression}`;
    const values = value.map(pasted);
    const sign = expression === "!=" ? "<>" : expression;
    return expression.endsWith("in")
      ? `"${column_id}" ${expression} (${values.join(", ") || "null"})`
      : `"${column_id}" ${sign} ${values[0]}`;
  };
  return {
    capabilities,
    datasets: async () => [
      {
        id,
        name: { en: id },
        columns: columns.map((each) => ({ ...each, name: { en: each.id } })),
      },
    ],
    async query({ query }) {
      const tests = query.filters.map((filter) => {
        if ("column_id" in filter) return testSql(filter);
        throw new PluginError("PLUGIN_NOT_OFFERED", ["nested filters"]);
      });
      const keys = query.columns.filter(({ aggregation }) => !aggregation).map(valueSql);
      const isGrouped = query.options.pushdown && keys.length > 0;
      const statement = [
        `select ${query.columns.map((column, index) => `${selectSql(column)} as c${index}`).join(", ")} from "${id}"`,
        ...(tests.length > 0 ? [`where ${tests.join(" and ")}`] : []),
        ...(isGrouped ? [`group by ${keys.join(", ")}`] : []),
      ].join(" ");
      const { rows: found } = await knex
        .raw<{ rows: Record<string, unknown>[] }>(statement.replaceAll("?", String.raw`\?`))
        .catch((cause: unknown) => {
          throw new PluginError("PLUGIN_SOURCE_FAILED", ["the statement failed"], { cause });
        });
      return batchOfRows(
        query.columns.map((column) => ({
          id: column.column_id,
          type: answerType(column, typeOf(column.column_id)),
        })),
        found.map(Object.values),
      );
    },
  };
}
