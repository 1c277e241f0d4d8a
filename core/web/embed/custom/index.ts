// Items that charts of an organization's own draw, in frames that reach nothing.
// May import: core/web/charts, core/web/embed/host, core/web/embed/view.
export { createCustomView } from "./createCustomView.ts";
export { customType } from "./readChart.ts";
