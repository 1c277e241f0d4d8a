import {
  type Capabilities,
  type ColumnFilter,
  type Filter,
  isGroup,
  leaves,
  namesIn,
  PluginError,
  type Query,
} from "../protocol/index.ts";

/**
 * Refuses clauses that a plugin does not declare, because the plugin would ignore them silently. It does not check
 * whether an operator is declared for the type of a column, because only the plugin knows its columns.
 * @throws {PluginError} PLUGIN_NOT_OFFERED that names the clause
 */
export function checkDeclared(query: Query, capabilities: Capabilities): void {
  const { filters, grouping } = capabilities;
  const { pushdown, timezone_id = "UTC" } = query.options;
  if (query.filters.length > 0 && !filters) throw notOffered("filters");
  if (query.joins?.length && !capabilities.joins) throw notOffered("joins");
  if (query.having?.length && !capabilities.having) throw notOffered("having");
  if (query.order?.length && !capabilities.order) throw notOffered("order");
  if (query.groupLimit && !capabilities.groupLimit) throw notOffered("groupLimit");
  if (query.limit && !capabilities.limit) throw notOffered("limit");
  if (pushdown && !grouping) throw notOffered("grouping");
  const checkFilter = (filter: Filter): void => {
    if (isGroup(filter) && !filters?.nested) throw notOffered("nested filters");
    leaves(filter).forEach(checkTest);
  };
  const checkTest = ({ expression, level, value = [] }: ColumnFilter): void => {
    if (!filters?.operators[expression] && !filters?.superset?.[expression])
      throw notOffered(`the operator ${expression}`);
    if (level && !filters.levels) throw notOffered("filters on a level");
    if (value.length > (filters.listLength ?? Infinity))
      throw notOffered(`lists longer than ${filters.listLength}`);
  };
  query.filters.forEach(checkFilter);
  const joins = query.joins ?? [];
  for (const join of joins) {
    const isFiltered = (join.filters ?? join.derived) !== undefined;
    if (isFiltered && !capabilities.joinFilters) throw notOffered("filters of a join");
    if (join.and && !capabilities.compositeJoins) throw notOffered("joins by several columns");
    if (join.filters?.length && !filters) throw notOffered("filters");
    join.filters?.forEach(checkFilter);
  }
  const derived = [query, ...joins].flatMap((each) => each.derived ?? []);
  for (const { expression } of derived) {
    if (!capabilities.expressions) throw notOffered("derived columns");
    const { functions } = capabilities.expressions;
    const missing = namesIn(expression).functions.find((name) => !functions.includes(name));
    if (missing) throw notOffered(`the function ${missing}`);
  }
  for (const { aggregation, level, bin, per } of query.columns) {
    if (per && !capabilities.cumulativePer) throw notOffered("cumulative sums per group of rows");
    if (bin && !capabilities.bins) throw notOffered("bins");
    const isWhole = !bin || (Number.isInteger(bin.width) && bin.origin === 0);
    if (!isWhole && !capabilities.decimalBins)
      throw notOffered("bins whose width is not a whole number or whose origin is not 0");
    if (aggregation && !grouping?.aggregations.includes(aggregation))
      throw notOffered(`the aggregation ${aggregation}`);
    if (!level) continue;
    const isKey = pushdown && !aggregation;
    if (!grouping?.levels.includes(level) || (!isKey && !capabilities.levelsAnywhere))
      throw notOffered(`the level ${level} in this column`);
    if (timezone_id !== "UTC" && !grouping.timezones)
      throw notOffered(`levels in the time zone ${timezone_id}`);
  }
}

function notOffered(what: string): PluginError {
  return new PluginError("PLUGIN_NOT_OFFERED", [what]);
}
