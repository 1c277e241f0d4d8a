// Actions of people on their own account: second factors, sessions, the history of sign-ins.
// May import: core/base, core/catalog, core/identity/factors; knex.
export { createAccount, type Account, type AccountCall } from "./createAccount.ts";
