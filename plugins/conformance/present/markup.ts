const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes the five special characters of HTML and XML in a string, and replaces characters that XML does not allow. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
