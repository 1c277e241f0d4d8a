import type { Sources } from "../support/importGraph.ts";
import { findSites, type MutantKind, type Site } from "./findSites.ts";

/** One change of one source. */
export interface Mutant {
  /** `path:line kind`, with a number when the line has several of the kind. */
  readonly id: string;
  /** The folder for which it was drawn. */
  readonly area: string;
  /** From the top of the repository. */
  readonly file: string;
  readonly kind: MutantKind;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
  /** The line on which it begins: finds it in another version of the file. */
  readonly lineText: string;
  /** How many sites with the same kind, text and line precede it in its file. */
  readonly nth: number;
}

export interface FileSite extends Site {
  readonly file: string;
}

const isLike = (a: Site, b: Pick<Mutant, "kind" | "original" | "lineText">): boolean =>
  a.kind === b.kind && a.original === b.original && a.lineText === b.lineText;

/** Makes the mutants of one site of a file, one for each replacement. `sites` are all of the file. */
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

/** Finds a mutant in the sources of another version; undefined when its site is gone. Its id stays. */
export function relocate(mutant: Mutant, sources: Sources): Mutant | undefined {
  const text = sources.get(mutant.file);
  if (text === undefined) return undefined;
  const site = findSites(mutant.file, text).filter((each) => isLike(each, mutant))[mutant.nth];
  return site && { ...mutant, line: site.line, start: site.start, end: site.end };
}

/** Returns a source with mutants, which must not overlap, in the place of their originals. */
export function mutate(text: string, mutants: readonly Mutant[]): string {
  return mutants
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (mutated, { start, end, replacement }) =>
        mutated.slice(0, start) + replacement + mutated.slice(end),
      text,
    );
}

/** Whether two mutants change the same characters, so that a tree cannot have both. */
export function overlap(a: Mutant, b: Mutant): boolean {
  return a.file === b.file && a.start < b.end && b.start < a.end;
}
