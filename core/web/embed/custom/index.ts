// Items drawn by an organization's own charts, in isolated frames. The script loads with the first such item.
// May import: core/web/charts, core/web/embed/host, core/web/embed/view.
export { loadCustomCover } from "./loadCustomCover.ts";
export { customType } from "./customType.ts";
