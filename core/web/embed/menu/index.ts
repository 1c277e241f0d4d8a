// The menu with which readers save a dashboard or an item as a file, and create alerts.
// May import: core/web/charts, core/web/embed/view.
export type { AlertSubject } from "./alertSubject.ts";
export { createMenuButton } from "./createMenuButton.ts";
export type { CustomEventDetail, ExtraData } from "./customEventDetail.ts";
export { fileTypesOf } from "./fileTypes.ts";
export { loadMarkMenu } from "./loadMarkMenu.ts";
export type { MenuOptions } from "./menuOptions.ts";
export { saveFile } from "./saveFile.ts";
