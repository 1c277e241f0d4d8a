// Hierarchies: the levels of text columns, and the labels and colours of their values.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation, core/web/console/parts,
// core/web/console/questions; lit.
export { HierarchiesView } from "./hierarchiesView.ts";
