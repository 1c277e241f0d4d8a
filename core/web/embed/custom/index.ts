// Items drawn by an organization's own charts, in isolated frames.
// May import: core/web/charts, core/web/embed/host, core/web/embed/view.
export { createCustomView } from "./createCustomView.ts";
export { customType } from "./readChart.ts";
