import type { QuestionWords } from "./en.ts";

const tests: Readonly<Record<string, string>> = {
  "? in ?": "est parmi",
  "? not in ?": "n’est pas parmi",
  "? like ?": "contient",
  "? = ?": "est",
  "? != ?": "n’est pas",
  "? > ?": "est supérieur à",
  "? >= ?": "est au moins",
  "? < ?": "est inférieur à",
  "? <= ?": "est au plus",
  "? between ?": "est compris entre",
  range: "est dans la période",
  "? is null": "est vide",
  "? is not null": "n’est pas vide",
};

/** Puts "de" before a name, shortened before a vowel. */
const of = (name: string): string =>
  /^[aàâeéèêëiîïoôuùûy]/iu.test(name) ? `d’${name}` : `de ${name}`;

/** The words in French. */
export const words: QuestionWords = {
  countRows: "Nombre de lignes",
  savedQuestion: "Question enregistrée",
  aggregations: {
    sum: "Total",
    average: "Moyenne",
    median: "Médiane",
    min: "Minimum",
    max: "Maximum",
    count: "Nombre",
    distinctcount: "Nombre de valeurs distinctes",
    stddev: "Écart type",
    corr: "Corrélation",
    percentile: "Centile",
    weightedaverage: "Moyenne pondérée",
    cumulativesum: "Total cumulé",
  },
  calculations: {
    share_of_total: "part du total",
    rank: "rang",
    past: { period: "période précédente", year: "année précédente" },
    absolute_change: {
      period: "écart avec la période précédente",
      year: "écart avec l’année précédente",
    },
    percentage_change: {
      period: "évolution depuis la période précédente en %",
      year: "évolution depuis l’année précédente en %",
    },
  },
  phrases: {
    sum: (column: string) => `Total ${of(column)}`,
    average: (column: string) => `Moyenne ${of(column)}`,
    median: (column: string) => `Médiane ${of(column)}`,
    min: (column: string) => `Minimum ${of(column)}`,
    max: (column: string) => `Maximum ${of(column)}`,
    count: (column: string) => `Nombre ${of(column)}`,
    distinctcount: (column: string) => `Nombre de valeurs distinctes ${of(column)}`,
    stddev: (column: string) => `Écart type ${of(column)}`,
  },
  hasCapitalNouns: false,
  labelled: (name: string, value: string) => `${name} : ${value}`,
  by: (measures: string, dimensions: string) => `${measures} par ${dimensions}`,
  levels: ["", "année", "trimestre", "mois", "semaine", "jour", "heure", "minute", "seconde"],
  tests,
  filterTitle: (column: string) => `Filtrer par ${column}`,
  test: "Condition",
  value: "Valeur",
  atLeast: "Au moins",
  atMost: "Au plus",
  mostValues: (count: string) =>
    `Voici les ${count} valeurs les plus fréquentes. Recherchez les autres.`,
  values: "Valeurs",
  searchValues: "Rechercher des valeurs",
  none: "Aucune valeur",
  noValues: "Aucune valeur ne correspond.",
  apply: "Appliquer le filtre",
  cancel: "Annuler",
  numberFormatHint: "Saisissez un format D3 : ,.2f affiche deux décimales, .0% un pourcentage.",
  dateFormatHint: "Saisissez un format D3 : %d/%m/%Y affiche le jour, le mois et l’année.",
  automaticFormat: "Automatique",
  customFormat: "Personnalisé",
  customFormatOf: (field: string): string => `${field} : format D3`,
  currency: "Devise",
  currencyHint: "Un code de trois lettres, par exemple CHF.",
  example: (written: string): string => `Exemple : ${written}`,
  noNumberFormat:
    "Ce n’est pas un format de nombre D3 ; le nombre de chiffres dépend donc de la valeur.",
  noDateFormat:
    "Un format de date doit comporter au moins un élément tel que %Y. Sinon, les dates sont écrites en entier.",
};
