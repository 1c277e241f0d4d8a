import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  favorites: "Favoriten",
  star: (name) => `${name} zu den Favoriten hinzufügen`,
  unstar: (name) => `${name} aus den Favoriten entfernen`,
  more: (name) => `Aktionen für ${name}`,
  changed: (ago) => `Geändert ${ago}`,
  byOwner: (owner, ago) => `${owner}, geändert ${ago}`,
  emptyBoard: "Noch keine Diagramme",
  noPicture: "Keine Vorschau",
  open: "Öffnen",
  edit: "Bearbeiten",
  rename: "Umbenennen",
  renameTitle: "Dashboard umbenennen",
  name: "Name",
  save: "Speichern",
  duplicate: "Duplizieren",
  copyOf: (name) => `Kopie von ${name}`,
  duplicated: (name) => `„${name}“ wurde erstellt.`,
  collections: "Sammlungen",
  collectionsTitle: "In Sammlungen verschieben",
  collectionsText:
    "Wählen Sie die Sammlungen, die dieses Dashboard enthalten. Eine Sammlung gibt niemandem das Recht, es zu sehen.",
  newCollection: "Neue Sammlung",
  noCollections: "Noch keine Sammlungen.",
  tags: "Tags",
  tagsTitle: "Tags",
  tagsHint:
    "Trennen Sie Tags durch Kommas. Alle, die das Dashboard sehen können, finden es über seine Tags.",
  usage: "Nutzung pro Monat",
  remove: "Löschen",
  removeAction: "Dashboard löschen",
  removeTitle: (name) => `${name} löschen?`,
  removeText: "Seine Versionen, gespeicherten Ansichten und privaten Links werden mitgelöscht.",
  removed: (name) => `„${name}“ wurde gelöscht.`,
};
