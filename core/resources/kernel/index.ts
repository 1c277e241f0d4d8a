// The actions of every resource, and the vocabulary of declarations.
// May import: core/base, core/catalog, core/identity; plugins/protocol; knex, typebox.
export type { Allow, AllowedIds, Under } from "./allow.ts";
export type { Association, Link } from "./association.ts";
export type {
  Context,
  Declaration,
  HookCall,
  Hooks,
  KeyChange,
  LinkChange,
} from "./declaration.ts";
export type { Field, Fields, RowOf, Values, ValuesOf } from "./field.ts";
export type { OrganizationRole, Role } from "./role.ts";
export { accept, problemOf } from "./accept.ts";
export * from "./fields.ts";
export { type Finding, inspectValue } from "./inspectValue.ts";
export { limits } from "./limits.ts";
export { rulesOf, type Rule } from "./policy.ts";
export { createKernelOver, type Kernel, type KernelOptions } from "./kernel.ts";
export { recordsOver, type RecordsOptions } from "./recordsOver.ts";
export { expectRow, selectAllowed } from "./select.ts";
