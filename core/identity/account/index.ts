// Actions of people on their own account: second factors, sessions, the history of sign-ins.
// May import: core/base, core/catalog, core/identity/access, core/identity/factors; knex.
export { createPasswordLinks, type LinkMail, type PasswordLinks } from "./createPasswordLinks.ts";
export { createAccount, type Account, type AccountCall } from "./createAccount.ts";
