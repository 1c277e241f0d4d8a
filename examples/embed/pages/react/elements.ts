import type { ClassAttributes } from "react";
import type {
  DashboardListeners,
  DashboardProperties,
  EditorListeners,
  EditorProperties,
  ManifoldDashboard,
} from "@manifold-analytics/embed";

interface DashboardAttributes
  extends DashboardProperties, DashboardListeners, ClassAttributes<ManifoldDashboard> {}

interface EditorAttributes
  extends EditorProperties, EditorListeners, ClassAttributes<HTMLElement> {}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "manifold-dashboard": DashboardAttributes;
      "manifold-editor": EditorAttributes;
    }
  }
}
