/**
 * Adopts a style sheet once, in the document or shadow root that contains an element. Constructed style sheets are not
 * inline styles, so content policies without `unsafe-inline` allow them.
 */
export function adoptStyles(inside: Node, sheet: CSSStyleSheet): void {
  const root = inside.getRootNode();
  if (!(root instanceof Document) && !(root instanceof ShadowRoot)) return;
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

/** Returns a function that creates a style sheet from its text when first called. */
export function lazySheet(text: string): () => CSSStyleSheet {
  let sheet: CSSStyleSheet | undefined;
  return () => {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
    }
    return sheet;
  };
}
