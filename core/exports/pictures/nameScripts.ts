/** Scripts that people write most, in the order in which they are looked up. */
const scripts = (
  "Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana " +
  "Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan"
).split(" ");
const patterns = new Map<string, RegExp>(
  scripts.map((script) => [script, new RegExp(`\\p{Script=${script}}`, "u")]),
);

/** Returns the scripts of characters, each once, for a log that holds no data: emoji, or other, where none is known. */
export function nameScripts(characters: readonly string[]): readonly string[] {
  const names = characters.map((character) => {
    for (const [script, pattern] of patterns) if (pattern.test(character)) return script;
    return /\p{Extended_Pictographic}/u.test(character) ? "emoji" : "other";
  });
  return [...new Set(names)];
}
