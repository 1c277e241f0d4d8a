import type { SourceWords } from "./en.ts";

/** The words in French. */
export const words: SourceWords = {
  storedTitle: "Stocké sur cet hôte",
  storedText:
    "Ses lignes ont été importées ou envoyées : il n’y a pas de source avec laquelle se synchroniser.",
  synchronization: "Synchronisation",
  connection: "Connexion",
  table: "Table",
  statement: "une instruction SQL",
  lastSync: "Dernière synchronisation",
  lastAttempt: "Dernière tentative",
  byConnection:
    "Les colonnes se synchronisent avec la source selon la planification de la connexion",
  byItself: (hours) => `Les colonnes se synchronisent avec la source toutes les ${hours} heures`,
  synchronizeNow: "Synchroniser maintenant",
  unchanged: "Les colonnes n’ont pas changé.",
  notSynced: (reason) => `La synchronisation a échoué : ${reason}`,
  changes: {
    added: (count) => `ajoutées : ${count}`,
    missing: (count) => `manquantes : ${count}`,
    returned: (count) => `revenues : ${count}`,
    retyped: (count) => `de nouveau type : ${count}`,
  },
  acceleration: "Accélération",
  accelerationText:
    "Chaque requête va à la source. Une copie stockée ici répond en quelques millisecondes.",
  start: "Copier les lignes ici",
  startText:
    "Les requêtes utilisent la copie dès qu’elle est complète. Les droits et les filtres de lignes restent les mêmes.",
  stop: "Supprimer la copie",
  stopText:
    "Les requêtes vont de nouveau à la source. La copie et sa planification seront supprimées.",
  load: "Chaque exécution copie",
  loads: {
    full: "Toutes les lignes à chaque fois",
    delta: "Uniquement les lignes nouvelles et modifiées",
    "full-delta": "Les lignes nouvelles et modifiées, et toutes les lignes une fois par jour",
  },
  states: {
    waiting: "en attente",
    copying: "copie en cours",
    ready: "prête",
    failed: "en échec",
  },
  deltaColumn: "Colonne contenant l’heure de la dernière modification",
  every: "Copier tous les",
  unit: "Unité",
  units: { minute: "minutes", hour: "heures", day: "jours", week: "semaines", month: "mois" },
  rows: "Lignes",
  size: "Taille",
  asOf: "Lignes au",
  fullAt: "Dernière copie complète",
  next: "Prochaine copie",
  copied: (rows, share) =>
    share === null
      ? `${rows} lignes copiées jusqu’ici`
      : `${rows} lignes copiées jusqu’ici, environ ${Math.floor(share * 100)} %`,
  history: "Modifications",
  actions: {
    create: "créé",
    update: "modifié",
    delete: "supprimé",
    associate: "partagé ou lié",
    dissociate: "partage ou lien retiré",
  },
  members: {
    name: "nom",
    description: "description",
    contents: "graphiques",
    custom_metadata: "métadonnées",
    file_settings: "paramètres du fichier",
    source_sheet: "table",
    account_id: "connexion",
    meta_sync_interval: "synchronisation",
  },
};
