import type { CSSResult } from "lit";

const adopted = new Set<CSSStyleSheet>();

/** Adds style rules to the document, once. Each page calls it with its own rules when it is opened. */
export function adoptStyles(...styles: readonly CSSResult[]): void {
  for (const { styleSheet } of styles) {
    if (!styleSheet || adopted.has(styleSheet)) continue;
    adopted.add(styleSheet);
    document.adoptedStyleSheets.push(styleSheet);
  }
}
