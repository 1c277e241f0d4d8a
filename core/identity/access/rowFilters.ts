import { arrayBinding, type Catalog } from "../../catalog/index.ts";
import { ApiError, type Principal, type RowFilter } from "../../base/index.ts";
import { fillParameter, parseRowFilter, type FindRowFilters } from "../../queries/index.ts";

/**
 * Of the organization's filter group, and of every share of the dataset with one of the users, alone, in a group or in
 * an integration. A visitor of a private link is no user, and a member of the Public group alone.
 */
const statement = `
  with asked as (select ?::uuid as securable_id, ?::uuid as organization_id, ?::uuid[] as users,
                        ?::uuid as user_id, ?::uuid as integration_id, ?::boolean as is_token,
                        ?::boolean as is_visitor)
  select null as user_id, l.filters from asked
    join embedfiltergroup_securable l on l.securable_id = asked.securable_id
    join embedfiltergroup g on g.id = l.embedfiltergroup_id and g.organization_id = asked.organization_id
   where asked.is_token
  union all
  select l.user_id, l.filters from asked
    join securable_user l on l.securable_id = asked.securable_id and l.user_id = any(asked.users)
    join securable r on r.id = l.securable_id and r.owner_id <> l.user_id
   where l.filters is not null
  union all
  select m.user_id, l.filters from asked
    join securable_group l on l.securable_id = asked.securable_id
    join membership m on m.group_id = l.group_id and m.user_id = any(asked.users)
    join securable r on r.id = l.securable_id and r.owner_id <> m.user_id
   where l.filters is not null
  union all
  select m.user_id, l.filters from asked
    join securable_integration l on l.securable_id = asked.securable_id
    join integration_membership m on m.integration_id = l.integration_id and m.user_id = any(asked.users)
    join securable r on r.id = l.securable_id and r.owner_id <> m.user_id
   where l.filters is not null
  union all
  select asked.user_id, l.filters from asked
    join securable_integration l
      on l.securable_id = asked.securable_id and l.integration_id = asked.integration_id
   where l.filters is not null
  union all
  select asked.user_id, l.filters from asked
    join "group" g on g.organization_id = asked.organization_id and g.public
    join securable_group l on l.securable_id = asked.securable_id and l.group_id = g.id
   where asked.is_visitor and l.filters is not null`;

interface StoredFilters {
  /** Whose share carries them; null of the filter group. */
  readonly user_id: string | null;
  readonly filters: readonly unknown[];
}

/**
 * Makes the finder of the filters on rows that bind a caller on a dataset, read at every query: those of its token,
 * those of its organization's embed filter group for tokens of browsers, and those of every share of the dataset with
 * its user. All of them hold: a share narrows what its user sees, and no other share widens it again. A token is also
 * under the shares of its issuer, whose parameters it does not fill. The owner of a dataset is under no share of it.
 * @throws {ApiError} ROWS_CLOSED when a stored filter cannot be read
 */
export function createRowFilters({ knex }: Pick<Catalog, "knex">): FindRowFilters {
  return async (principal, datasetId) => {
    const { authorizationType, restriction, organizationId, userId } = principal;
    const users = [userId, ...(restriction ? [restriction.issuer.userId] : [])];
    const { rows }: { rows: readonly StoredFilters[] } = await knex.raw(statement, [
      datasetId,
      organizationId,
      arrayBinding(users),
      userId,
      restriction?.integrationId ?? null,
      restriction !== undefined,
      authorizationType === "share",
    ]);
    const stored = rows.flatMap((row) => {
      const setBy = row.user_id === null ? ("filter_group" as const) : ("share" as const);
      return row.filters
        .flatMap((filter, index) =>
          readStored(filter, datasetId, `filters[${index}]`, issuerOf(principal, row)),
        )
        .map((filter) => ({ ...filter, setBy }));
    });
    const own = restriction?.filters.filter((filter) => filter.securable_id === datasetId) ?? [];
    return [...new Map([...own, ...stored].map((each) => [JSON.stringify(each), each])).values()];
  };
}

/** The issuer of a token, when it is the issuer and not the user that a share is with. */
function issuerOf({ userId, restriction }: Principal, { user_id }: StoredFilters) {
  return user_id !== null && user_id !== userId ? restriction?.issuer : undefined;
}

function readStored(
  filter: unknown,
  datasetId: string,
  path: string,
  issuer: Principal | undefined,
): readonly RowFilter[] {
  try {
    const parsed = parseRowFilter(filter, path);
    if (!issuer) return [parsed];
    const filled = fillParameter(parsed, issuer.own?.parameters ?? new Map(), path);
    return filled ? [filled] : [];
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new ApiError("ROWS_CLOSED", [datasetId, cause.message], { cause });
  }
}
