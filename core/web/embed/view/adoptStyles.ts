/**
 * Adopts a style sheet in the document or the shadow root that an element is in, once. Sheets that scripts construct
 * are no inline styles: a policy without `unsafe-inline` allows them.
 */
export function adoptStyles(inside: Node, sheet: CSSStyleSheet): void {
  const root = inside.getRootNode();
  if (!(root instanceof Document) && !(root instanceof ShadowRoot)) return;
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

/** Makes a style sheet of its text when it is first needed. */
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
