// Tokens: the reader's own tokens, the embed tokens that the reader issued, and the data that each token sees.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation, core/web/console/parts,
// core/web/console/questions, core/web/console/records, core/web/embed; lit.
export { SeeAs } from "./seeAs.ts";
export { SeenDashboards } from "./seenDashboards.ts";
export { TokensView } from "./tokensView.ts";
export { tokenView } from "./tokenView.ts";
