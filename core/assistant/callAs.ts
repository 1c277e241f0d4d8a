import { permits } from "../identity/index.ts";
import {
  type Action,
  type ApiCall,
  ApiError,
  type Principal,
  type ResourceHandlers,
} from "../base/index.ts";

/** A caller of the assistant: who it is, in which request, and until when. */
export interface AssistantCaller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly address: string | undefined;
  readonly signal: AbortSignal;
}

/** The API's own actions, by resource. */
export type OwnHandlers = Readonly<Record<string, ResourceHandlers>>;

/**
 * Carries out an action of the API on behalf of a caller, with exactly the rights of its key pair.
 * @throws {ApiError} as the action; FORBIDDEN if tokens of the caller's kind do not have the action
 */
export async function callAs(
  handlers: OwnHandlers,
  caller: AssistantCaller,
  resource: string,
  action: Action,
  members: ApiCall["body"],
): Promise<unknown> {
  const handler = handlers[resource]?.[action];
  const { principal, requestId, address, signal } = caller;
  if (!handler || !permits(principal, resource, action))
    throw new ApiError("FORBIDDEN", [`${action} ${resource}`]);
  return handler({
    resource,
    action,
    body: { action, ...members },
    principal,
    requestId,
    address,
    signal,
  });
}
