import { readWholeState, stateQuery } from "../../web/charts/index.ts";
import type { ReportedAlert } from "./reported.ts";
import { shownState } from "./shownState.ts";

/**
 * Returns the path in the console of the dashboard from which an alert was created, with the choices under which it was
 * created. Undefined without a dashboard.
 */
export function dashboardAddress({
  securable_id: id,
  dashboard_state: given,
  query,
}: Pick<ReportedAlert, "securable_id" | "dashboard_state" | "query">): string | undefined {
  if (id === null) return undefined;
  const { state } = readWholeState(given);
  return `/dashboards/${id}${state ? `?${stateQuery(shownState(state, query))}` : ""}`;
}
