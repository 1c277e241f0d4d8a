// Who can see a dataset or dashboard: rights, row filters in words and in rows, and the view as another person.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/questions,
// core/web/embed; lit.
export {
  readAccess,
  readRight,
  sharesOf,
  type Access,
  type Holder,
  type Recipient,
  type SharedDataset,
} from "./access.ts";
export {
  invitePerson,
  sendInvitation,
  type InvitedPerson,
  type InviteOptions,
} from "./invitePerson.ts";
export {
  filtersOf,
  firstChoice,
  isComplete,
  mustKeep,
  type DatasetChoice,
  type RowMode,
} from "./datasetChoice.ts";
export { readPickedColumns, rowFields, type RowFieldsOptions } from "./rowFields.ts";
export { openViewAs, type ViewAsOptions } from "./openViewAs.ts";
export { flagsOf, isAtLeast, type Right } from "./rights.ts";
export {
  countRows,
  describeFilter,
  describeFilters,
  nameOfColumn,
  readFilterColumns,
  type RowFilter,
  type RowFilterColumns,
} from "./rowFilter.ts";
export { sharingStyles } from "./styles.ts";
export { words as sharingWords } from "./words.ts";
