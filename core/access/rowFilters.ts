import type { Catalog } from "../catalog/index.ts";
import { ApiError } from "../errors.ts";
import { parseRowFilter, type FindRowFilters } from "../queries/index.ts";
import type { RowFilter } from "./principal.ts";

const statement = `
  select l.filters from embedfiltergroup_securable l
    join embedfiltergroup g on g.id = l.embedfiltergroup_id
   where g.organization_id = ?::uuid and l.securable_id = ?::uuid`;

/**
 * Makes the finder of the filters on rows that bind a caller on a dataset: those of its token, and those of its
 * organization's embed filter group, which are read at every query. Key pairs that act as their user are under none.
 * @throws {ApiError} ROWS_CLOSED when a stored filter cannot be read
 */
export function createRowFilters({ knex }: Pick<Catalog, "knex">): FindRowFilters {
  return async ({ restriction, organizationId }, datasetId) => {
    if (!restriction) return [];
    const own = restriction.filters.filter((filter) => filter.securable_id === datasetId);
    const { rows }: { rows: { filters: readonly unknown[] }[] } = await knex.raw(statement, [
      organizationId,
      datasetId,
    ]);
    const group = rows.flatMap(({ filters }) => filters);
    return [...own, ...group.map((filter, index) => readStored(filter, datasetId, index))];
  };
}

function readStored(filter: unknown, datasetId: string, index: number): RowFilter {
  try {
    return parseRowFilter(filter, `filters[${index}]`);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new ApiError("ROWS_CLOSED", [datasetId, cause.message], { cause });
  }
}
