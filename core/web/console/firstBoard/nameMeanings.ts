/** What the name of a column says about its values. */
export type NameMeaning =
  | "identifier"
  | "year"
  | "ordinal"
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
    /^(ids?|uuid|guid|nr|no|num|key|code|codes|zip|zipcode|postal|postcode|plz|phone|tel|telefon|sku|ean|isbn|gtin|iban|ssn|vin|index|rownum|serial|hash|nummer|numéro|número|codice|código|cp|fips|hausnummer)$/,
  ],
  ["year", /^(years?|yr|jahr|année|annee|año|anno|jaar)$/],
  [
    "ordinal",
    /^(hours?|hr|stunde|heure|hora|uur|month|months|monat|mois|mes|maand|weekday|dow|week|woche|semaine|semana|wochentag|day|tag|jour|día|dia|dag|quarter|quartal|trimestre|kwartaal|class|klasse|classe|level|stufe|niveau|rank|rang|grade|group|gruppe|groupe|zone|tier|step|size|version|decade)$/,
  ],
  ["country", /^(country|countries|nation|land|länder|pays|país|pais|paese|iso2|iso3|iso)$/],
  [
    "rate",
    /^(rate|ratio|share|percent|percentage|pct|prozent|anteil|quote|taux|pourcentage|porcentaje|percentuale|price|preis|prix|prijs|precio|prezzo|avg|average|mean|median|durchschnitt|moyenne|media|score|rating|stars|bewertung|note|temperature|temp|temperatur|température|age|alter|âge|edad|età|leeftijd|speed|geschwindigkeit|vitesse|duration|dauer|durée|duración|delay|verspätung|retard|latency|height|width|length|depth|weight|gewicht|poids|höhe|humidity|pressure|density|margin|marge|discount|rabatt|interest|index|ph|bmi|per|rooms|elapsed|fare|km|miles|distance|distanz|population|pop|einwohner|capacity|probability|chance|likelihood|wahrscheinlichkeit)$/,
  ],
  [
    "amount",
    /^(amount|amounts|total|totals|sum|revenue|sales|turnover|income|profit|loss|cost|costs|spend|spending|budget|expense|expenses|payment|payments|fee|fees|tax|taxes|value|quantity|qty|units|count|counts|number|volume|orders|visits|visitors|clicks|views|impressions|sessions|passengers|sold|stock|births|deaths|cases|tons|kwh|mwh|umsatz|betrag|menge|anzahl|summe|kosten|gewinn|stück|montant|quantité|total|chiffre|coût|nombre|importe|cantidad|ventas|ingresos|coste|importo|quantità|vendite|ricavi|bedrag|omzet|aantal|hoeveelheid)$/,
  ],
];

/** Words in names of columns whose values should be small, in several languages. */
const unwelcome =
  /^(delays?|latency|wait|waiting|costs?|expenses?|errors?|failures?|loss|losses|churn|churned|cancelled|canceled|cancellations|complaints|defects|returns|risk|debt|accidents|deaths|kosten|verspätung|fehler|verlust|retard|coûts?|pertes|costes?|pérdidas|costi|perdite)$/;

/** Returns whether a name says that a decrease of the values is good. */
export const isUnwelcome = (name: string): boolean =>
  wordsIn(name).some((word) => unwelcome.test(word));

/** Splits a name into its words in lower case: "unitPrice" and "Unit_Price" are both "unit" and "price". */
export function wordsIn(name: string): readonly string[] {
  return name
    .normalize("NFC")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}%]+/u)
    .filter((word) => word !== "");
}

/** Returns what a name says about the values of its column; undefined if it says nothing. */
export function meaningOf(name: string): NameMeaning | undefined {
  if (name.includes("%")) return "rate";
  const words = wordsIn(name);
  return wordsOf.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];
}
