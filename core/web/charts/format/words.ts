/** The words of one language that pictures show in addition to data. */
export interface Words {
  readonly by: string;
  readonly other: string;
  readonly empty: string;
  readonly total: string;
  readonly rows: string;
  readonly moreRows: string;
  readonly unknownType: string;
  readonly more: string;
  readonly less: string;
  readonly same: string;
  readonly than: string;
  readonly all: string;
  readonly none: string;
  readonly error: string;
  readonly notFromZero: string;
  readonly notShown: string;
  readonly target: string;
  readonly noTotals: string;
}

const english: Words = {
  by: "by",
  other: "Other",
  empty: "No data",
  total: "Total",
  rows: "rows",
  moreRows: "more rows",
  unknownType: "Shown as a table: charts of this type are not supported",
  more: "more",
  less: "less",
  same: "same as",
  than: "than",
  all: "All",
  none: "(none)",
  error: "This item could not be loaded",
  notFromZero: "axis does not start at 0",
  notShown: "not shown",
  target: "Target",
  noTotals: "no totals with a filter on groups",
};

const languages: Readonly<Record<string, Words>> = {
  en: english,
  fr: {
    by: "par",
    other: "Autres",
    empty: "Aucune donnée",
    total: "Total",
    rows: "lignes",
    moreRows: "autres lignes",
    unknownType:
      "Affiché sous forme de tableau : les graphiques de ce type ne sont pas pris en charge",
    more: "de plus",
    less: "de moins",
    same: "identique à",
    than: "que",
    all: "Tous",
    none: "(aucun)",
    error: "Cet élément n’a pas pu être chargé",
    notFromZero: "l’axe ne commence pas à 0",
    notShown: "non affiché",
    target: "Objectif",
    noTotals: "pas de totaux avec un filtre sur les groupes",
  },
  nl: {
    by: "per",
    other: "Overige",
    empty: "Geen gegevens",
    total: "Totaal",
    rows: "rijen",
    moreRows: "extra rijen",
    unknownType: "Als tabel weergegeven: grafieken van dit type worden niet ondersteund",
    more: "meer",
    less: "minder",
    same: "gelijk aan",
    than: "dan",
    all: "Alle",
    none: "(geen)",
    error: "Dit item kon niet worden geladen",
    notFromZero: "as begint niet bij 0",
    notShown: "niet weergegeven",
    target: "Doel",
    noTotals: "geen totalen bij een filter op groepen",
  },
  de: {
    by: "nach",
    other: "Andere",
    empty: "Keine Daten",
    total: "Gesamt",
    rows: "Zeilen",
    moreRows: "weitere Zeilen",
    unknownType: "Als Tabelle angezeigt: Diagramme dieses Typs werden nicht unterstützt",
    more: "mehr",
    less: "weniger",
    same: "gleich wie",
    than: "als",
    all: "Alle",
    none: "(keine)",
    error: "Dieses Element konnte nicht geladen werden",
    notFromZero: "Achse beginnt nicht bei 0",
    notShown: "nicht angezeigt",
    target: "Ziel",
    noTotals: "keine Gesamtwerte bei einem Filter für Gruppen",
  },
  es: {
    by: "por",
    other: "Otros",
    empty: "Sin datos",
    total: "Total",
    rows: "filas",
    moreRows: "filas más",
    unknownType: "Se muestra como tabla: no se admiten los gráficos de este tipo",
    more: "más",
    less: "menos",
    same: "igual que",
    than: "que",
    all: "Todos",
    none: "(ninguno)",
    error: "No se pudo cargar este elemento",
    notFromZero: "el eje no empieza en 0",
    notShown: "no mostrado",
    target: "Objetivo",
    noTotals: "sin totales si hay un filtro de grupos",
  },
};

/** Returns the words of a language; English if the language is not available. */
export function wordsOf(localeId: string): Words {
  const language = localeId.split("-")[0] ?? "";
  return Object.hasOwn(languages, language) ? (languages[language] ?? english) : english;
}
