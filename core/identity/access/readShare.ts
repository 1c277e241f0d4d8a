import { ApiError, nobody, type Principal } from "../../base/index.ts";
import { ownOverridesOf } from "./ownOverrides.ts";
import type { AccessOptions } from "./readCredentials.ts";
import { refuseWithout } from "./features/refuseWithout.ts";
import { issuerOf, type Standing, type UserColumns } from "./principalOf.ts";

/**
 * Selects the dashboard and datasets of a share, and whether each of them is in the Public group of the owner's
 * organization.
 */
const statement = `
  select s.id, to_jsonb(u) as "user", to_jsonb(o) as standing, c.id as "dashboardId",
         exists (select 1 from securable_group l where l.securable_id = c.id and l.group_id = g.id and l."flagRead") as "isPublic",
         (select coalesce(jsonb_agg(jsonb_build_object('id', d.dataset_id, 'isPublic', exists (
                   select 1 from securable_group l
                    where l.securable_id = d.dataset_id and l.group_id = g.id and l."flagRead"))), '[]')
            from securable_dataset d where d.dashboard_id = c.id) as datasets
    from share s
    join "user" u on u.id = s.user_id
    join organization_user o on o.user_id = u.id
    join "group" g on g.organization_id = o.organization_id and g.public
    left join securable c on c.id = s.securable_id and c.type = 'dashboard'
   where s.id = ?`;

interface Found {
  readonly id: string;
  readonly user: UserColumns;
  readonly standing: Standing;
  readonly dashboardId: string | null;
  readonly isPublic: boolean;
  readonly datasets: readonly { readonly id: string; readonly isPublic: boolean }[];
}

/** Returns the id of the share that a body sends as its `key` without a token; undefined for any other body. */
export function shareKeyOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const { key, token } = body;
  return token === undefined && typeof key === "string" && /^[\w-]{22}$/.test(key)
    ? key
    : undefined;
}

/**
 * Returns the principal of a visitor with a private link. The visitor is not a user. A visitor can read one dashboard
 * and query its datasets, as far as the owner of the share can reach them now. Executes one SQL statement.
 * @throws {ApiError} UNAUTHORIZED for a share that does not exist, FORBIDDEN for a share that is not open
 */
export async function readShare(
  { catalog, cipher }: AccessOptions,
  key: string,
): Promise<Principal> {
  const { rows }: { rows: Found[] } = await catalog.knex.raw(statement, [key]);
  const [found] = rows;
  if (!found) throw new ApiError("UNAUTHORIZED");
  const { id, user, standing, dashboardId, isPublic, datasets } = found;
  if (dashboardId === null || !isPublic || !datasets.every((dataset) => dataset.isPublic))
    throw new ApiError("FORBIDDEN", [
      "open this share; its dashboard must exist and be in the Public group with all its datasets",
    ]);
  const ids = datasets.map((dataset) => dataset.id);
  return visitorOf({ id, user, standing, dashboardId, datasets: ids }, cipher);
}

/**
 * Returns the visitor of a dashboard. The visitor is not a user. A visitor can read the dashboard and query its
 * datasets, as far as the user who opened the dashboard to visitors can reach them.
 * @throws {ApiError} FORBIDDEN if this user may no longer share
 */
export function visitorOf(
  {
    id,
    user,
    standing,
    dashboardId,
    datasets,
  }: Pick<Found, "id" | "user" | "standing"> & {
    readonly dashboardId: string;
    readonly datasets: readonly string[];
  },
  cipher: AccessOptions["cipher"],
): Principal {
  const issuer = issuerOf(nobody, {
    issuer: user,
    issuerStanding: standing,
    issuerOwn: ownOverridesOf(user, cipher),
  });
  refuseWithout("flag_private_sharing", issuer, "open shared data");
  return {
    authorizationId: id,
    authorizationType: "share",
    userId: nobody,
    organizationId: standing.organization_id,
    organizationRole: "member",
    name: "",
    email: "",
    restriction: {
      issuer,
      role: "viewer",
      securables: new Map([
        [dashboardId, "read"],
        ...datasets.map((datasetId): [string, "use"] => [datasetId, "use"]),
      ]),
      collections: new Map(),
      integrationId: undefined,
      filters: [],
      parameters: new Map(),
      hiddenColumns: new Set(),
      accountOverrides: new Map(),
      environment: null,
      metadata: undefined,
    },
  };
}
