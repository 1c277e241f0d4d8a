import {
  parseAccess,
  parseAccountOverrides,
  parseHiddenColumns,
  parseParameters,
  storedRowFilters,
  type Row,
} from "../resources/index.ts";
import { isRestricted } from "./permits.ts";
import type { AuthorizationType, Principal, Restriction, Right } from "./principal.ts";

/** Columns of a user that a principal carries. */
export interface UserColumns {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly suborganization: string | null;
}
interface Standing {
  readonly organization_id: string;
  readonly flagEditor?: boolean;
  readonly flagOwn: boolean;
}

/** Who stands behind a key: its user, and for a browser's token its maker. */
export interface People {
  readonly user: UserColumns;
  readonly standing: Standing;
  readonly maker: UserColumns | null;
  readonly makerStanding: Standing | null;
}

function personOf(
  authorizationId: string,
  authorizationType: AuthorizationType,
  user: UserColumns,
  standing: Standing,
): Principal {
  return {
    authorizationId,
    authorizationType,
    userId: user.id,
    organizationId: standing.organization_id,
    organizationRole: standing.flagOwn ? "owner" : standing.flagEditor ? "editor" : "member",
    suborganization: user.suborganization,
    name: user.name ?? "",
    email: user.email,
  };
}

/** Makes the principal of a stored authorization. What a token of a browser is narrowed to was checked when it was made. */
export function principalOf(row: Row, { user, standing, maker, makerStanding }: People): Principal {
  const type = row["type"] as AuthorizationType;
  const person = personOf(row.id, type, user, standing);
  if (!isRestricted(type)) return person;
  if (!maker || !makerStanding) throw new TypeError(`the token ${row.id} has no maker`);
  return {
    ...person,
    // Whatever its user is in the organization: a token of a browser is no more than a member.
    organizationRole: "member",
    restriction: restrictionOf(row, personOf(row.id, "api", maker, makerStanding)),
  };
}

function restrictionOf(row: Row, maker: Principal): Restriction {
  const { collections, dashboards, datasets } = parseAccess(row["access"]);
  const listed = (row["securables"] as readonly string[] | null) ?? [];
  const read = listed.map((id): [string, Right] => [id.toLowerCase(), "read"]);
  const { role, integration_id, environment, metadata } = row;
  return {
    maker,
    role: role as Restriction["role"],
    securables: new Map([...read, ...dashboards, ...datasets]),
    collections,
    integrationId: typeof integration_id === "string" ? integration_id : undefined,
    filters: storedRowFilters(row["filters"]),
    parameters: parseParameters(row["parameter_overrides"]),
    hiddenColumns: parseHiddenColumns(row["hidden_columns"]),
    accountOverrides: parseAccountOverrides(row["account_overrides"]),
    environment: typeof environment === "string" ? environment : null,
    metadata: (metadata as Restriction["metadata"] | null) ?? undefined,
  };
}
