/**
 * Makes a text of others fit to be shown to a model, or one of a model fit to be kept: no control character, no line
 * break, no link and no picture, and not longer than `length`.
 */
export function plainText(given: unknown, length: number): string {
  const text = typeof given === "string" ? given : "";
  const plain = text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\b(?:https?|ftp|data|javascript):\S*/gi, "")
    .replaceAll(/[<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  // Half of a surrogate pair cannot be stored.
  return plain.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** The longest text of others in one place of a data block. */
const blockTextLength = 600;

/** Writes data of others as a marked block that no text in it can end. */
export function dataBlock(value: unknown): string {
  const json = JSON.stringify(value, (_member, each: unknown) =>
    typeof each === "string" ? plainText(each, blockTextLength) : each,
  );
  // Names of members are texts of others too.
  return `<data>${json.replaceAll(/[<>]/g, " ")}</data>`;
}
