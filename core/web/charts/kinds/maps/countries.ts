import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { countryCodes } from "./countryCodes.ts";
import { pointShape, type PlaceShape, type Position } from "./placeShape.ts";
import { smallCountries, worldTopology } from "./world.ts";

/** The outline of a country on the world map. */
interface Outline {
  /** ISO 3166-1 code; undefined for territories without a code. */
  readonly code: string | undefined;
  readonly shape: PlaceShape;
}

let outlines: readonly Outline[] | undefined;

/** Returns the outlines of all countries of the world map. They are decoded on the first call. */
export function countryOutlines(): readonly Outline[] {
  outlines ??= decodedOutlines();
  return outlines;
}

function decodedOutlines(): readonly Outline[] {
  const world: Topology<{ countries: GeometryCollection }> = JSON.parse(worldTopology);
  return feature(world, world.objects.countries).features.map(({ id, geometry }) => ({
    code: id === undefined ? undefined : String(id),
    shape: {
      points: [],
      lines: [],
      polygons:
        geometry.type === "MultiPolygon"
          ? geometry.coordinates.map((rings) => rings.map(positions))
          : geometry.type === "Polygon"
            ? [geometry.coordinates.map(positions)]
            : [],
    },
  }));
}

const positions = (ring: readonly (readonly number[])[]): Position[] =>
  ring.map(([longitude = 0, latitude = 0]) => [longitude, latitude]);

let shapes: ReadonlyMap<string, PlaceShape> | undefined;

/**
 * Returns the shape of a country by its code: its outline, or a point for small countries. Undefined for territories
 * that the map does not show.
 */
export function shapeOfCountry(code: string): PlaceShape | undefined {
  if (!shapes) {
    const points: readonly (readonly [string, number, number])[] = JSON.parse(smallCountries);
    shapes = new Map([
      ...points.map(([small, ...position]) => [small, pointShape(position)] as const),
      ...countryOutlines().flatMap(({ code: own, shape }) =>
        own === undefined ? [] : [[own, shape] as const],
      ),
    ]);
  }
  return shapes.get(code);
}

/** Languages in which names of countries are recognized, in addition to the reader's language. */
const languages =
  "en fr nl de es pt it pl ru uk tr ar he fa hi bn ja ko zh zh-Hant sv da nb fi cs sk hu ro bg el hr sr sl lt lv et id ms th vi ca sw";

/** Common names that Unicode's list of names lacks, by code. */
const furtherNames: Readonly<Record<string, string>> = {
  BO: "Bolivia, Plurinational State of",
  BN: "Brunei Darussalam",
  CD: "Democratic Republic of the Congo|DR Congo|DRC|Zaire",
  CG: "Congo|Republic of the Congo",
  CI: "Ivory Coast|Cote d'Ivoire",
  CV: "Cabo Verde|Cape Verde",
  CZ: "Czech Republic|Czechia",
  FM: "Micronesia, Federated States of",
  GB: "Great Britain|United Kingdom of Great Britain and Northern Ireland|U.K.|UK",
  IR: "Iran, Islamic Republic of",
  KP: "Democratic People's Republic of Korea|Korea, North",
  KR: "Republic of Korea|Korea, South|Korea",
  LA: "Lao People's Democratic Republic",
  MD: "Republic of Moldova|Moldova, Republic of",
  MK: "Macedonia|North Macedonia|FYROM",
  MM: "Burma|Myanmar",
  NL: "Holland",
  PS: "Palestine|State of Palestine",
  RU: "Russian Federation",
  SY: "Syrian Arab Republic",
  SZ: "Swaziland|Eswatini",
  TL: "East Timor",
  TR: "Turkey|Turkiye",
  TW: "Taiwan, Province of China|Chinese Taipei",
  TZ: "United Republic of Tanzania|Tanzania, United Republic of",
  US: "United States of America|U.S.A.|U.S.",
  VA: "Holy See",
  VE: "Venezuela, Bolivarian Republic of",
  VN: "Viet Nam",
};

/** Returns a name without case, accents and punctuation. Signs of other scripts, such as vowels, are kept. */
function folded(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replaceAll(/\bst\b\.?/g, "saint")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .replace(/^the /, "");
}

const codeIndex = new Map(
  countryCodes.flatMap(({ alpha2, alpha3, numeric }) =>
    [alpha2, alpha3, numeric].flatMap((code) => (code === "" ? [] : [[code, alpha2] as const])),
  ),
);

const indexes = new Map<string, ReadonlyMap<string, string>>();

/** Returns the codes of countries by their folded names in a language. Names of several countries are left out. */
function namesIn(language: string): ReadonlyMap<string, string> {
  const known = indexes.get(language);
  if (known) return known;
  const names = new Map<string, string>();
  const several = new Set<string>();
  for (const style of ["long", "short"] as const) {
    const displayed = new Intl.DisplayNames([language], {
      type: "region",
      style,
      fallback: "none",
    });
    for (const { alpha2 } of countryCodes) {
      const name = folded(displayed.of(alpha2) ?? "");
      if (name === "") continue;
      if ((names.get(name) ?? alpha2) !== alpha2) several.add(name);
      names.set(name, alpha2);
    }
  }
  for (const name of several) names.delete(name);
  if (language === "en")
    for (const [code, list] of Object.entries(furtherNames))
      for (const name of list.split("|")) names.set(folded(name), code);
  indexes.set(language, names);
  return names;
}

/**
 * Returns the code of the country that a string names: an ISO 3166-1 code of two or three letters or three digits, or a
 * name in the reader's language, in English or in one of some forty other languages. Case, accents and punctuation do
 * not matter in names. Undefined for other strings.
 */
export function findCountry(given: string, localeId: string): string | undefined {
  const text = given.trim().slice(0, 100);
  const code = codeIndex.get(text.toUpperCase());
  if (code !== undefined) return code;
  const name = folded(text);
  if (name === "") return undefined;
  for (const language of [validLanguage(localeId), ...languages.split(" ")]) {
    const found = namesIn(language).get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function validLanguage(localeId: string): string {
  try {
    return Intl.getCanonicalLocales(localeId)[0] ?? "en";
  } catch {
    return "en";
  }
}
