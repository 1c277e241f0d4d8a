import type { ClassAttributes } from "react";
import type { DashboardListeners, DashboardProperties, ManifoldDashboard } from "manifold/embed";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "manifold-dashboard": DashboardProperties &
        DashboardListeners &
        ClassAttributes<ManifoldDashboard>;
    }
  }
}
