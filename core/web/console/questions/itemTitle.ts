import { isItemType } from "../../charts/index.ts";
import { chooseWords } from "../language/index.ts";
import { words as english } from "./itemTitles/en.ts";

const titles = chooseWords("questions/itemTitles", english);

/** Returns the name of an item type in menus; "" for an unknown type. */
export function itemTitle(type: string): string {
  return isItemType(type) ? titles[type].title : "";
}
