import type { Knex } from "knex";
import type { Actor } from "../../../catalog/index.ts";
import { nobody, type Principal, type Records } from "../../../base/index.ts";
import type { Provider } from "../provider.ts";

/** A SCIM 2.0 call (RFC 7644) with its parsed body. */
export interface ScimRequest {
  readonly method: string;
  /** `Users`, `Groups`, or a description of the service. */
  readonly kind: string;
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly requestId: string;
  /** The address of the provider. */
  readonly address: string;
}

export interface ScimAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A call of a provider that manages an organization's users, with its transaction. */
export interface ScimCall {
  readonly records: Records;
  readonly transaction: Knex.Transaction;
  readonly configId: string;
  readonly organizationId: string;
  readonly provider: Provider;
  readonly method: string;
  readonly requestId: string;
  readonly address: string;
  /** A failure that is not a SCIM response. The library would report it as 404. */
  failure?: unknown;
}

/** Returns the actor of a provider's audit events: an ssoconfig, without a user or token. */
export function actorOf({
  configId,
  organizationId,
  requestId,
  address,
}: Pick<ScimCall, "configId" | "organizationId" | "requestId" | "address">): Actor {
  const principal: Principal = {
    authorizationId: configId,
    authorizationType: "api",
    userId: nobody,
    organizationId,
    organizationRole: "owner",
    name: "",
    email: "",
  };
  return { principal, requestId, address };
}
