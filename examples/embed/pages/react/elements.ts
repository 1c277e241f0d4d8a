import type { ClassAttributes } from "react";
import type {
  DashboardListeners,
  DashboardProperties,
  ManifoldDashboard,
} from "@manifold-analytics/embed";

interface DashboardAttributes
  extends DashboardProperties, DashboardListeners, ClassAttributes<ManifoldDashboard> {}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "manifold-dashboard": DashboardAttributes;
    }
  }
}
