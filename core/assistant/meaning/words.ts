/**
 * Cleans a string that is sent to a model, or that a model wrote. Removes control characters, line breaks, links and
 * images, and truncates the string to `length`.
 */
export function plainText(given: unknown, length: number): string {
  const text = typeof given === "string" ? given : "";
  const plain = text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\b(?:https?|ftp|data|javascript):\S*/gi, "")
    .replaceAll(/[<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  // The catalog cannot store a lone surrogate.
  return plain.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** Maximum length of a string in a data block. */
const blockTextLength = 600;

/** Writes customer data as a marked block that no string in the data can close. */
export function dataBlock(value: unknown): string {
  const json = JSON.stringify(value, (_member, each: unknown) =>
    typeof each === "string" ? plainText(each, blockTextLength) : each,
  );
  // The whole JSON is cleaned, because names of members may come from customers too.
  return `<data>${json.replaceAll(/[<>]/g, " ")}</data>`;
}
