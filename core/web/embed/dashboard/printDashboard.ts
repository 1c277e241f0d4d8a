import type { OpenItem } from "./openItem.ts";

/** Width of A4 paper between the usual margins of browsers, in pixels. US Letter is 24 pixels wider. */
const paperWidth = 718;

/**
 * Draws a dashboard for paper whenever its page is printed: the pictures for the width of the paper, and tables with
 * all loaded rows. Returns the function that stops this.
 */
export function printDashboard(
  root: HTMLElement,
  {
    items,
    isSingle,
  }: { readonly items: ReadonlyMap<string, OpenItem>; readonly isSingle: boolean },
): () => void {
  const paper = matchMedia("print");
  let isOnPaper = false;

  /** Browsers lay a page out for paper only after these events, so the pictures are drawn for the usual width. */
  function print(wanted: boolean): void {
    if (wanted === isOnPaper) return;
    isOnPaper = wanted;
    const { clientHeight } = root;
    root.classList.toggle("mf-on-paper", wanted);
    if (!wanted) {
      root.style.removeProperty("--mf-height");
      for (const item of items.values()) item.print(false);
      return;
    }
    if (isSingle) root.style.setProperty("--mf-height", `${clientHeight}px`);
    root.style.setProperty("width", `${paperWidth}px`);
    for (const item of items.values()) item.print(true);
    root.style.removeProperty("width");
  }

  const begin = () => print(true);
  const end = () => print(false);
  const change = () => print(paper.matches);
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  paper.addEventListener("change", change);
  return () => {
    removeEventListener("beforeprint", begin);
    removeEventListener("afterprint", end);
    paper.removeEventListener("change", change);
  };
}
