import { arrayBinding } from "../../catalog/index.ts";
import {
  anonymous,
  ApiError,
  isUuid,
  nobody,
  type Principal,
  type ResourceHandlers,
  wrapHandlers,
} from "../../base/index.ts";
import type { Standing, UserColumns } from "./principalOf.ts";
import type { AccessOptions } from "./readCredentials.ts";
import { visitorOf } from "./readShare.ts";

/**
 * Selects the oldest public dashboard that uses all given datasets. A dashboard is public if it and all its datasets
 * are in the Public group of its owner's organization.
 */
const statement = `
  select d.id as "dashboardId", to_jsonb(u) as "user", to_jsonb(o) as standing,
         array(select l.dataset_id from securable_dataset l where l.dashboard_id = d.id) as datasets
    from securable d
    join "user" u on u.id = d.owner_id
    join organization_user o on o.user_id = u.id
    join "group" g on g.organization_id = o.organization_id and g.public
    join securable_group p on p.securable_id = d.id and p.group_id = g.id and p."flagRead"
   where d.type = 'dashboard'
     and d.id in (select l.dashboard_id from securable_dataset l where l.dataset_id = any(?::uuid[])
                   group by l.dashboard_id having count(*) = ?)
     and not exists (select 1 from securable_dataset l
                      where l.dashboard_id = d.id
                        and not exists (select 1 from securable_group q
                                         where q.securable_id = l.dataset_id and q.group_id = g.id and q."flagRead"))
   order by d.created_at, d.id
   limit 1`;

interface Found {
  readonly dashboardId: string;
  readonly user: UserColumns;
  readonly standing: Standing;
  readonly datasets: readonly string[];
}

/** Maximum number of datasets in one call without credentials. */
const mostNamed = 100;

/** The `dataset_id` that names the answer of an inner query, whose datasets the find names as well. */
const innerAnswer = "from";

/** Collects the ids of the datasets that a find names anywhere, even in inner queries. */
function namedIn(value: unknown, found: Set<string>): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return found;
  for (const [member, each] of Object.entries(value))
    if (member !== "dataset_id" || typeof each !== "string") namedIn(each, found);
    else if (each !== innerAnswer) found.add(each.toLowerCase());
  return found;
}

/**
 * Returns the principal of a call that queries datasets without credentials: a visitor of a public dashboard that shows
 * all of these datasets. The visitor has the rights of a private link to the dashboard. Executes one SQL statement.
 * @throws {ApiError} UNAUTHORIZED if no such dashboard exists
 */
async function readPublic({ catalog, cipher }: AccessOptions, find: unknown): Promise<Principal> {
  const ids = [...namedIn(find, new Set())];
  if (ids.length === 0 || ids.length > mostNamed || !ids.every(isUuid))
    throw new ApiError("UNAUTHORIZED");
  const { rows }: { rows: Found[] } = await catalog.knex.raw(statement, [
    arrayBinding(ids),
    ids.length,
  ]);
  const [found] = rows;
  if (!found) throw new ApiError("UNAUTHORIZED");
  return visitorOf({ id: nobody, ...found }, cipher);
}

/** Lets callers without credentials query public data with the action `get` of `data`, but call no other action. */
export function openToPublic(handlers: ResourceHandlers, options: AccessOptions): ResourceHandlers {
  return wrapHandlers(handlers, (handler, action) => async (call) => {
    if (call.principal !== anonymous) return handler(call);
    if (action !== "get") throw new ApiError("UNAUTHORIZED");
    return handler({ ...call, principal: await readPublic(options, call.body.find) });
  });
}
