// Access control: key and token to principal, the actions of each token type, row filters, and the first owner.
// May import: core/base, core/catalog, core/identity/factors, core/queries; plugins/protocol;
// @zxcvbn-ts/language-common, knex, p-queue, typebox.
export { isAnonymous } from "./anonymous.ts";
export { authenticate } from "./authenticate.ts";
export { createPrincipals, type Principals } from "./createPrincipals.ts";
export { createPasswordCheck, type PasswordCheck } from "./createPasswordCheck.ts";
export { createSessions, type Sessions } from "./createSessions.ts";
export type { BegunSession, SessionCaller } from "./storeSession.ts";
export { createSignIn, type SignIn } from "./createSignIn.ts";
export { openSignInFailures, type SignInFailures } from "./openSignInFailures.ts";
export { featureFlags, featuresByName, type FeatureName } from "./features/featureFlags.ts";
export { explainFeatures, type ExplainedFeature } from "./features/explainFeatures.ts";
export { featureProblem, featureWarnings, parseFeatures } from "./features/parseFeatures.ts";
export {
  closeWithoutFeatures,
  isBoundItself,
  lacks,
  refuseClosed,
  refuseNewWayIn,
  refuseWithout,
} from "./features/refuseWithout.ts";
export type { PasswordCaller } from "./createPasswordCheck.ts";
export { personById } from "./personById.ts";
export { ensureOwner, type MadePair, type OwnerOptions } from "./ensureOwner.ts";
export type { OwnerChoice } from "./firstOwner.ts";
export { createRecoveryKey, recoverOwner } from "./ownerRecovery.ts";
export { forgetAfterChange } from "./forgetAfterChange.ts";
export { openAccess, type Access } from "./openAccess.ts";
export type { AccessOptions } from "./readCredentials.ts";
export { isRestricted, permits, restrictedActions } from "./permits.ts";
export { openVisits, type Visits } from "./openVisits.ts";
export { openToPublic } from "./readPublic.ts";
export { createRowFilters } from "./rowFilters.ts";
export {
  checkOldPassword,
  comparableEmail,
  passwordLengths,
  refuseEmailAlone,
  storePassword,
} from "./password.ts";
export { parseAccountOverrides } from "./tokens/accountOverrides.ts";
export { longestLifeS, parseDuration, parseExpiry, usualLifeS } from "./tokens/duration.ts";
export { type CallSource, isInNetworks, parseNetwork, parseOrigin } from "./tokens/callSource.ts";
export { checkFilters, displayFilterWarnings } from "./tokens/filters.ts";
export { createLoginPair, storeLoginPair } from "./tokens/loginPair.ts";
export { invalid, readEntries, readObject } from "./tokens/members.ts";
export { personOf, type Standing, type UserColumns } from "./principalOf.ts";
export { parseParameters, presentParameters } from "./tokens/parameters.ts";
export { reachOf } from "./tokens/reachOf.ts";
export { tokenSchemas } from "./tokens/tokenSchemas.ts";
export { restrict } from "./tokens/restrict.ts";
export { createToken, hashToken, noExpiry } from "./tokens/token.ts";
