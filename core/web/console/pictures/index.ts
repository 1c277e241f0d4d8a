// Pictures of items: fetches the rows of an item, and draws it.
// May import: core/web/charts, core/web/console/api, core/web/console/language, core/web/embed; lit.
export type { Answer, Explanation } from "./answer.ts";
export { createSend, queryItem, type AnsweredItem } from "./queryItem.ts";
export { ConsolePicture, type Picture } from "./consolePicture.ts";
export type { Choice } from "../../embed/index.ts";
