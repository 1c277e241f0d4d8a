import { itemTypes, type ItemType } from "../../../charts/index.ts";

/** The names of item types in one language. */
export type ItemTitles = Readonly<Record<ItemType, { readonly title: string }>>;

/** The names of item types in English. */
export const words: ItemTitles = itemTypes;
