// The page Account: the reader's password, second factors, sessions and sign-ins.
// May import: core/console/api, core/console/language, core/console/parts, core/console/styles; lit, uqr.
export { AccountPage } from "./accountPage.ts";
