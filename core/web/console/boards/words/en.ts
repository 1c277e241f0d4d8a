/** The words in English. */
export const words = {
  favorites: "Favourites",
  star: (name: string) => `Add ${name} to favourites`,
  unstar: (name: string) => `Remove ${name} from favourites`,
  more: (name: string) => `Actions for ${name}`,
  changed: (ago: string) => `Changed ${ago}`,
  byOwner: (owner: string, ago: string) => `${owner}, changed ${ago}`,
  emptyBoard: "No charts yet",
  noPicture: "No preview",
  open: "Open",
  edit: "Edit",
  rename: "Rename",
  renameTitle: "Rename dashboard",
  name: "Name",
  save: "Save",
  duplicate: "Duplicate",
  copyOf: (name: string) => `Copy of ${name}`,
  duplicated: (name: string) => `“${name}” was created.`,
  collections: "Collections",
  collectionsTitle: "Move to collections",
  collectionsText:
    "Choose the collections that contain this dashboard. A collection gives nobody a right to see it.",
  newCollection: "New collection",
  noCollections: "No collections yet.",
  tags: "Tags",
  tagsTitle: "Tags",
  tagsHint: "Separate tags with commas. Everyone who can see the dashboard finds it by its tags.",
  usage: "Usage by month",
  remove: "Delete",
  removeAction: "Delete dashboard",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: "Its versions, saved views and private links are deleted with it.",
  removed: (name: string) => `“${name}” was deleted.`,
};

/** The words of this table in one language. */
export type Words = typeof words;
