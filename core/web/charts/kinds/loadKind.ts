import { itemKinds, type ItemKind, type KindFamily } from "../item/itemKinds.ts";
import type { DrawKind, FamilyKinds } from "./drawKind.ts";
import { earlyKinds } from "./earlyKinds.ts";
import { retryImport } from "./retryImport.ts";

const loadArcs = retryImport(() => import("./arcKinds.ts"));
const loadGrids = retryImport(() => import("./gridKinds.ts"));
const loadHierarchies = retryImport(() => import("./hierarchyKinds.ts"));
const loadSpreads = retryImport(() => import("./spreadKinds.ts"));

const families: { readonly [Family in KindFamily]: () => Promise<FamilyKinds<Family>> } = {
  early: () => Promise.resolve(earlyKinds),
  arcs: async () => (await loadArcs()).arcKinds,
  grids: async () => (await loadGrids()).gridKinds,
  hierarchies: async () => (await loadHierarchies()).hierarchyKinds,
  spreads: async () => (await loadSpreads()).spreadKinds,
};

/** Loaded draw functions, shared by all items of a page. */
let here: Readonly<Partial<Record<ItemKind, DrawKind>>> = earlyKinds;

/** Returns the draw function of a kind; undefined if it has not been loaded. */
export function loadedKind(kind: ItemKind): DrawKind | undefined {
  return here[kind];
}

/**
 * Loads the draw function of a kind, once. Rejects if the script cannot be loaded; the next call tries again.
 * @throws {TypeError} if the family of the kind has no draw function for it
 */
export async function loadKind(kind: ItemKind): Promise<DrawKind> {
  const loaded = here[kind] ? undefined : await families[itemKinds[kind].family]();
  // Other families may have been loaded in the meantime.
  here = { ...here, ...loaded };
  const draw = here[kind];
  if (!draw) throw new TypeError(`the loaded script cannot draw charts of the kind ${kind}`);
  return draw;
}
