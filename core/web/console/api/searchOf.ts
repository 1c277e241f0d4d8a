/**
 * Returns the members of a `find` for records whose name contains `text`, ignoring case; an empty object if `text` is
 * empty.
 */
export function searchOf(text: string): { readonly search?: object } {
  const keyphrase = text.trim();
  return keyphrase === "" ? {} : { search: { keyphrase, match_types: ["name"] } };
}
