import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Config, isUuid, messageOf, type Records } from "../../base/index.ts";
import { readAllowed } from "./egress.ts";

/** The private hosts and the folders that an organization may reach. */
export interface Grant {
  /** Hosts, with or without a port. */
  readonly hosts: readonly string[];
  /** Absolute paths without symbolic links. */
  readonly folders: readonly string[];
  /** Equal if and only if two grants have the same hosts and folders. */
  readonly key: string;
}

/** The hosts and folders that the operator's settings grant, by organization. */
export interface Grants {
  /** The entries without organization ids. They apply to addresses in the operator's settings, such as the model's. */
  readonly ofHost: Pick<Grant, "hosts">;
  readonly hasFolders: boolean;
  /** Returns the grant of an organization; an empty grant if the organization does not exist or is unknown. */
  of(organizationId: string | null | undefined): Promise<Grant>;
  /** Returns the grant of a user's organization. */
  ofUser(userId: string | null | undefined): Promise<Grant>;
}

/** One entry of a setting. */
export interface GrantEntry {
  /** A host, a host with port, or a folder. */
  readonly what: string;
  /** Ids in lower case. Undefined means every organization that did not sign up itself. */
  readonly organizationIds: readonly string[] | undefined;
}

export type GrantSetting = "MANIFOLD_EGRESS_ALLOW" | "MANIFOLD_FILE_FOLDERS";

/**
 * Parses an entry: `what`, or `what=id+id` for specific organizations. Names of organizations are rejected, because
 * organizations choose their own names. If a folder whose name contains `=` exists, the entry means that folder.
 * @throws {Error} with the entry
 */
export function parseGrant(entry: string, setting: GrantSetting): GrantEntry {
  const at = entry.lastIndexOf("=");
  const [what, given] = at < 0 ? [entry, undefined] : [entry.slice(0, at), entry.slice(at + 1)];
  const ids = given?.split("+").map((id) => id.trim().toLowerCase());
  const example = `${what.trim() || "…"}=0b5c1f0e-3a52-4c1b-9d5a-6f1c2e7a8b90`;
  if (isUuid(entry.trim()))
    throw new Error(
      `${setting} has the id ${entry} without a host or folder before it; join several organizations with +, as in x=id+id`,
    );
  if (ids === undefined) return { what: entry, organizationIds: undefined };
  if (what.trim() !== "" && ids.every(isUuid))
    return { what: what.trim(), organizationIds: [...new Set(ids)] };
  if (setting === "MANIFOLD_FILE_FOLDERS" && what.trim() !== "" && isFolder(entry))
    return { what: entry, organizationIds: undefined };
  throw new Error(
    `${setting} has the entry ${JSON.stringify(entry)}, which must name organizations by their ids, joined with +, as in ${example}; manifold quota lists the ids`,
  );
}

function isFolder(path: string): boolean {
  return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true;
}

function readFolder(given: string): string {
  try {
    const folder = realpathSync(resolve(given));
    if (statSync(folder).isDirectory()) return folder;
  } catch (cause) {
    throw new Error(
      `MANIFOLD_FILE_FOLDERS contains ${JSON.stringify(given)}, which cannot be opened: ${messageOf(cause)}`,
      { cause },
    );
  }
  throw new Error(`MANIFOLD_FILE_FOLDERS contains ${JSON.stringify(given)}, which is not a folder`);
}

export interface GrantsOptions {
  readonly config: Pick<Config, "egressAllow" | "fileFolders">;
  readonly records: Pick<Records, "find" | "linked">;
}

/**
 * Parses the grants of all organizations. An organization that signed up itself gets only entries with its id.
 * @throws {Error} with the setting and the invalid entry
 */
export function createGrants({ config, records }: GrantsOptions): Grants {
  const hosts = config.egressAllow.map((entry) => {
    const grant = parseGrant(entry, "MANIFOLD_EGRESS_ALLOW");
    return { ...grant, what: readAllowed(grant.what) };
  });
  const folders = config.fileFolders.map((entry) => {
    const grant = parseGrant(entry, "MANIFOLD_FILE_FOLDERS");
    return { ...grant, what: readFolder(grant.what) };
  });
  const grantOf = (isFor: (entry: GrantEntry) => boolean): Grant => {
    const openedBy = (entries: readonly GrantEntry[]) =>
      [...new Set(entries.filter(isFor).map(({ what }) => what))].toSorted();
    const opened = { hosts: openedBy(hosts), folders: openedBy(folders) };
    return { ...opened, key: JSON.stringify([opened.hosts, opened.folders]) };
  };
  const nothing = grantOf(() => false);
  const hasEntries = hosts.length + folders.length > 0;
  const of: Grants["of"] = async (organizationId) => {
    if (!hasEntries || organizationId == null) return nothing;
    const id = organizationId.toLowerCase();
    const [organization] = await records.find("organization", { id });
    if (!organization) return nothing;
    const isOperators = organization.signed_up === false;
    return grantOf(({ organizationIds }) => organizationIds?.includes(id) ?? isOperators);
  };
  return {
    ofHost: grantOf(({ organizationIds }) => organizationIds === undefined),
    hasFolders: folders.length > 0,
    of,
    async ofUser(userId) {
      if (!hasEntries || userId == null) return nothing;
      const links = await records.linked("user", "Organizations", [userId]);
      return of(links.find(({ ownId }) => ownId === userId)?.otherId);
    },
  };
}
