import type { DefineComponent } from "vue";
import type { DashboardProperties, EditorProperties } from "@manifold-analytics/embed";

declare module "vue" {
  interface GlobalComponents {
    "manifold-dashboard": DefineComponent<DashboardProperties>;
    "manifold-editor": DefineComponent<EditorProperties>;
  }
}
