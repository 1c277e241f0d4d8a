import { measureText, type Scene } from "../../charts/index.ts";

/** Returns the font that the page sets for the component with `--manifold-font`; empty if it sets none. */
export const fontOfPage = (root: HTMLElement): string =>
  getComputedStyle(root).getPropertyValue("--manifold-font").trim();

/** Widths within this tolerance, in pixels, need no change. */
const tolerance = 0.5;

/**
 * Narrows text that is wider in the page's font than in the shipped font, with which pictures are laid out. It then
 * keeps its place and overlaps nothing. O(nodes).
 */
export function fitTexts({ nodes }: Scene, elements: readonly SVGElement[], font: string): void {
  // Elements are reused, so they may have the width of an earlier text.
  for (const element of elements)
    if (element.hasAttribute("textLength")) {
      element.removeAttribute("textLength");
      element.removeAttribute("lengthAdjust");
    }
  if (font === "") return;
  // All widths are read before one is changed, so that the browser computes the layout once.
  const wide = nodes.flatMap((node, index) => {
    const element = elements[index];
    if (node.kind !== "text" || !(element instanceof SVGTextElement)) return [];
    const room = measureText(node.text, node.size, node.weight);
    return element.getComputedTextLength() > room + tolerance ? [{ element, room }] : [];
  });
  for (const { element, room } of wide) {
    element.setAttribute("textLength", room.toFixed(2));
    element.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
}
