/** Returns the members of a `find` for records with a text in their name, whatever the case; none for an empty text. */
export function searchOf(text: string): { readonly search?: object } {
  const keyphrase = text.trim();
  return keyphrase === "" ? {} : { search: { keyphrase, match_types: ["name"] } };
}
