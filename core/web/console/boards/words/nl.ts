import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  favorites: "Favorieten",
  star: (name) => `${name} toevoegen aan favorieten`,
  unstar: (name) => `${name} verwijderen uit favorieten`,
  more: (name) => `Acties voor ${name}`,
  changed: (ago) => `Gewijzigd: ${ago}`,
  byOwner: (owner, ago) => `${owner}, gewijzigd: ${ago}`,
  emptyBoard: "Nog geen grafieken",
  noPicture: "Geen voorbeeld",
  open: "Openen",
  edit: "Bewerken",
  rename: "Naam wijzigen",
  renameTitle: "Naam van het dashboard wijzigen",
  name: "Naam",
  save: "Opslaan",
  duplicate: "Dupliceren",
  copyOf: (name) => `Kopie van ${name}`,
  duplicated: (name) => `“${name}” is gemaakt.`,
  collections: "Collecties",
  collectionsTitle: "Verplaatsen naar collecties",
  collectionsText:
    "Kies de collecties waar dit dashboard in staat. Een collectie geeft niemand het recht om het te zien.",
  newCollection: "Nieuwe collectie",
  noCollections: "Nog geen collecties.",
  tags: "Tags",
  tagsTitle: "Tags",
  tagsHint:
    "Scheid tags met komma’s. Iedereen die het dashboard kan zien, vindt het met zijn tags.",
  usage: "Gebruik per maand",
  remove: "Verwijderen",
  removeAction: "Dashboard verwijderen",
  removeTitle: (name) => `${name} verwijderen?`,
  removeText: "De versies, opgeslagen weergaven en privélinks worden ook verwijderd.",
  removed: (name) => `“${name}” is verwijderd.`,
};
