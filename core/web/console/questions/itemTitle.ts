import { isItemType, itemTypes, type ItemType } from "../../charts/index.ts";
import { chooseWords } from "../language/index.ts";

const rows = chooseWords<Readonly<Record<ItemType, { readonly title: string }>>>({ en: itemTypes });

/** Returns the name of an item type in menus; "" for an unknown type. */
export function itemTitle(type: string): string {
  return isItemType(type) ? rows[type].title : "";
}
