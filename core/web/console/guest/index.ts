// Elements for pages of other sites that show pages of the console with the rights of a token.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation, core/web/console/pages/ask,
// core/web/console/pages/dashboards, core/web/console/pages/explore, core/web/console/parts, core/web/console/styles,
// core/web/embed; lit.
export { guestStyles } from "./guestStyles.ts";
export { ManifoldAsk } from "./manifoldAsk.ts";
export { ManifoldEditor } from "./manifoldEditor.ts";
export { ManifoldExplore } from "./manifoldExplore.ts";
