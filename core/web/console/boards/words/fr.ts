import type { Words } from "./en.ts";

/** The words in French. */
export const words: Words = {
  favorites: "Favoris",
  star: (name) => `Ajouter ${name} aux favoris`,
  unstar: (name) => `Retirer ${name} des favoris`,
  more: (name) => `Actions pour ${name}`,
  changed: (ago) => `Modifié ${ago}`,
  byOwner: (owner, ago) => `${owner}, modifié ${ago}`,
  emptyBoard: "Aucun graphique",
  noPicture: "Aucun aperçu",
  open: "Ouvrir",
  edit: "Modifier",
  rename: "Renommer",
  renameTitle: "Renommer le tableau de bord",
  name: "Nom",
  save: "Enregistrer",
  duplicate: "Dupliquer",
  copyOf: (name) => `Copie de ${name}`,
  duplicated: (name) => `« ${name} » a été créé.`,
  collections: "Collections",
  collectionsTitle: "Déplacer vers des collections",
  collectionsText:
    "Choisissez les collections qui contiennent ce tableau de bord. Une collection ne donne à personne le droit de le voir.",
  newCollection: "Nouvelle collection",
  noCollections: "Aucune collection.",
  tags: "Mots-clés",
  tagsTitle: "Mots-clés",
  tagsHint:
    "Séparez les mots-clés par des virgules. Toute personne qui peut voir le tableau de bord le trouve par ses mots-clés.",
  usage: "Utilisation par mois",
  remove: "Supprimer",
  removeAction: "Supprimer le tableau de bord",
  removeTitle: (name) => `Supprimer ${name} ?`,
  removeText: "Ses versions, ses vues enregistrées et ses liens privés seront aussi supprimés.",
  removed: (name) => `« ${name} » a été supprimé.`,
};
