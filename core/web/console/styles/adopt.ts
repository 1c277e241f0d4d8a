import type { CSSResult } from "lit";

const adopted = new Set<CSSStyleSheet>();

/** Adds style rules to the document, each only once. A page calls it with its own rules when the page is opened. */
export function adoptStyles(...styles: readonly CSSResult[]): void {
  for (const { styleSheet } of styles) {
    if (!styleSheet || adopted.has(styleSheet)) continue;
    adopted.add(styleSheet);
    document.adoptedStyleSheets.push(styleSheet);
  }
}
