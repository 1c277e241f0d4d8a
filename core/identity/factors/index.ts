// Second factors of people: authenticator apps, passkeys and recovery codes.
// May import: core/base, core/catalog; @simplewebauthn/server, knex, otpauth.
export { createEnrolment, type Enrolment, type EnrolmentCaller } from "./createEnrolment.ts";
export {
  createSecondStep,
  type FactorWay,
  type SecondStep,
  type SecondStepOptions,
} from "./createSecondStep.ts";
export { factorContext, hasFactors, removeFactors } from "./storedFactors.ts";
export { createWaits, forgetFailures, usualTries, type Waits } from "./createWaits.ts";
export { isCode } from "./codes.ts";
export { recoveryCodeUsers } from "./recoveryCodes.ts";
export { createPasskeys, type PasskeyOptions, type Passkeys } from "./passkeys.ts";
