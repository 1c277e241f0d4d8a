/** Maximum number of letters by which a name may differ. Short names may differ by fewer. */
const mostEdits = 3;

/**
 * Returns the name that is most like a text, ignoring case; undefined if none is alike. Uses the Levenshtein distance
 * (V. I. Levenshtein, 1966). O(names × length²).
 */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const wanted = text.toLocaleLowerCase();
  const most = Math.min(mostEdits, Math.max(1, Math.floor(wanted.length / 3)));
  let [best, bestEdits]: [string | undefined, number] = [undefined, most + 1];
  for (const name of names) {
    const edits = editsBetween(wanted, name.toLocaleLowerCase());
    if (edits < bestEdits) [best, bestEdits] = [name, edits];
  }
  return best;
}

function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index++)
      next.push(
        Math.min(
          next[index]! + 1,
          row[index + 1]! + 1,
          row[index]! + Number(letter !== other[index]),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
