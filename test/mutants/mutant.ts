import type { Sources } from "../support/importGraph.ts";
import { findSites, type MutantKind, type Site } from "./findSites.ts";

/** A change to one place in a source file. */
export interface Mutant {
  /** `path:line kind`, followed by a number if the line has several mutants of that kind. */
  readonly id: string;
  /** The source folder for which the mutant was selected. */
  readonly area: string;
  /** Path relative to the root of the repository. */
  readonly file: string;
  readonly kind: MutantKind;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
  /** The text of the line on which the mutant begins. It is used to find the mutant in another version of the file. */
  readonly lineText: string;
  /** Number of preceding sites in the file with the same kind, text and line text. */
  readonly nth: number;
}

export interface FileSite extends Site {
  readonly file: string;
}

const isLike = (a: Site, b: Pick<Mutant, "kind" | "original" | "lineText">): boolean =>
  a.kind === b.kind && a.original === b.original && a.lineText === b.lineText;

/** Returns the mutants of a site, one per replacement. `sites` contains all sites of the file. */
export function mutantsOf(area: string, site: FileSite, sites: readonly FileSite[]): Mutant[] {
  const { file, kind, line, start, end, original, lineText } = site;
  const before = sites.filter((each) => each.kind === kind && each.start < start);
  const onLine = before.filter((each) => each.line === line).length;
  return site.replacements.map((replacement) => ({
    id: `${file}:${line} ${kind}${onLine > 0 ? ` ${onLine + 1}` : ""}`,
    area,
    file,
    kind,
    line,
    start,
    end,
    original,
    replacement,
    lineText,
    nth: before.filter((each) => isLike(each, site)).length,
  }));
}

/**
 * Finds a mutant in the sources of another version and keeps its id. Returns undefined if the site no longer exists.
 */
export function relocate(mutant: Mutant, sources: Sources): Mutant | undefined {
  const text = sources.get(mutant.file);
  if (text === undefined) return undefined;
  const site = findSites(mutant.file, text).filter((each) => isLike(each, mutant))[mutant.nth];
  return site && { ...mutant, line: site.line, start: site.start, end: site.end };
}

/** Applies mutants to a source and returns the result. Mutants must not overlap. */
export function mutate(text: string, mutants: readonly Mutant[]): string {
  return mutants
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (mutated, { start, end, replacement }) =>
        mutated.slice(0, start) + replacement + mutated.slice(end),
      text,
    );
}

/** Returns whether two mutants change the same characters, and therefore cannot be applied together. */
export function overlap(a: Mutant, b: Mutant): boolean {
  return a.file === b.file && a.start < b.end && b.start < a.end;
}
