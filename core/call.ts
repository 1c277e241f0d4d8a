import type { Principal } from "./access/principal.ts";

/** What a body's `action` may say. `search` is answered as `get`. */
export const actions = [
  "create",
  "get",
  "update",
  "delete",
  "associate",
  "dissociate",
  "validate",
] as const;
export type Action = (typeof actions)[number];

/** One authenticated call of the API. */
export interface ApiCall {
  readonly resource: string;
  readonly action: Action;
  /** The parsed JSON body; its members are unchecked. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly principal: Principal;
  readonly requestId: string;
  /** Aborts when the client is gone or the host closes. */
  readonly signal: AbortSignal;
}

/** Carries out one action of one resource; what it resolves to is the JSON answer. */
export type Handler = (call: ApiCall) => Promise<unknown>;
