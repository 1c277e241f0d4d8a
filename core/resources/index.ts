// The resources of the API and what is done with them: one declaration a file; kernel/ is written once.
// May import: core/catalog, core/access, core/connections, core/errors, core/expressions, core/outbox, plugins/protocol, knex, typebox.
export { createToken, hashToken, loadAuthorization, noExpiry } from "./authorization.ts";
export { parseAccess } from "./minting/access.ts";
export { parseAccountOverrides } from "./minting/accountOverrides.ts";
export { storedRowFilters } from "./minting/filters.ts";
export { parseHiddenColumns } from "./minting/hiddenColumns.ts";
export { parseParameters, withMetadata } from "./minting/parameters.ts";
export { columnFormat } from "./columnFormat.ts";
export { createKernel } from "./createKernel.ts";
export { declarations } from "./declarations.ts";
export {
  isUuid,
  problemOf,
  type Association,
  type Declaration,
  type Field,
  type Kernel,
  type KernelOptions,
  type Link,
  type Role,
} from "./kernel/index.ts";
export { keepFilters } from "./keepFilters.ts";
export { informatOf, readInformat, type DateForm, type DateOrder } from "./informat.ts";
export { createLoginPair, storeLoginPair } from "./loginPair.ts";
export { comparableEmail, hashPassword } from "./password.ts";
export { createHierarchyLabels } from "./hierarchyLabels.ts";
export { hierarchyFields } from "./hierarchy.ts";
export { refuseLost } from "./kernel/index.ts";
export { reportLostSecrets } from "./lostSecrets.ts";
export { loadUser } from "./user.ts";
export { overridesOf } from "./userOverrides.ts";
export { placeInStore } from "./placeInStore.ts";
export { openRecords } from "./openRecords.ts";
export { rememberedRecords } from "./rememberedRecords.ts";
