// Shared parts of pages: the base class of pages, fields, tables, dialogs, notices, menus, tabs, states and loads.
// May import: core/web/console/api, core/web/console/language, core/web/console/navigation; lit.
export { openTextForm, type TextFormOptions } from "./openTextForm.ts";
export {
  ConsolePage,
  type Command,
  type ConsoleContext,
  type Guest,
  type GuestMode,
} from "./consolePage.ts";
export { ConsoleTable, type TableColumn } from "./consoleTable.ts";
export { confirm, type ConfirmOptions } from "./confirm.ts";
export { confirmAndRun, type ConfirmedRun } from "./confirmAndRun.ts";
export { copyText } from "./copyText.ts";
export { createLoad, type Load } from "./createLoad.ts";
export { createPagedLoad, type PagedLoad } from "./createPagedLoad.ts";
export { createTypedSearch } from "./createTypedSearch.ts";
export { createSecret } from "./createSecret.ts";
export { define } from "./define.ts";
export { elementOf } from "./elementOf.ts";
export { field, type ControlOptions, type FieldOptions } from "./field.ts";
export {
  addIcon,
  backIcon,
  barsIcon,
  checkIcon,
  clockIcon,
  closeIcon,
  dragIcon,
  mark,
  menuIcon,
  moonIcon,
  moreIcon,
  searchIcon,
  starIcon,
  sunIcon,
} from "./icons.ts";
export { entriesOf, listField } from "./listField.ts";
export { makeKeyPair, type KeyPair } from "./makeKeyPair.ts";
export { notify, notifyFailure, type Notice } from "./notify.ts";
export { openDialog, type DialogOptions, type OpenDialog } from "./openDialog.ts";
export { openLoadedDialog } from "./openLoadedDialog.ts";
export { openForm, type FormOptions, type OpenForm } from "./openForm.ts";
export { openMenu, placeBelow, type MenuItem, type MenuPlace } from "./openMenu.ts";
export { openOverlaysIn, overlayPlace } from "./overlayPlace.ts";
export { RecordList } from "./recordList.ts";
export { rootOf } from "./rootOf.ts";
export { rowTable, type RowTableColumn } from "./rowTable.ts";
export { choicesOf, selectField, type SelectFieldOptions } from "./selectField.ts";
export { showOnce } from "./showOnce.ts";
export { showPair } from "./showPair.ts";
export { showWarnings } from "./showWarnings.ts";
export { emptyState, errorState, loadingState, type EmptyOptions } from "./states.ts";
export { tabs, type TabsOptions } from "./tabs.ts";
export { textField, type TextFieldOptions } from "./textField.ts";
