import type { DefineComponent } from "vue";
import type { DashboardProperties } from "@manifold-analytics/embed";

declare module "vue" {
  interface GlobalComponents {
    "manifold-dashboard": DefineComponent<DashboardProperties>;
  }
}
