import type { CSSResult } from "lit";

const sheets: CSSStyleSheet[] = [];
const roots = new Set<DocumentOrShadowRoot>();

/** Adds style rules to every root, each only once. A page calls it with its own rules when the page is opened. */
export function adoptStyles(...styles: readonly CSSResult[]): void {
  for (const { styleSheet } of styles) {
    if (!styleSheet || sheets.includes(styleSheet)) continue;
    sheets.push(styleSheet);
    for (const root of roots) root.adoptedStyleSheets.push(styleSheet);
  }
}

/**
 * Adds a root in which the rules apply: the document of the console, or the shadow root of an element in a page of
 * another site. Returns a function that removes the root.
 */
export function addStyleRoot(root: DocumentOrShadowRoot): () => void {
  roots.add(root);
  root.adoptedStyleSheets.push(...sheets);
  return () => {
    roots.delete(root);
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  };
}
