/** A term that the glossary has replaced. */
export interface ReplacedWord {
  /** Matches the term in sentences and identifiers, in the singular or plural. */
  readonly pattern: RegExp;
  /** The term that the glossary now uses instead. */
  readonly better: string;
}

/** The heading of the glossary's table of replaced words. */
const heading = "## Replaced words";

/** Returns the glossary without its table of replaced words, which would not pass the check. */
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

/** Splits an identifier into its words: `rowGroupCount` becomes `row Group Count`. */
export const wordsOfName = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/g, " ");
