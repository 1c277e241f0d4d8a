/** Columns of a terminal in which help fits. */
const mostColumns = 100;
/** Descriptions that begin further to the right are moved to a line of their own. */
const lastDescription = 56;
const ownLineIndent = 6;

/**
 * Breaks lines of help so that none is longer than 100 columns, unless a single word is. Further lines of a description
 * begin below its first word.
 */
export function fitHelp(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => (line.length <= mostColumns ? [line] : fitted(line)));
}

function fitted(line: string): readonly string[] {
  // The description begins after the last gap of several spaces. Values in columns are separated in the same way.
  const gaps = [...line.matchAll(/(?<=\S)(?: {2,}| (?=\S+ {2,}))/g)];
  const gap = gaps.at(-1);
  const begin = gap && gap[0].length > 1 ? gap.index + gap[0].length : indentOf(line);
  if (begin > lastDescription) {
    const head = line.slice(0, begin).trimEnd();
    return [head, ...wrapped(line.slice(begin), ownLineIndent, " ".repeat(ownLineIndent))];
  }
  return wrapped(line.slice(begin), begin, line.slice(0, begin));
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Breaks a text between words. The first line begins with `first`, and the others with as many spaces. */
function wrapped(text: string, indent: number, first: string): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    const isFull = current !== "" && indent + current.length + 1 + word.length > mostColumns;
    if (isFull) lines.push(current);
    current = isFull || current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current].map((part, index) =>
    index === 0 ? `${first}${part}` : `${" ".repeat(indent)}${part}`,
  );
}
