// The resources of the API and what is done with them: one declaration a file; kernel/ is written once.
// May import: core/catalog, core/access, core/connections, core/errors, core/expressions, core/outbox, plugins/protocol, knex, typebox.
export { createToken, hashToken, loadAuthorization, noExpiry } from "./people/authorization.ts";
export { parseAccess } from "./minting/access.ts";
export { parseAccountOverrides } from "./minting/accountOverrides.ts";
export { storedRowFilters } from "./minting/filters.ts";
export { parseHiddenColumns } from "./minting/hiddenColumns.ts";
export { parseParameters, withMetadata } from "./minting/parameters.ts";
export { columnFormat } from "./columns/columnFormat.ts";
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
export { keepFilters } from "./columns/keepFilters.ts";
export { informatOf, readInformat, type DateForm, type DateOrder } from "./columns/informat.ts";
export { createLoginPair, storeLoginPair } from "./people/loginPair.ts";
export { comparableEmail, hashPassword } from "./people/password.ts";
export { createHierarchyLabels } from "./columns/hierarchyLabels.ts";
export { hierarchyFields } from "./columns/hierarchy.ts";
export { refuseLost } from "./kernel/index.ts";
export { reportLostSecrets } from "./lostSecrets.ts";
export { loadUser } from "./people/user.ts";
export { overridesOf } from "./people/userOverrides.ts";
export { placeInStore } from "./columns/placeInStore.ts";
export { openRecords } from "./openRecords.ts";
export { rememberedRecords } from "./rememberedRecords.ts";
