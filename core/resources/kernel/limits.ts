/**
 * Every bound of what a caller may send about records, in one place. Sizes are of JSON as UTF-8; lengths are UTF-16
 * units.
 */
export const limits = {
  /** Characters of a text, and of each text of a multilingual one. */
  textLength: 10_000,
  nameLength: 1_000,
  /** Length of a text that is part of an index: PostgreSQL takes 2,704 bytes, and a unit is 3 at most. */
  indexedLength: 800,
  slugLength: 50,
  secretLength: 65_536,
  cssLength: 500_000,
  /** Characters of the script of a chart. */
  scriptLength: 500_000,
  expressionLength: 10_000,
  idLength: 200,
  /** Entries of a list, or members of an object, at its top; more are refused before they are looked at. */
  entryCount: 20_000,
  /** Languages of a multilingual text. */
  languageCount: 200,
  customMetadataBytes: 65_536,
  /** Bytes of any other JSON member: contents, themes, queries. */
  jsonBytes: 8 * 2 ** 20,
  thumbnailLength: 131_072,
  associationCount: 100,
  hierarchyUpdateCount: 10_000,
  /** Versions kept of one dashboard, besides its published versions, and of one chart. */
  versionCount: 100,
  /** Rows of one answer; `count` counts all of them. */
  pageSize: 10_000,
  /** Rows that one include adds to an answer. */
  includedCount: 100_000,
  includeCount: 50,
  includeLevels: 5,
  /** Names in the `attributes` of one level. */
  attributeCount: 1_000,
  /** Conditions and ordered members of one find. */
  conditionCount: 2_000,
  /** Values of a list in a condition. */
  listLength: 10_000,
  patternLength: 1_000,
  phraseLength: 500,
} as const;
