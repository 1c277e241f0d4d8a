// Items that charts of an organization's own draw, in frames that reach nothing.
// May import: core/charts, core/console/embed/host, core/console/embed/view.
export { createCustomView } from "./createCustomView.ts";
export { customType } from "./readChart.ts";
