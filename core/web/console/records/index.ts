// Lists, views and actions for records of any kind, from a declaration, and a dialog to choose a record.
// May import: core/web/client, core/web/console/api, core/web/console/language, core/web/console/navigation,
// core/web/console/parts; lit.
export { actionButtons } from "./actionButtons.ts";
export { deleteRecord, type DeleteOptions } from "./deleteRecord.ts";
export { pickRecord, type PickOptions } from "./pickRecord.ts";
export { createdColumn, nameColumn, nameOfRecord } from "./recordColumns.ts";
export { recordHead } from "./recordHead.ts";
export type {
  OpenRecord,
  RecordAction,
  RecordKind,
  RecordOf,
  RecordPage,
  RecordViewKind,
} from "./recordKind.ts";
export { RecordRoom } from "./recordRoom.ts";
export { RecordView } from "./recordView.ts";
export { renameRecord } from "./renameRecord.ts";
export { recordStyles } from "./styles.ts";
