/** The types of files in the menu, in its order. Pictures are drawn by the host, which knows only stored items. */
const fileTypes = [
  { type: "pdf", isPicture: true, showsDashboards: true },
  { type: "png", isPicture: true, showsDashboards: true },
  { type: "svg", isPicture: true, showsDashboards: false },
  { type: "xlsx", isPicture: false, showsDashboards: false },
  { type: "csv", isPicture: false, showsDashboards: false },
] as const;

/** A type of file in the menu. */
export type FileType = (typeof fileTypes)[number]["type"];

/** What a menu is for: a dashboard, or an item with or without rows. */
export interface MenuSubject {
  readonly isDashboard: boolean;
  /** Whether the host stores it, and can therefore draw it. */
  readonly isStored: boolean;
  readonly hasRows: boolean;
  /**
   * The types that the options of the item name; `png` stands for all pictures.
   * @default all types
   */
  readonly named?: readonly string[];
}

/** Returns the types of files that a menu offers, in order. */
export function fileTypesOf({
  isDashboard,
  isStored,
  hasRows,
  named,
}: MenuSubject): readonly FileType[] {
  return fileTypes
    .filter(({ isPicture, showsDashboards }) =>
      isDashboard ? showsDashboards : isPicture ? isStored : hasRows,
    )
    .filter(({ type, isPicture }) => !named || named.includes(isPicture ? "png" : type))
    .map(({ type }) => type);
}
