/**
 * Returns the members of a `find` for records whose name contains a text, ignoring case; an empty object for an empty
 * text.
 */
export function searchOf(text: string): { readonly search?: object } {
  const keyphrase = text.trim();
  return keyphrase === "" ? {} : { search: { keyphrase, match_types: ["name"] } };
}
