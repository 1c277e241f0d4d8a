import type { ItemKind } from "../item/itemKinds.ts";
import type { DrawKind } from "./drawKind.ts";
import { earlyKinds } from "./earlyKinds.ts";
import { retryImport } from "./retryImport.ts";

type Kinds = Readonly<Partial<Record<ItemKind, DrawKind>>>;

const loadArcs = retryImport(() => import("./arcKinds.ts"));
const loadGrids = retryImport(() => import("./gridKinds.ts"));
const loadHierarchies = retryImport(() => import("./hierarchyKinds.ts"));
const loadSpreads = retryImport(() => import("./spreadKinds.ts"));

const arcs = async (): Promise<Kinds> => (await loadArcs()).arcKinds;
const grids = async (): Promise<Kinds> => (await loadGrids()).gridKinds;
const hierarchies = async (): Promise<Kinds> => (await loadHierarchies()).hierarchyKinds;
const spreads = async (): Promise<Kinds> => (await loadSpreads()).spreadKinds;

const families: Readonly<Partial<Record<ItemKind, () => Promise<Kinds>>>> = {
  gauge: arcs,
  slices: arcs,
  heatTable: grids,
  pivot: grids,
  bubbles: hierarchies,
  funnel: hierarchies,
  treemap: hierarchies,
  boxes: spreads,
  bullet: spreads,
  points: spreads,
};

/** Kinds that are here, for all items of a page. */
let here: Kinds = earlyKinds;

/** Returns how a kind is drawn; undefined for one that is to be loaded first. */
export function loadedKind(kind: ItemKind): DrawKind | undefined {
  return here[kind];
}

/**
 * Loads how a kind is drawn, once. Rejects when its script cannot be loaded; the next call tries again.
 * @throws {TypeError}
 */
export async function loadKind(kind: ItemKind): Promise<DrawKind> {
  const family = here[kind] ? undefined : families[kind];
  const loaded = await family?.();
  // Other families may have come in between.
  here = { ...here, ...loaded };
  const draw = here[kind];
  if (!draw) throw new TypeError(`there is no drawing of the kind ${kind}`);
  return draw;
}
