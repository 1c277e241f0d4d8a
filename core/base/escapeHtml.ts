/** Escapes text for HTML, as content of an element or as the value of an attribute in quotes. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
