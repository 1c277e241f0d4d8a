/** A word or construction that our prose or our names do without. */
export interface ProseRule {
  readonly pattern: RegExp;
  /** Advice for the writer. */
  readonly better: string;
  /** `prose`: comments, documents and messages. `names`: also identifiers. */
  readonly scope: "prose" | "names";
  /** Folders in which the word is wrong; everywhere when it is left out. */
  readonly folders?: readonly string[];
}

const prose = (pattern: RegExp, better: string, folders?: readonly string[]): ProseRule => ({
  pattern,
  better,
  scope: "prose",
  ...(folders && { folders }),
});

const names = (pattern: RegExp, better: string, folders?: readonly string[]): ProseRule => ({
  pattern,
  better,
  scope: "names",
  ...(folders && { folders }),
});

const placed =
  "(?:in|at|on|before|after|between|behind|beside|under|within|outside|there|where|apart|together|alone|still)";

/**
 * The constructions that `docs/GLOSSARY.md` and CONTRIBUTING.md rule out, with what to write instead. A word that has a
 * meaning in the field ("lies" of a plugin that answers wrongly, "stands for") is not caught.
 */
export const rules: readonly ProseRule[] = [
  prose(/\bhang(?:s|ing)? on\b|\bhung on\b/i, "depends on"),
  prose(new RegExp(`\\bstands? (?:\\w+ )?${placed}\\b`, "i"), "is, appears"),
  prose(new RegExp(`\\blies ${placed}\\b`, "i"), "is"),
  prose(
    /\btells?\b(?! (?:the |a |an )?(?:user|caller|reader|author|client)s? )/i,
    "returns, reports, states, distinguishes",
  ),
  prose(/\bthose that\b/i, "the noun: columns that …"),
  prose(/\bthat of\b(?! course)/i, "the noun again: the width of …"),
  prose(/\bof which\b/i, "two sentences, or 'whose'"),
  prose(/\bwhether\b[^.;:]*\bor no\b/i, "whether"),
  prose(/\b(?:is|are|was|were) had\b/i, "an active verb"),
  prose(/\b(?:is|are|was|were|been|be) made of\b/i, "consists of, is built from"),
  prose(/\bby itself\b/i, "alone, on its own, separately"),
  prose(/\bone who\b/i, "the noun: a user who …"),
  prose(/(?:^|[.!?] )Of (?!course\b)(?=[a-z])/, "a sentence that begins with its subject"),
  prose(/(?:^|[.!?] )What [^.?!]*(?:\.|$)/, "a sentence that begins with its subject"),
  prose(/\bmade (?:text|number)s?\b/i, "computed text"),
  prose(/\bmade again of\b/i, "expanded, repeated"),
  prose(/\bbrought values?\b/i, "gathered values"),
  prose(/\blets? go of\b/i, "releases"),
  prose(/\bgives? (?:it|them|the \w+) away\b/i, "transfers"),
  prose(/\bwrites? alike\b/i, "prints the same"),
  prose(/\bless one\b/i, "minus one; write the expression"),
  prose(/\bbrowser's tokens?\b/i, "embed token"),
  names(/\bmadeTexts?\b/, "computed text"),
  names(/\bbroughtValues\b|\bbringValues\b/, "gathered values, gather"),
  names(/\bletGo\b/, "releaseMemory"),
  names(/\bpatientClient\b|\bPatientClient\b/, "retryingClient"),
  names(/\bDoer\b|\bdoer\b/, "actor"),
  names(/\bminting\b/i, "token issuance"),
  // The wire's member for the subqueries of an explanation is `probes`.
  names(/\bprobe\b/i, "subquery", ["core/queries", "test/core/queries"]),
  prose(/\bprobes\b(?!`)/i, "subqueries", ["core/queries", "test/core/queries"]),
];
