import { createRandom, type Random } from "../support/random.ts";
import type { Sources } from "../support/importGraph.ts";
import { findSites, mutantKinds, type MutantKind } from "./findSites.ts";
import { mutantsOf, overlap, type FileSite, type Mutant } from "./mutant.ts";

export interface DrawOptions {
  readonly seed: number;
  /** The total number of mutants in all areas. */
  readonly count: number;
  /** Source folders to mutate. */
  readonly areas: readonly string[];
  readonly sources: Sources;
  /** Returns the mutants that the compiler accepts. All others are left out before any test runs. */
  accepts(mutants: readonly Mutant[]): readonly Mutant[];
}

/** Number of candidates per mutant. The compiler refuses many candidates. */
const spare = 4;

/**
 * Selects random mutants, the same number for each area and each kind. All sites of a kind have equal chances. The
 * same seed and sources give the same mutants. Areas alternate, so that any prefix of the list is a fair sample.
 */
export function drawMutants(options: DrawOptions): Mutant[] {
  const { seed, count, areas, sources, accepts } = options;
  const perArea = Math.ceil(count / areas.length);
  const candidates = areas.map((area, index) =>
    shuffledOf(area, sources, createRandom(seed + index), spare * perArea),
  );
  const accepted = new Set(accepts(withoutOverlaps(candidates.flat(2))));
  const drawn = candidates.map((kinds) => {
    const left = kinds.map((mutants) => mutants.filter((mutant) => accepted.has(mutant)));
    const taken: Mutant[] = [];
    while (taken.length < perArea && left.some((mutants) => mutants.length > 0))
      for (const mutants of left) taken.push(...mutants.splice(0, 1));
    return taken.slice(0, perArea);
  });
  return Array.from({ length: perArea }, (_, turn) => drawn.flatMap((list) => list[turn] ?? []))
    .flat()
    .slice(0, count);
}

/** Returns the candidates of an area, as one shuffled list per kind. */
function shuffledOf(area: string, sources: Sources, random: Random, most: number): Mutant[][] {
  const byKind = new Map<MutantKind, FileSite[]>(mutantKinds.map((kind) => [kind, []]));
  const byFile = new Map<string, FileSite[]>();
  for (const [file, text] of sources) {
    if (!file.startsWith(`${area}/`)) continue;
    const sites = findSites(file, text).map((site) => ({ ...site, file }));
    byFile.set(file, sites);
    for (const site of sites) byKind.get(site.kind)?.push(site);
  }
  return [...byKind.values()].map((sites) => {
    const drawn: Mutant[] = [];
    while (sites.length > 0 && drawn.length < Math.ceil(most / mutantKinds.length)) {
      const [site] = sites.splice(random.below(sites.length), 1);
      if (site) drawn.push(random.pick(mutantsOf(area, site, byFile.get(site.file) ?? [])));
    }
    return drawn;
  });
}

function withoutOverlaps(mutants: readonly Mutant[]): Mutant[] {
  const kept: Mutant[] = [];
  for (const mutant of mutants) if (!kept.some((each) => overlap(each, mutant))) kept.push(mutant);
  return kept;
}
