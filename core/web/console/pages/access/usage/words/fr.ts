import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Utilisation",
  intro:
    "L’utilisation de votre organisation, toutes personnes, tous jetons et tous hôtes confondus. L’exploitant de l’hôte fixe les limites.",
  again: "Actualiser",
  names: {
    rows: "Lignes des jeux de données",
    bytes: "Taille des valeurs envoyées",
    queries: "Requêtes simultanées",
    scanned_rows: "Lignes lues par les requêtes",
    pushes: "Envois",
    jobs: "Tâches : alertes, tableaux de bord envoyés, exports, contrôles de plugins",
    ai_tokens: "Jetons de l’assistant",
  },
  spans: {
    stored: "au total",
    now: "maintenant",
    minute: "cette minute",
    day: "aujourd’hui, UTC",
  },
  used: (used, hard) => `${used} sur ${hard}`,
  noLimit: "aucune limite",
  states: {
    within: "Dans la limite",
    soft: "Au-dessus du seuil d’avertissement",
    hard: "Limite atteinte",
  },
  soft: (soft) => `Avertissement au-dessus de ${soft}`,
  refused: "Toute utilisation supplémentaire est refusée.",
  resets: (time) => `Remise à zéro à ${time}.`,
  stays:
    "Supprimez des lignes ou des jeux de données, ou demandez une limite plus élevée à l’exploitant de l’hôte.",
  waits: "Les requêtes suivantes attendent que d’autres soient terminées.",
  activity: "Personnes et activité",
  activityIntro:
    "Chaque personne compte une fois par ligne, quels que soient le nombre de ses visites et l’hôte qui a répondu. Les mois sont en UTC.",
  ofDashboard: (name) => `Uniquement le tableau de bord ${name}.`,
  ofAll: "Tout afficher",
  by: "Répartir par",
  month: "Mois",
  parts: {
    month: "Mois",
    suborganization: "Sous-organisation",
    integration: "Intégration",
    dashboard: "Tableau de bord",
    viewer: "Personne",
  },
  none: {
    month: "–",
    suborganization: "Organisation entière",
    integration: "Aucune intégration",
    dashboard: "Aucun tableau de bord",
    viewer: "Une personne supprimée ou que vous ne pouvez pas voir",
  },
  acts: {
    viewer_count: "Personnes",
    view_count: "Vues de tableaux de bord",
    question_count: "Questions",
    export_count: "Exports",
    model_call_count: "Appels du modèle",
  },
  noActivity: "Aucune activité ce mois-ci",
  noActivityText:
    "Les vues, questions, exports et appels du modèle apparaissent ici en quelques secondes.",
  cut: (shown, count) => `Les ${shown} premières lignes sur ${count}. L’API les renvoie toutes.`,
  lost: (count) =>
    `${count} actions n’ont pas pu être comptées, car trop d’entre elles attendaient le catalogue.`,
  bar: (name, used, hard, soft) =>
    `${name} : ${used} utilisés sur ${hard}, avertissement au-dessus de ${soft}`,
};
