import { ApiError, kindOf } from "../../base/index.ts";

/**
 * Parses a locale such as `nl`, `pt-BR`, `pt_BR` or `de-u-co-phonebk` into its canonical form. A language without
 * collation rules becomes `en`, never the language of the machine.
 * @throws {ApiError} MEMBER_INVALID
 */
export function parseLocale(value: unknown, path: string): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const canonical = typeof value === "string" ? canonicalLocale(value) : undefined;
  if (canonical === undefined)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `it must be a language such as nl or pt-BR${typeof value === "string" ? "" : `, not ${kindOf(value)}`}`,
    ]);
  return Intl.Collator.supportedLocalesOf(canonical).length > 0 ? canonical : "en";
}

/** Returns whether `options.locale_id` accepts a string. */
export function isLocale(name: string): boolean {
  return canonicalLocale(name) !== undefined;
}

function canonicalLocale(name: string): string | undefined {
  if (name.length > 64) return undefined;
  try {
    return Intl.getCanonicalLocales(name.replaceAll("_", "-"))[0];
  } catch (refused) {
    if (refused instanceof RangeError) return undefined;
    throw refused;
  }
}
