import { arrayBinding, type Catalog } from "../../catalog/index.ts";
import { ApiError, type Principal, type RowFilter } from "../../base/index.ts";
import { fillParameter, parseRowFilter, type FindRowFilters } from "../../queries/index.ts";

/**
 * Selects the filters of the organization's filter group, and the filters of every share of the dataset with one of the
 * users. Such a share may be direct, through a group or through an integration. A visitor with a private link is not a
 * user, so only shares with the Public group apply to it.
 */
const statement = `
  with target as (select ?::uuid as securable_id, ?::uuid as organization_id, ?::uuid[] as users,
                        ?::uuid as user_id, ?::uuid as integration_id, ?::boolean as is_token,
                        ?::boolean as is_visitor)
  select null as user_id, l.filters from target
    join embedfiltergroup_securable l on l.securable_id = target.securable_id
    join embedfiltergroup g on g.id = l.embedfiltergroup_id and g.organization_id = target.organization_id
   where target.is_token
  union all
  select l.user_id, l.filters from target
    join securable_user l on l.securable_id = target.securable_id and l.user_id = any(target.users)
    join securable r on r.id = l.securable_id and r.owner_id <> l.user_id
   where l.filters is not null
  union all
  select m.user_id, l.filters from target
    join securable_group l on l.securable_id = target.securable_id
    join membership m on m.group_id = l.group_id and m.user_id = any(target.users)
    join securable r on r.id = l.securable_id and r.owner_id <> m.user_id
   where l.filters is not null
  union all
  select m.user_id, l.filters from target
    join securable_integration l on l.securable_id = target.securable_id
    join integration_membership m on m.integration_id = l.integration_id and m.user_id = any(target.users)
    join securable r on r.id = l.securable_id and r.owner_id <> m.user_id
   where l.filters is not null
  union all
  select target.user_id, l.filters from target
    join securable_integration l
      on l.securable_id = target.securable_id and l.integration_id = target.integration_id
   where l.filters is not null
  union all
  select target.user_id, l.filters from target
    join "group" g on g.organization_id = target.organization_id and g.public
    join securable_group l on l.securable_id = target.securable_id and l.group_id = g.id
   where target.is_visitor and l.filters is not null`;

interface StoredFilters {
  /** The user of the share that has the filters; null for the filter group. */
  readonly user_id: string | null;
  readonly filters: readonly unknown[];
}

/**
 * Creates the function with which each query finds the row filters of a caller on a dataset. The filters come from the
 * caller's token, from every share of the dataset with the user, and for embed tokens also from the organization's
 * filter group. A row must pass all of them: a share restricts its user, and no other share makes more rows visible.
 * The shares of a token's issuer also restrict the token, but the token does not set their parameters. Shares do not
 * apply to the owner of a dataset.
 * @throws {ApiError} ROWS_CLOSED when a stored filter cannot be parsed
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

/** Returns the token's issuer if the dataset is shared with the issuer rather than with the token's user. */
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
