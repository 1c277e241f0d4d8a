/** A font family for scripts that the shipped font lacks. */
export interface FontFamily {
  readonly package: string;
  /** Prefix of the names of the family's files. */
  readonly file: string;
  /** The scripts that the family covers, as named by the Unicode property `Script`. Empty for emoji. */
  readonly scripts: readonly string[];
}

const family = (file: string, ...scripts: readonly string[]): FontFamily => ({
  package: `@fontsource/${file}`,
  file,
  scripts,
});

/** Families in the order in which a character is looked up. Families that are not installed are skipped. */
export const fontFamilies: readonly FontFamily[] = [
  family("ibm-plex-sans-arabic", "Arabic"),
  family("ibm-plex-sans-hebrew", "Hebrew"),
  family("ibm-plex-sans-thai", "Thai"),
  family("ibm-plex-sans-devanagari", "Devanagari"),
  // These families are not shipped, because each takes 11 to 80 MB. They are used if the operator installs them.
  family("ibm-plex-sans-jp", "Hiragana", "Katakana", "Han"),
  family("ibm-plex-sans-kr", "Hangul", "Han"),
  family("noto-sans-sc", "Han"),
  family("noto-sans-tc", "Han"),
  family("noto-emoji"),
];
