// The actions of every resource, written once over declarations, and the words of a declaration.
// May import: core/catalog, core/errors, core/call, the contracts of core/access and core/connections, plugins/protocol, knex, typebox.
export type {
  Association,
  Context,
  Declaration,
  Field,
  Fields,
  HookCall,
  Hooks,
  KeyChange,
  Link,
  LinkChange,
  Role,
  Values,
} from "./declaration.ts";
export * from "./fields.ts";
export { createKernelOver, type Kernel, type KernelOptions } from "./kernel.ts";
export { recordsOver, type RecordsOptions } from "./recordsOver.ts";
export { isUuid } from "./uuid.ts";
