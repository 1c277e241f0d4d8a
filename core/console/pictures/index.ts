// Pictures of items: asks for their rows and draws them.
// May import: core/charts, core/console/api, core/console/embed, core/console/language; lit.
export type { Answer, Explanation } from "./answer.ts";
export { askItem, type AskedItem } from "./askItem.ts";
export { ConsolePicture, type Picture } from "./consolePicture.ts";
export type { Choice } from "../embed/index.ts";
