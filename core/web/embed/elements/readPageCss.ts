/** Roles of colours that a page may replace; the ground first, since texts follow it. */
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
 * Returns the colours that custom properties of the page give an element, such as `--manifold-background` and
 * `--manifold-series-1`, as a css text that `resolveTheme` reads; empty for none.
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
