import type { ControlWords } from "./controlWords.ts";

/** The words of controls in French. */
export const words: ControlWords = {
  apply: "Appliquer",
  choose: "Choisir une période",
  noMatch: "Aucune valeur ne correspond",
  shownOf: "{shown} valeurs sur {count} ; saisissez du texte pour trouver les autres",
  notOnHost: "La recherche porte uniquement sur les valeurs de cette liste",
  allDates: "Toutes les dates",
  custom: "Période personnalisée",
  last: "Derniers",
  number: "Nombre de périodes",
  unit: "Unité",
  isComplete: "Périodes complètes uniquement",
  earlierMonth: "Mois précédent",
  laterMonth: "Mois suivant",
  badDay: "Saisissez une date, par exemple {example}",
  badOrder: "Le premier jour ne doit pas suivre le dernier jour",
  weekFrom: "{range} (à partir du {day})",
  compare: "Comparer avec",
  compareWith: { none: "rien", period: "la période précédente", year: "un an plus tôt" },
  compareDays: "autant de jours à partir d’une date",
  compareFrom: "À partir du",
  comparedDays: "Comparé à {range}",
  compareNeedsDays:
    "Choisissez ci-dessus un premier et un dernier jour pour les comparer à d’autres jours",
  compareEarlier: "Choisissez un jour avant le premier jour de la période",
  units: [
    { one: "année", other: "années" },
    { one: "trimestre", other: "trimestres" },
    { one: "mois", other: "mois" },
    { one: "semaine", other: "semaines" },
    { one: "jour", other: "jours" },
    { one: "heure", other: "heures" },
    { one: "minute", other: "minutes" },
    { one: "seconde", other: "secondes" },
  ],
  unitsAgo: [],
  feminine: [1, 4, 6, 7, 8],
  current: [
    "Cette année",
    "Ce trimestre",
    "Ce mois-ci",
    "Cette semaine",
    "Aujourd’hui",
    "Cette heure",
    "Cette minute",
    "Cette seconde",
  ],
  previous: [
    "L’année dernière",
    "Le trimestre dernier",
    "Le mois dernier",
    "La semaine dernière",
    "Hier",
    "L’heure précédente",
    "La minute précédente",
    "La seconde précédente",
  ],
  toDate: [
    "Depuis le début de l’année",
    "Depuis le début du trimestre",
    "Depuis le début du mois",
    "Depuis le début de la semaine",
    "Depuis le début de la journée",
    "Depuis le début de l’heure",
    "Depuis le début de la minute",
    "Depuis le début de la seconde",
  ],
  ranges: {
    last_now: {
      masculine: { one: "{count} dernier {unit}", other: "{count} derniers {unit}" },
      feminine: { one: "{count} dernière {unit}", other: "{count} dernières {unit}" },
    },
    last_completed: {
      masculine: {
        one: "{count} dernier {unit} complet",
        other: "{count} derniers {unit} complets",
      },
      feminine: {
        one: "{count} dernière {unit} complète",
        other: "{count} dernières {unit} complètes",
      },
    },
    last_available: {
      masculine: {
        one: "{count} dernier {unit} avec données",
        other: "{count} derniers {unit} avec données",
      },
      feminine: {
        one: "{count} dernière {unit} avec données",
        other: "{count} dernières {unit} avec données",
      },
    },
    ago: { other: "Il y a {count} {unit}" },
    next_now: {
      masculine: { one: "{count} prochain {unit}", other: "{count} prochains {unit}" },
      feminine: { one: "{count} prochaine {unit}", other: "{count} prochaines {unit}" },
    },
    next_full: {
      masculine: {
        one: "{count} prochain {unit} complet",
        other: "{count} prochains {unit} complets",
      },
      feminine: {
        one: "{count} prochaine {unit} complète",
        other: "{count} prochaines {unit} complètes",
      },
    },
    more_than_ago: { other: "Il y a plus de {count} {unit}" },
    or_more_ago: { other: "Il y a {count} {unit} ou plus" },
  },
};
