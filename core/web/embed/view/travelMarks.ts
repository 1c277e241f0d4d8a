import type { Mark, Scene } from "../../charts/index.ts";

/** A mark of a scene, with the index of its node. */
export interface PlacedMark {
  readonly node: number;
  readonly mark: Mark;
}

/**
 * Returns the marks of a scene in the order of keyboard navigation. Marks on lines of text are included only if there
 * are no other marks.
 */
export function marksOf({ nodes }: Scene): readonly PlacedMark[] {
  const all = nodes.flatMap(({ kind, mark }, node) => (mark ? [{ node, mark, kind }] : []));
  const inked = all.filter(({ kind }) => kind !== "text");
  return inked.length > 0 ? inked : all;
}

/** Returns the marks of one category, one per series. If the given mark has no category, returns only this mark. */
export function siblingsOf(marks: readonly PlacedMark[], { mark }: PlacedMark): PlacedMark[] {
  return marks.filter(
    (each) => each.mark === mark || (mark.category !== "" && each.mark.category === mark.category),
  );
}

const steps: Readonly<
  Record<string, { readonly by: 1 | -1; readonly along: "series" | "category" }>
> = {
  ArrowRight: { by: 1, along: "series" },
  ArrowLeft: { by: -1, along: "series" },
  ArrowDown: { by: 1, along: "category" },
  ArrowUp: { by: -1, along: "category" },
};

/**
 * Returns the mark to which a key moves. Left and right move within a series, and up and down between the series of a
 * category. Page Down and Page Up move through all marks, and Home and End to the first and the last mark. Undefined
 * for other keys and for scenes without marks.
 */
export function travel(
  marks: readonly PlacedMark[],
  from: PlacedMark | undefined,
  key: string,
): PlacedMark | undefined {
  if (key === "Home") return marks[0];
  if (key === "End") return marks.at(-1);
  const at = from ? marks.indexOf(from) : -1;
  if (key === "PageDown") return marks[at + 1] ?? from;
  if (key === "PageUp") return marks[at === -1 ? marks.length - 1 : at - 1] ?? from;
  const step = steps[key];
  if (!step) return undefined;
  const { by, along } = step;
  if (!from || at === -1) return by === 1 ? marks[0] : marks.at(-1);
  for (let index = at + by; index >= 0 && index < marks.length; index += by) {
    const { mark } = marks[index]!;
    const isAlong =
      along === "series"
        ? mark.series === from.mark.series
        : mark.category !== "" &&
          mark.category === from.mark.category &&
          mark.series !== from.mark.series;
    if (isAlong) return marks[index];
  }
  // If the category has only one series, up and down move through all marks.
  const isAlone = siblingsOf(marks, from).length === 1;
  return along === "category" && isAlone ? (marks[at + by] ?? from) : from;
}
