declare module "*.vue" {
  import type { DefineComponent } from "vue";

  const component: DefineComponent<{ host: string; dashboard: string }>;
  export default component;
}
