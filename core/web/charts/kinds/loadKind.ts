import { itemKinds, type ItemKind, type KindFamily } from "../item/itemKinds.ts";
import type { DrawKind, FamilyKinds } from "./drawKind.ts";
import { earlyKinds } from "./earlyKinds.ts";
import type { PivotParts } from "./gridKinds.ts";
import type { ReadMedia } from "./mediaKinds.ts";
import { retryImport } from "../retryImport.ts";

/** The code that several families share, with their words. */
const loadLate = retryImport(() => import("./lateKinds.ts"));
const loadArcs = retryImport(() => import("./arcKinds.ts"));
const loadFlows = retryImport(() => import("./flowKinds.ts"));
const loadGrids = retryImport(() => import("./gridKinds.ts"));
const loadHierarchies = retryImport(() => import("./hierarchyKinds.ts"));
const loadMaps = retryImport(() => import("./mapKinds.ts"));
const loadMedia = retryImport(() => import("./mediaKinds.ts"));
const loadRadials = retryImport(() => import("./radialKinds.ts"));
const loadSets = retryImport(() => import("./setKinds.ts"));
const loadSpreads = retryImport(() => import("./spreadKinds.ts"));

const families: { readonly [Family in KindFamily]: () => Promise<FamilyKinds<Family>> } = {
  early: () => Promise.resolve(earlyKinds),
  arcs: async () => (await loadArcs()).arcKinds,
  flows: async () => (await loadFlows()).flowKinds,
  grids: async () => (await loadGrids()).gridKinds,
  hierarchies: async () => (await loadHierarchies()).hierarchyKinds,
  maps: async () => (await loadMaps()).mapKinds,
  media: async () => (await loadMedia()).mediaKinds,
  radials: async () => (await loadRadials()).radialKinds,
  sets: async () => (await loadSets()).setKinds,
  spreads: async () => (await loadSpreads()).spreadKinds,
};

/** Families that neither use shared late code nor its words. */
const independent: ReadonlySet<KindFamily> = new Set<KindFamily>(["early", "arcs"]);

/** Loaded draw functions, shared by all items of a page. */
let here: Readonly<Partial<Record<ItemKind, DrawKind>>> = earlyKinds;
/** Undefined until it has loaded. */
let late: Awaited<ReturnType<typeof loadLate>> | undefined;

/** Returns the draw function of a kind; undefined if it or its words in the language of a locale are not loaded. */
export function loadedKind(kind: ItemKind, localeId: string): DrawKind | undefined {
  const hasWords = independent.has(itemKinds[kind].family) || late?.hasKindWords(localeId) === true;
  return hasWords ? here[kind] : undefined;
}

/**
 * Loads the draw function of a kind and the words that only such kinds have, once. `loadWords` loads the others.
 * Rejects if a script cannot be loaded; the next call tries again.
 * @throws {TypeError} if the family of the kind has no draw function for it
 */
export async function loadKind(kind: ItemKind, localeId: string): Promise<DrawKind> {
  const { family } = itemKinds[kind];
  // The shared code loads at the same time as the family, because it would otherwise load after it.
  const [loaded] = await Promise.all([
    here[kind] ? undefined : families[family](),
    independent.has(family) ? undefined : loadLateWords(localeId),
  ]);
  // Other families may have been loaded in the meantime.
  here = { ...here, ...loaded };
  const draw = here[kind];
  if (!draw) throw new TypeError(`the loaded script cannot draw charts of the kind ${kind}`);
  return draw;
}

async function loadLateWords(localeId: string): Promise<void> {
  late = await loadLate();
  await late.loadKindWords(localeId);
}

/** Loads the functions that arrange the answer of a pivot table. Rejects if the script cannot be loaded. */
export async function loadPivot(): Promise<PivotParts> {
  const [{ pivotParts }] = await Promise.all([loadGrids(), loadLate()]);
  return pivotParts;
}

/**
 * Loads the function that finds the code of a country by its name or code, in a language. The script of maps contains
 * it, so that a page that then draws a map loads nothing more.
 */
export async function loadCountryFinder(): Promise<
  (given: string, localeId: string) => string | undefined
> {
  return (await loadMaps()).findCountry;
}

/** Loads the function that reads what an item with media shows. The script that draws these items contains it. */
export async function loadMediaReader(): Promise<ReadMedia> {
  return (await loadMedia()).readMedia;
}
