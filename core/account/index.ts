// Actions of people on their own account: second factors, sessions, the history of sign-ins.
// May import: core/audit, core/contracts, core/errors, core/factors, core/json; knex.
export { createAccount, type Account, type AccountCall } from "./createAccount.ts";
