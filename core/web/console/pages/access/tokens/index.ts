// Tokens: the reader's own, those issued for pages, and what each of these sees.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation, core/web/console/parts,
// core/web/embed; lit.
export { TokensRoom } from "./tokensRoom.ts";
