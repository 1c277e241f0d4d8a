import type { DashboardEvents } from "../dashboard/index.ts";
import type { DashboardEvent, ManifoldDashboard, ManifoldItem } from "./manifoldDashboard.ts";

/** Properties that pages set on `<manifold-dashboard>`, for the typings of a framework. */
export type DashboardProperties = Partial<
  Pick<
    ManifoldDashboard,
    | "dashboard"
    | "host"
    | "authKey"
    | "authToken"
    | "getToken"
    | "theme"
    | "locale"
    | "timezone"
    | "screen"
    | "filters"
    | "parameters"
  >
>;

/** Properties that pages set on `<manifold-item>`. */
export type ItemProperties = DashboardProperties & Partial<Pick<ManifoldItem, "item">>;

/** Event listeners of the elements, under the names that React uses, such as `onfilter`. */
export type DashboardListeners = {
  readonly [Name in keyof DashboardEvents as `on${Name}`]?: (event: DashboardEvent<Name>) => void;
};
