/** The limits of calls on records. Sizes are those of JSON in UTF-8; lengths are in UTF-16 units. */
export const limits = {
  /** Maximum number of characters of a string, and of each string of a multilingual value. */
  textLength: 10_000,
  nameLength: 1_000,
  /** Maximum length of an indexed string. PostgreSQL accepts 2,704 bytes, and a UTF-16 unit takes at most 3 bytes. */
  indexedLength: 800,
  slugLength: 50,
  secretLength: 65_536,
  cssLength: 500_000,
  /** Maximum number of characters of a chart's script. */
  scriptLength: 500_000,
  expressionLength: 10_000,
  idLength: 200,
  /**
   * Maximum number of entries of a list, or members of an object, at its top level. Longer values are refused before
   * they are checked.
   */
  entryCount: 20_000,
  /** Maximum number of languages of a multilingual value. */
  languageCount: 200,
  customMetadataBytes: 65_536,
  /** Maximum number of bytes of any other JSON member, such as contents, themes and queries. */
  jsonBytes: 8 * 2 ** 20,
  thumbnailLength: 131_072,
  associationCount: 100,
  hierarchyUpdateCount: 10_000,
  /**
   * Maximum number of versions kept per chart and per dashboard. Published and approved versions are kept in addition.
   */
  versionCount: 100,
  /** Maximum number of rows of one answer. `count` also includes the rows that are not in the answer. */
  pageSize: 10_000,
  /** Maximum number of rows that one include adds to an answer. */
  includedCount: 100_000,
  includeCount: 50,
  includeLevels: 5,
  /** Maximum number of names in the `attributes` of one level. */
  attributeCount: 1_000,
  /** Maximum number of conditions and ordered members in one find. */
  conditionCount: 2_000,
  /** Maximum number of values in a list of a condition. */
  listLength: 10_000,
  patternLength: 1_000,
  phraseLength: 500,
} as const;
