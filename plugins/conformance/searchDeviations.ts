import type { Claim } from "./claims.ts";
import { hasOperator, isTest, isTextSearch } from "./concerns.ts";
import type { Deviation } from "./deviation.ts";
import { pattern, protocolSemantics, type Semantics, type TextOperator } from "./semantics.ts";

const asciiLower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const withoutMarks = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

/** Escapes all special characters in a pattern except the wildcards of SQL. */
function likePattern(part: string): string {
  const pieces = Array.from(part, (letter) =>
    letter === "%" ? "[^]*" : letter === "_" ? "[^]" : RegExp.escape(letter),
  );
  return pieces.join("");
}

const finds = (expression: string, flags: string, text: string): boolean =>
  new RegExp(expression, flags).test(text);

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function deviation(
  does: string,
  matches: Semantics["matches"],
  rest: Partial<Deviation> = { isOnlyNamed: true },
): Deviation {
  return {
    does,
    semantics: { matches },
    concerns: isTextSearch,
    touches: hasOperator(/like|with$/),
    limitedTo: "hierarchy",
    ...rest,
  };
}

const proves: Partial<Deviation> = {};
const isOfLike = (claim: Claim) => isTest(claim, /like$/);

/** Returns a deviation in which one operator is carried out as another. */
function confusing(operator: TextOperator, other: TextOperator): Deviation {
  return deviation(`treats ${operator} as ${other}`, (given, text, part) =>
    protocolSemantics.matches(given === operator ? other : given, text, part),
  );
}

/** Known deviations in the search for parts of strings. */
export const searchDeviations: readonly Deviation[] = [
  deviation(
    "folds the case of ASCII letters only",
    (operator, text, part) =>
      finds(pattern(operator, RegExp.escape(asciiLower(part))), "u", asciiLower(text)),
    proves,
  ),
  deviation(
    "matches parts of text case-sensitively",
    (operator, text, part) => finds(pattern(operator, RegExp.escape(part)), "u", text),
    proves,
  ),
  deviation(
    "reads % and _ as wildcards",
    (operator, text, part) => finds(pattern(operator, likePattern(part)), "iu", text),
    proves,
  ),
  deviation(
    "matches parts of text case-sensitively, and reads % and _ as wildcards",
    (operator, text, part) => finds(pattern(operator, likePattern(part)), "u", text),
  ),
  deviation(
    "folds the case of ASCII letters only, and reads % and _ as wildcards",
    (operator, text, part) =>
      finds(pattern(operator, likePattern(asciiLower(part))), "u", asciiLower(text)),
  ),
  deviation("ignores accents when it searches for parts of strings", (operator, text, part) =>
    protocolSemantics.matches(operator, withoutMarks(text), withoutMarks(part)),
  ),
  deviation("searches for parts of strings as regular expressions", (operator, text, part) =>
    finds(pattern(operator, isExpression(part) ? part : RegExp.escape(part)), "iu", text),
  ),
  deviation("trims strings before it searches them", (operator, text, part) =>
    protocolSemantics.matches(operator, text.trim(), part.trim()),
  ),
  deviation(
    "lets like match whole strings only",
    (operator, text, part) =>
      operator === "like"
        ? finds(`^${RegExp.escape(part)}$`, "iu", text)
        : protocolSemantics.matches(operator, text, part),
    { isOnlyNamed: true, concerns: isOfLike },
  ),
  confusing("like", "starts with"),
  confusing("starts with", "like"),
  confusing("ends with", "like"),
  confusing("ends with", "starts with"),
  confusing("starts with", "ends with"),
];
