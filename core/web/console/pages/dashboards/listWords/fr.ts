import { counted } from "../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  title: "Tableaux de bord",
  text: "Des graphiques qui vont ensemble, pour vous et les personnes avec qui vous les partagez.",
  search: "Rechercher des tableaux de bord",
  searchHint: "Noms, mots-clés, graphiques et colonnes",
  name: "Nom",
  create: "Nouveau tableau de bord",
  createAction: "Créer le tableau de bord",
  none: "Aucun tableau de bord",
  noneText:
    "Créez-en un d’un clic à partir d’un jeu de données, enregistrez un graphique depuis Explorer ou commencez par un tableau de bord vide.",
  openData: "Ouvrir Données",
  nothingFound: "Aucun tableau de bord ne correspond",
  nothingFoundText:
    "Cherchez une partie d’un nom, un mot-clé, le titre d’un graphique ou une colonne.",
  showAll: "Afficher tous les tableaux de bord",
  count: (count) => counted(count, "tableau de bord", "tableaux de bord"),
  more: "Afficher plus",
  which: "Afficher",
  all: "Tous les tableaux de bord",
  mine: "Mes tableaux de bord",
  favorites: "Favoris",
  collection: (name) => `Collection : ${name}`,
  order: "Trier par",
  orders: { changed: "Dernière modification", created: "Plus récents", name: "Nom" },
};
