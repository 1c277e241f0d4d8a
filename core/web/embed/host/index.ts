// Calls from a page to a host: its token, and retries after transient failures.
// May import: nothing.
export { createCallHost, type CallHost } from "./createCallHost.ts";
export { createTokens, type GetToken, type IssuedToken, type Pair } from "./createTokens.ts";
export { HostError } from "./hostError.ts";
