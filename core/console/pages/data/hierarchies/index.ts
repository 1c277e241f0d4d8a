// Hierarchies: the levels of text columns, and the labels and colours of their values.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/parts; lit.
export { HierarchiesView } from "./hierarchiesView.ts";
