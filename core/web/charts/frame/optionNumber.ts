/** Returns a stored number of an option, kept between two bounds; the default for anything else. */
export function optionNumber(
  stored: unknown,
  {
    least,
    most,
    otherwise,
  }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  return typeof stored === "number" && Number.isFinite(stored)
    ? Math.max(least, Math.min(most, stored))
    : otherwise;
}
