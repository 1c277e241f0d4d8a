/**
 * Returns the address of a mark: a template with the values of the mark's slots, percent-encoded. A value cannot change
 * the server or the folder of the address. Undefined if a value is missing, or if the address is not valid.
 */
export function markAddress(
  template: string,
  valueOf: (slot: string) => string | undefined,
): string | undefined {
  let isComplete = true;
  const written = template.replaceAll(/\{([^{}]+)\}/g, (_, slot: string) => {
    const value = valueOf(slot);
    // URLs treat segments of one or two dots as folders, even if they are encoded.
    if (value === undefined || value === "." || value === "..") isComplete = false;
    return encodeURIComponent((value ?? "").toWellFormed());
  });
  const address = isComplete ? URL.parse(written) : null;
  const isWeb = address?.protocol === "https:" || address?.protocol === "http:";
  return isWeb ? address.href : undefined;
}
