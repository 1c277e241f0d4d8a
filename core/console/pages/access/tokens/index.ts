// Tokens: the reader's own, those issued for pages, and what each of these sees.
// May import: core/console/api, core/console/embed, core/console/language, core/console/navigation, core/console/parts;
// lit.
export { TokensRoom } from "./tokensRoom.ts";
