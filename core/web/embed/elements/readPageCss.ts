/** Colour roles that a page may replace. The background comes first because text colours depend on it. */
const roles = [
  "background",
  "page",
  "text",
  "muted",
  "grid",
  "axis",
  "positive",
  "negative",
  ...Array.from({ length: 20 }, (_, index) => `series-${index + 1}`),
  ...[1, 2, 3].map((place) => `ramp-${place}`),
];

/**
 * Returns the colours that the page sets for an element through custom properties such as `--manifold-background` and
 * `--manifold-series-1`, as CSS that `resolveTheme` reads. Returns an empty string if the page sets none.
 */
export function readPageCss(host: HTMLElement): string {
  const styles = getComputedStyle(host);
  const declarations = roles.flatMap((role) => {
    const property = `--manifold-${role}`;
    const value = styles.getPropertyValue(property).trim();
    return value === "" ? [] : [`${property}: ${value};`];
  });
  return declarations.length === 0 ? "" : `:host { ${declarations.join(" ")} }`;
}
