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

/** Kinds that are here, for all items of a page. */
let here: Readonly<Partial<Record<ItemKind, DrawKind>>> = earlyKinds;

/** Returns how a kind is drawn; undefined for one that is to be loaded first. */
export function loadedKind(kind: ItemKind): DrawKind | undefined {
  return here[kind];
}

/**
 * Loads how a kind is drawn, once. Rejects when its script cannot be loaded; the next call tries again.
 * @throws {TypeError}
 */
export async function loadKind(kind: ItemKind): Promise<DrawKind> {
  const loaded = here[kind] ? undefined : await families[itemKinds[kind].family]();
  // Other families may have come in between.
  here = { ...here, ...loaded };
  const draw = here[kind];
  if (!draw) throw new TypeError(`there is no drawing of the kind ${kind}`);
  return draw;
}
