import { retryImport } from "../../retryImport.ts";

const loadCountries = retryImport(() => import("./countries.ts"));

/** Loads `findCountry` with the map of the world: a name or code of a country and a language to the country's code. */
export async function loadCountryFinder(): Promise<
  (given: string, localeId: string) => string | undefined
> {
  return (await loadCountries()).findCountry;
}
