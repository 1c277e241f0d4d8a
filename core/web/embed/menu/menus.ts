// The menus of items and of marks, which share one script.
export { offerMark } from "./offerMark.ts";
export { openMenu } from "./openMenu.ts";
