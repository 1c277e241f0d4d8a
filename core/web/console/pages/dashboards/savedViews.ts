import type { DashboardState } from "../../../embed/index.ts";
import type { Api } from "../../api/index.ts";

/** What someone chose in a dashboard, saved under a name. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly state: unknown;
  readonly shared: boolean;
  readonly is_default: boolean;
  readonly user_id: string;
}

/** Maximum number of views that the console lists. */
const mostViews = 200;

/** Fetches the views of a dashboard that the reader can use, sorted by name. */
export async function readViews(
  api: Api,
  dashboardId: string,
  signal?: AbortSignal,
): Promise<readonly SavedView[]> {
  const find = {
    where: { securable_id: dashboardId },
    attributes: ["id", "name", "state", "shared", "is_default", "user_id"],
    order: [["name", "asc"]],
    limit: mostViews,
  };
  return (await api.get<SavedView>("savedview", find, { signal })).rows;
}

/** Saves a state as a new view. */
export const createView = (
  api: Api,
  dashboardId: string,
  given: { readonly name: string; readonly shared: boolean; readonly state: DashboardState },
): Promise<SavedView> => api.create("savedview", { securable_id: dashboardId, ...given });
