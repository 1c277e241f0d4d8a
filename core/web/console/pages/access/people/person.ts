import type { Api, Found } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import { choicesOf } from "../../../parts/index.ts";
import { words } from "./words.ts";

/** The name of a person's role in the organization, such as `owner`. */
export type Role = keyof typeof words.roles;
export const roleChoices = choicesOf(words.roles);
export const isRole = (value: string): value is Role => Object.hasOwn(words.roles, value);

/** A user with role and groups, in the form in which a search returns it. */
export interface Person {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly suborganization: string | null;
  readonly created_at: string;
  readonly parameter_overrides: Readonly<Record<string, unknown>> | null;
  readonly organizations: readonly {
    readonly id: string;
    readonly organizationRole: {
      readonly flagEditor: boolean;
      readonly flagOwn: boolean;
      readonly flagSuborganizationOwn: boolean;
    };
  }[];
  readonly groups: readonly { readonly id: string; readonly name: unknown }[];
}

/** How a user can sign in, and the counts of sessions, tokens and records that depend on the user. */
export interface Standing {
  readonly id: string;
  readonly has_password: boolean;
  readonly has_provider: boolean;
  readonly is_ended: boolean;
  /** When the person's invitation expires; null without an invitation. */
  readonly invited_until: string | null;
  readonly is_end_user: boolean;
  /** The name by which embed tokens name their reader; null for a person who signs in. */
  readonly username: string | null;
  readonly last_sign_in_at: string | null;
  readonly session_count: number;
  readonly api_token_count: number;
  readonly page_token_count: number;
  readonly issued_token_count: number;
  readonly owned: readonly {
    readonly resource: string;
    readonly count: number;
    readonly goes_with_user: boolean;
  }[];
}

/** A person, and how they sign in. */
export interface StandingPerson extends Person {
  /** How the person signs in; undefined for a user whom the reader may not manage. */
  readonly standing: Standing | undefined;
}

export const nameOf = ({
  name,
  email,
  standing,
}: Pick<Person, "name" | "email"> & Partial<Pick<StandingPerson, "standing">>): string =>
  textOf(name) || email || standing?.username || words.unnamed;

/** Returns the role of a person in the organization. */
export function roleOf({ organizations }: Person): Role {
  const flags = organizations[0]?.organizationRole;
  return flags?.flagOwn ? "owner" : flags?.flagEditor ? "editor" : "member";
}

/** Returns the key of the label that says how a user signs in. */
export function stateOf(standing: Standing | undefined): keyof typeof words.states {
  if (!standing) return "unknown";
  if (standing.is_ended) return "ended";
  if (standing.is_end_user) return "ofToken";
  if (standing.has_provider) return "provider";
  if (standing.has_password) return "password";
  if (standing.invited_until !== null) return "invited";
  return standing.api_token_count + standing.session_count > 0 ? "pair" : "none";
}

const attributes = ["id", "name", "email", "suborganization", "created_at", "parameter_overrides"];
const include = [
  { model: "Organization", attributes: ["id"] },
  { model: "Group", attributes: ["id", "name"], where: { public: false } },
];

/** Finds users, and how each user signs in. Makes two calls. */
export async function readPeople(
  api: Api,
  find: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Found<StandingPerson>> {
  const { count, rows } = await api.get<Person>(
    "user",
    { attributes, include, ...find },
    { signal },
  );
  if (rows.length === 0) return { count, rows: [] };
  const ids = rows.map(({ id }) => id);
  const explained = await api.call<{ readonly rows: readonly Standing[] }>(
    "user",
    "explain",
    { ids },
    { signal },
  );
  const byId = new Map(explained.rows.map((each) => [each.id, each]));
  return { count, rows: rows.map((each) => ({ ...each, standing: byId.get(each.id) })) };
}

/** Sets the role of a person in the organization. */
export async function giveRole(api: Api, userId: string, role: Role): Promise<void> {
  const { rows } = await api.get<{ readonly id: string }>("organization", { attributes: ["id"] });
  const [organization] = rows;
  if (!organization) throw new TypeError(words.noOrganization);
  const flagOwn = role === "owner";
  const flags = { flagMember: true, flagEditor: flagOwn || role === "editor", flagOwn };
  await api.associate("organization", organization.id, { role: "Users", id: userId }, flags);
}
