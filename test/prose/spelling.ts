import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { decodeTrie } from "cspell-trie-lib";

/** Finds the words of a passage that are in neither the English nor the project's dictionary. */
export interface Spelling {
  /** Looks up the words of a passage. Returns their number, and each unknown word with its offset. */
  look(text: string): SpelledPassage;
  suggest(word: string): readonly string[];
}

/** The result of looking up the words of a passage. */
export interface SpelledPassage {
  readonly wordCount: number;
  readonly unknown: readonly { readonly word: string; readonly offset: number }[];
}

/** Code, addresses and paths in a passage. */
const notProse =
  /```[^]*?```|`[^`]*`|\bhttps?:\S+|[\w.@-]*\/[\w./*-]+|\]\([^)]*\)|@\w+|\{@[^}]*\}|<[^<>\n]*>|&\w+;/g;

/**
 * Matches the characters that can surround a word in a sentence. The capturing group keeps them in the result of
 * `split`.
 */
const separators = /([\s"“”„«»(),;:!?…→|*[\]{}<>=+^~/&%×·–—−]+)/;

/**
 * Opens cspell's dictionary of American English and adds the project's words, one per line. A capitalized word of the
 * project is accepted only with its capital letter.
 */
export function openSpelling(projectWords: string): Spelling {
  const file = createRequire(import.meta.url).resolve("@cspell/dict-en_us/cspell-ext.json");
  const english = decodeTrie(
    gunzipSync(readFileSync(file.replace("cspell-ext.json", "en_US.trie.gz"))),
  );
  const ours = new Set(projectWords.split("\n"));
  const known = new Map<string, boolean>();
  const suggestions = new Map<string, readonly string[]>();
  const isKnown = (word: string): boolean => {
    let found = known.get(word);
    if (found === undefined) {
      const lower = word.toLowerCase();
      found =
        ours.has(word) ||
        ours.has(lower) ||
        english.hasWord(word, true) ||
        english.hasWord(lower, true);
      known.set(word, found);
    }
    return found;
  };
  const wordsIn = (text: string) => {
    const prose = text.replaceAll(notProse, (code) => " ".repeat(code.length));
    const words: { word: string; offset: number }[] = [];
    let offset = 0;
    for (const piece of prose.split(separators)) {
      if (isSpelled(piece))
        for (const { 0: word, index } of piece.matchAll(/[A-Za-z][A-Za-z'’]*/g)) {
          const plain = word.replaceAll("’", "'").replace(/'s?$/, "");
          const isPart = piece.includes("-") && plain.length < 4;
          if (plain.length > 2 && !isPart && !/^.'/.test(plain))
            words.push({ word: plain, offset: offset + index });
        }
      offset += piece.length;
    }
    return words;
  };
  return {
    look(text) {
      const words = wordsIn(text);
      return { wordCount: words.length, unknown: words.filter(({ word }) => !isKnown(word)) };
    },
    suggest(word) {
      const found =
        suggestions.get(word) ?? english.suggest(word, { numSuggestions: 3 }).slice(0, 3);
      suggestions.set(word, found);
      return found;
    },
  };
}

/**
 * Returns whether a piece of text consists of words, and is not a name, a path, a file extension such as `.csv`, or a
 * number.
 */
function isSpelled(piece: string): boolean {
  if (/^\.\w/.test(piece)) return false;
  const core = piece.replace(/^[-'’.]+|[-'’.]+$/g, "");
  return /^[A-Za-z][A-Za-z'’-]*$/.test(core) && !/[a-z][A-Z]|[A-Z]{2}/.test(core);
}
