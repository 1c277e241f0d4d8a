// The Account page: password, second factors, sessions and sign-ins of the reader.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/styles; lit,
// uqr.
export { AccountPage } from "./accountPage.ts";
