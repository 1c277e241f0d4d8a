/** The part of a picture to which a CSS rule applies. */
export type CssTarget = "page" | "item";

/** A declaration of an allowed property, as written. The caller must validate its value. */
export interface CssDeclaration {
  readonly target: CssTarget;
  readonly property: string;
  readonly value: string;
}

const targets: Readonly<Record<string, CssTarget>> = {
  ":root": "page",
  ":host": "page",
  html: "page",
  body: "page",
  ".dashboard": "page",
  "manifold-dashboard": "page",
  ".item": "item",
  "manifold-item": "item",
};

const own =
  /^--manifold-(?:page|background|text|muted|grid|axis|positive|negative|series-\d{1,2}|ramp-[123])$/;
const properties = ["background", "background-color", "color"];

/** Maximum number of characters read; the rest of a longer string is ignored. */
const mostCharacters = 100_000;
const mostDeclarations = 500;

/**
 * Returns the declarations of a CSS string that pictures support: colours of the page and its items. Allow-lists
 * contain the supported selectors and properties. Other selectors and properties are ignored, and so are at-rules,
 * URLs, functions and escapes. O(characters).
 */
export function readCss(css: unknown): CssDeclaration[] {
  if (typeof css !== "string") return [];
  const plain = withoutComments(css.slice(0, mostCharacters));
  const found: CssDeclaration[] = [];
  // The selector of a nested block, as in @media, contains a `{`, so it matches no allowed selector.
  for (const block of plain.split("}")) {
    const [selectors, body, ...nested] = block.split("{");
    if (selectors === undefined || body === undefined || nested.length > 0) continue;
    const chosen = new Set(selectors.split(",").flatMap((each) => targets[each.trim()] ?? []));
    for (const declaration of chosen.size === 0 ? [] : body.split(";")) {
      const colon = declaration.indexOf(":");
      const property = declaration.slice(0, Math.max(0, colon)).trim();
      if (!properties.includes(property) && !own.test(property)) continue;
      const value = declaration.slice(colon + 1).trim();
      for (const target of chosen) found.push({ target, property, value });
      if (found.length >= mostDeclarations) return found;
    }
  }
  return found;
}

function withoutComments(css: string): string {
  let plain = "";
  for (let at = 0; at < css.length;) {
    const start = css.indexOf("/*", at);
    if (start < 0) return plain + css.slice(at);
    plain += `${css.slice(at, start)} `;
    const end = css.indexOf("*/", start + 2);
    if (end < 0) return plain;
    at = end + 2;
  }
  return plain;
}
