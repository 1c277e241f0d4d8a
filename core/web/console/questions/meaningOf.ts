/** What the name of a column says about its values. */
export type NameMeaning =
  | "identifier"
  | "year"
  | "ordinal"
  | "period"
  | "latitude"
  | "longitude"
  | "country"
  | "rate"
  | "amount"
  | "birth";

/**
 * Words in names of columns, by meaning, in English, German, French, Dutch, Spanish and Italian. The first meaning with
 * a word of the name counts: a "unit price" is a rate, although units are amounts.
 */
const wordsOf: readonly (readonly [NameMeaning, RegExp])[] = [
  ["latitude", /^(lat|latitude|breite|breitengrad|latitud|latitudine|breedtegraad)$/],
  ["longitude", /^(lon|lng|long|longitude|länge|längengrad|longitud|longitudine|lengtegraad)$/],
  ["birth", /^(birth|birthday|birthdate|dob|geburtstag|geburtsdatum|naissance|nacimiento)$/],
  [
    "identifier",
    /^(ids?|uuid|guid|nr|no|num|key|code|codes|zip|zipcode|postal|postcode|plz|phone|tel|telefon|téléphone|teléfono|telefoon|sku|ean|isbn|gtin|iban|ssn|vin|rownum|serial|hash|nummer|numéro|número|codice|código|cp|fips|hausnummer)$/,
  ],
  ["year", /^(years?|yr|jahr|année|annee|año|anno|jaar)$/],
  [
    "period",
    /^(months?|monat|mois|mes|maand|weekday|dow|week|woche|semaine|semana|wochentag|day|tag|jour|día|dia|dag|quarter|quartal|trimestre|kwartaal|decade)$/,
  ],
  [
    "ordinal",
    /^(hours?|hr|stunde|heure|hora|uur|minute|class|klasse|classe|level|stufe|niveau|rank|rang|grade|group|gruppe|groupe|zone|tier|step|size|version)$/,
  ],
  ["country", /^(country|countries|nation|land|länder|pays|país|pais|paese|iso2|iso3|iso)$/],
  [
    "rate",
    /^(rate|ratio|share|percent|percentage|pct|prozent|anteil|quote|taux|pourcentage|porcentaje|percentuale|price|preis|prix|prijs|precio|prezzo|avg|average|mean|median|promedio|gemiddelde|aandeel|durchschnitt|moyenne|media|score|rating|stars|bewertung|note|nota|tasa|yield|temperature|temp|temperatur|température|age|alter|âge|edad|età|leeftijd|speed|geschwindigkeit|vitesse|velocidad|snelheid|duration|dauer|durée|duree|duración|duur|wait|delay|vertraging|verspätung|retard|latency|height|width|length|depth|weight|gewicht|poids|höhe|humidity|pressure|density|margin|marge|discount|rabatt|interest|index|ph|bmi|per|rooms|elapsed|fare|population|pop|einwohner|capacity|probability|chance|likelihood|wahrscheinlichkeit)$/,
  ],
  [
    "amount",
    /^(amount|amounts|total|totals|sum|revenue|sales|turnover|income|profit|loss|cost|costs|spend|spending|budget|expense|expenses|payment|payments|fee|fees|tax|taxes|value|quantity|qty|units|count|counts|number|volume|orders|visits|visitors|clicks|views|impressions|sessions|passengers|sold|stock|births|deaths|cases|tons|kwh|mwh|km|kilometers|kilometres|miles|distance|distances|distanz|strecke|distancia|distanza|afstand|umsatz|betrag|menge|anzahl|summe|kosten|gewinn|stück|montant|quantité|total|chiffre|coût|nombre|importe|cantidad|ventas|ingresos|coste|importo|quantità|vendite|ricavi|bedrag|omzet|aantal|hoeveelheid)$/,
  ],
];

/** Splits a name into its words in lower case: "unitPrice" and "Unit_Price" are both "unit" and "price". */
export function wordsIn(name: string): readonly string[] {
  return name
    .normalize("NFC")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}%]+/u)
    .filter((word) => word !== "");
}

/** Words that make a name one of numbers per unit, such as "km per hour". */
const perUnit = /^(per|pro|par|por)$/;

const meaningOfWord = (word: string): NameMeaning | undefined =>
  wordsOf.find(([, pattern]) => pattern.test(word))?.[0];

/**
 * Returns what a name says about the values of its column; undefined if it says nothing. A last word that means a rate
 * decides, because it is the noun of the name: a "phone price" is a price.
 */
export function meaningOf(name: string): NameMeaning | undefined {
  const words = wordsIn(name);
  if (name.includes("%") || words.slice(1, -1).some((word) => perUnit.test(word))) return "rate";
  // An index numbers the rows, but a price index is a rate.
  if (words.length === 1 && words[0] === "index") return "identifier";
  const meanings = words.map(meaningOfWord);
  if (meanings.at(-1) === "rate") return "rate";
  return wordsOf.find(([meaning]) => meanings.includes(meaning))?.[0];
}
