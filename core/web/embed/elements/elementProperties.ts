import type { DashboardEvents } from "../dashboard/index.ts";
import type { DashboardEvent, ManifoldDashboard } from "./manifoldDashboard.ts";
import type { ManifoldItem } from "./manifoldItem.ts";

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
    | "menu"
    | "view"
    | "state"
  >
>;

/** Properties that pages set on `<manifold-item>`. */
export type ItemProperties = DashboardProperties &
  Partial<Pick<ManifoldItem, "item" | "type" | "slots" | "options" | "contextId" | "canFilter">>;

/** Event listeners of the elements, under the names that React uses, such as `onfilter`. */
export type DashboardListeners = {
  readonly [Name in keyof DashboardEvents as `on${Name}`]?: (event: DashboardEvent<Name>) => void;
};
