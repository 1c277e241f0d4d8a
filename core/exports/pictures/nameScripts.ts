/** The most common scripts, in the order in which they are tried. */
const scripts = (
  "Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana " +
  "Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan"
).split(" ");
const patterns = new Map<string, RegExp>(
  scripts.map((script) => [script, new RegExp(`\\p{Script=${script}}`, "u")]),
);

/**
 * Returns the names of the scripts of characters, without duplicates. The log contains these names instead of user
 * data. Characters that belong to no listed script are called emoji or other.
 */
export function nameScripts(characters: readonly string[]): readonly string[] {
  const names = characters.map((character) => {
    for (const [script, pattern] of patterns) if (pattern.test(character)) return script;
    return /\p{Extended_Pictographic}/u.test(character) ? "emoji" : "other";
  });
  return [...new Set(names)];
}
