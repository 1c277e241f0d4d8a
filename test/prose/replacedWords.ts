/** A term that the glossary has replaced. */
export interface ReplacedWord {
  /** Matches the term in a sentence or in the words of a name, also in the plural. */
  readonly pattern: RegExp;
  /** The glossary's term. */
  readonly better: string;
}

/** The heading of the glossary's table of replaced words. */
const heading = "## Replaced words";

/** Returns the glossary without its table of replaced words, which the rules would refuse. */
export const withoutReplaced = (glossary: string): string => glossary.split(heading)[0] ?? "";

/** Reads the table of replaced words from the text of `docs/GLOSSARY.md`. */
export function replacedWords(glossary: string): readonly ReplacedWord[] {
  const [, section = ""] = glossary.split(`${heading}\n`);
  const rows = section.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm);
  return [...rows]
    .slice(1)
    .flatMap(([, replaced = "", better = ""]) =>
      replaced.startsWith("-") ? [] : [{ pattern: new RegExp(`\\b${replaced}s?\\b`, "i"), better }],
    );
}

/** Returns the words of a name: `rowGroupCount` becomes `row Group Count`. */
export const wordsOfName = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/g, " ");
