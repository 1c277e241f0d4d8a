import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Accueil",
  welcome: (name: string) => `Bienvenue, ${name}`,
  needsYou: "Requiert votre attention",
  allWell: "Rien ne requiert votre attention.",
  recents: "Ouverts récemment",
  recentKinds: { dashboard: "Tableau de bord", dataset: "Jeu de données", alert: "Alerte" },
  favorites: "Favoris",
  favoriteDatasets: "Jeux de données favoris",
  dashboards: "Tableaux de bord",
  datasets: "Jeux de données",
  alerts: "Alertes",
  all: "Tout afficher",
  allOf: (list: string) => `Tout afficher : ${list}`,
  noDashboards: "Aucun tableau de bord.",
  noAlerts: "Aucune alerte.",
  startDashboard: "En créer un à partir d’un jeu de données",
  rows: (count: number) => counted(count, "ligne", "lignes"),
  changed: (ago: string) => `modifié ${ago}`,
  problems: {
    alert: "Échec de l’alerte",
    firing: "Alerte déclenchée",
    account: "Connexion refusée",
    sync: "Non synchronisé",
    channel: "Canal en pause",
  },
  begin: "Ajoutez vos premières données",
  beginText:
    "Il existe trois façons d’ajouter des données. Chacune crée un jeu de données que vous pouvez explorer immédiatement.",
  ways: [
    {
      title: "Importer un fichier",
      text: "CSV, XLSX, Parquet ou JSON. Choisissez un fichier, ou déposez-le n’importe où sur la page. Vous vérifiez les types des colonnes avant tout enregistrement.",
      action: "Importer un fichier",
      href: "/data/upload",
    },
    {
      title: "Connecter une source",
      text: "PostgreSQL, MySQL, ClickHouse, DuckDB, des fichiers, une API ou votre propre plugin.",
      action: "Connecter une source",
      href: "/data/connect",
    },
  ],
  push: "Envoyer par l’API",
  pushText:
    "L’hôte détecte les types des colonnes. Créez un jeton d’API pour compléter la commande ci-dessous.",
  makePair: "Créer un jeton d’API",
  copy: "Copier",
};
