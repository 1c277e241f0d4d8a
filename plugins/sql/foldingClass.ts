/** Above this code point no character has a case. */
const lastCased = 0x1ffff;

let classes: ReadonlyMap<number, readonly number[]> | undefined;

/**
 * Returns the code points that are equal to one by simple Unicode case folding, itself included, in ascending order: of
 * `k` these are `K`, `k` and the Kelvin sign. The first call computes all classes, in about 30 ms.
 */
export function foldingClass(codePoint: number): readonly number[] {
  classes ??= computeClasses();
  return classes.get(codePoint) ?? [codePoint];
}

/** Returns the folding class of each code point of a pattern, in order. */
export function foldingClasses(pattern: string): readonly (readonly number[])[] {
  return Array.from(pattern, (character) => foldingClass(character.codePointAt(0)!));
}

/** Where a pattern must be in a string. */
export type Place = "anywhere" | "start" | "end";

/**
 * Returns a pattern as a regular expression in the syntax of Perl, which ICU, PCRE and RE2 read. Characters are written
 * by their numbers, so none has a meaning of its own.
 */
export function foldingPattern(pattern: string, place: Place): string {
  const classes = foldingClasses(pattern).map((codePoints) => {
    const characters = codePoints.map((codePoint) => `\\x{${codePoint.toString(16)}}`).join("");
    return codePoints.length === 1 ? characters : `[${characters}]`;
  });
  return `${place === "start" ? "\\A" : ""}${classes.join("")}${place === "end" ? "\\z" : ""}`;
}

/**
 * Groups code points by their full upper and lower case, which are equal wherever the simple folding is, and lets the
 * flags `iu` of regular expressions decide inside a group: ECMA-262 defines them by simple case folding.
 */
function computeClasses(): ReadonlyMap<number, readonly number[]> {
  const groupOf = new Map<string, number[]>();
  for (let codePoint = 0; codePoint <= lastCased; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (!/\p{Changes_When_Casemapped}/u.test(character)) continue;
    const key = character.toUpperCase().toLowerCase().toUpperCase();
    const group = groupOf.get(key);
    if (group) group.push(codePoint);
    else groupOf.set(key, [codePoint]);
  }
  const found = new Map<number, readonly number[]>();
  for (const group of groupOf.values())
    for (const codePoint of group) {
      const test = new RegExp(`^\\u{${codePoint.toString(16)}}$`, "iu");
      const equal = group.filter((other) => test.test(String.fromCodePoint(other)));
      if (equal.length > 1) found.set(codePoint, equal);
    }
  return found;
}
