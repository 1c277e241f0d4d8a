// The resources of the API and their actions: one declaration per file, and the kernel that carries the actions out.
// May import: core/base, core/catalog, core/identity, core/queries, core/web/charts; plugins/protocol; knex, typebox.
export { columnFormat } from "./columns/columnFormat.ts";
export { alertStatuses, type AlertStatus, type noticeKinds } from "./automation/alertStates.ts";
export { isQuiet, quietUntil, type QuietHours } from "./automation/quietHours.ts";
export { durationMs, instanceColumns } from "./automation/alertRule.ts";
export { checkAlertQueries, checkInstances } from "./automation/checkAlertQueries.ts";
export { checkConfigMembers, templateWords } from "./automation/channelConfig.ts";
export { isMailAddress } from "./automation/isMailAddress.ts";
export { atTimeOfDay } from "./automation/timeOfDay.ts";
export { slotsBetween } from "./automation/slotsBetween.ts";
export type { Recurrence, RecurrenceUnit } from "./automation/nextDue.ts";
export { alertTask } from "./automation/makeSchedule.ts";
export { accelerationTask } from "./securables/startAcceleration.ts";
export { dueAfter } from "./automation/dueAfter.ts";
export { explainToken } from "./people/explainToken.ts";
export { explainQuotas } from "./people/explainQuotas.ts";
export { explainSecurable } from "./sharing/explainSecurable.ts";
export { listTokens } from "./people/listTokens.ts";
export { explainUsers } from "./people/explainUsers.ts";
export { createKernel } from "./createKernel.ts";
export { declarations } from "./declarations.ts";
export { namedSchemas } from "./namedSchemas.ts";
export {
  accept,
  expectRow,
  problemOf,
  type Association,
  type Declaration,
  type Field,
  type Kernel,
  type KernelOptions,
  type Link,
  type Role,
} from "./kernel/index.ts";
export { refuseFilteredColumns } from "./columns/refuseFilteredColumns.ts";
export { readRemoved } from "./columns/refuseRemoved.ts";
export { informatOf, readInformat, type DateForm, type DateOrder } from "./columns/informat.ts";
export { createHierarchyLabels } from "./columns/hierarchyLabels.ts";
export { hierarchyFields } from "./columns/hierarchy.ts";
export { placeInStore } from "./columns/placeInStore.ts";
export { storageMembers } from "./columns/storageMembers.ts";
export { shownNames } from "./sources/pluginProperties.ts";
export { openRecords } from "./openRecords.ts";
export { namesOf } from "./securables/namesOf.ts";
export { reportContents, type KnownColumn } from "./securables/reportContents.ts";
export { rememberedRecords } from "./rememberedRecords.ts";
