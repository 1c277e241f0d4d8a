/**
 * Cleans a string, so that a model may read it, or so that a string from a model may be stored. Removes control
 * characters, line breaks, links and images, and truncates it to `length`.
 */
export function plainText(given: unknown, length: number): string {
  const text = typeof given === "string" ? given : "";
  const plain = text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\b(?:https?|ftp|data|javascript):\S*/gi, "")
    .replaceAll(/[<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  // A lone surrogate cannot be stored.
  return plain.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** Maximum length of a string in a data block. */
const blockTextLength = 600;

/** Writes customer data as a marked block that no string in it can close. */
export function dataBlock(value: unknown): string {
  const json = JSON.stringify(value, (_member, each: unknown) =>
    typeof each === "string" ? plainText(each, blockTextLength) : each,
  );
  // Names of members may come from customers too.
  return `<data>${json.replaceAll(/[<>]/g, " ")}</data>`;
}
