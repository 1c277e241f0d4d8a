import { permits } from "../identity/index.ts";
import {
  type Action,
  type ApiCall,
  ApiError,
  type Principal,
  type ResourceHandlers,
} from "../base/index.ts";

/** The caller on whose behalf the assistant acts, with the request and its abort signal. */
export interface AssistantCaller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly address: string | undefined;
  readonly signal: AbortSignal;
}

/** The handlers of the API's own actions, by resource. */
export type OwnHandlers = Readonly<Record<string, ResourceHandlers>>;

/**
 * Runs an action of the API on behalf of a caller, with exactly the rights of its key pair.
 * @throws {ApiError} the errors of the action; FORBIDDEN if tokens of the caller's kind may not use the action
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
