import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type Config, isUuid, messageOf, type Records } from "../../base/index.ts";
import { readAllowed } from "./egress.ts";

/** The private hosts and the folders that an organization may reach, and the addresses of plugins that it may trust. */
export interface Grant {
  /** Hosts, with or without a port. */
  readonly hosts: readonly string[];
  /** Folders, as absolute paths without symbolic links. */
  readonly folders: readonly string[];
  /** Addresses of plugins over HTTP that the operator trusts: `scheme://host:port`, or `//host:port` for any scheme. */
  readonly origins: readonly string[];
  /** A key that two grants share if and only if they have the same hosts and folders. */
  readonly key: string;
}

/** The hosts and folders that the operator's settings grant, by organization. */
export interface Grants {
  /** The entries without organization ids. They apply to addresses in the operator's settings, such as the model's. */
  readonly ofHost: Pick<Grant, "hosts">;
  readonly hasFolders: boolean;
  /** Returns the grant of an organization; an empty grant if the organization does not exist or is unknown. */
  of(organizationId: string | null | undefined): Promise<Grant>;
  /** Returns the grant of a user's organization; an empty grant if the user is unknown. */
  ofUser(userId: string | null | undefined): Promise<Grant>;
}

/** One entry of a setting that grants hosts or folders, such as MANIFOLD_EGRESS_ALLOW. */
export interface GrantEntry {
  /** A host, a host with port, or a folder. */
  readonly what: string;
  /** Ids of the organizations, in lower case. Undefined means every organization that did not sign up itself. */
  readonly organizationIds: readonly string[] | undefined;
}

export type GrantSetting =
  | "MANIFOLD_EGRESS_ALLOW"
  | "MANIFOLD_FILE_FOLDERS"
  | "MANIFOLD_PLUGIN_TRUST";

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

/**
 * Parses an entry of MANIFOLD_PLUGIN_TRUST: `host:port`, or an origin with a scheme.
 * @throws {Error} with the entry
 */
export function readOrigin(entry: string): string {
  const hasScheme = entry.includes("://");
  const url = URL.parse(hasScheme ? entry : `http://${entry}`);
  const isOrigin =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === "/" &&
    ![url.search, url.hash, url.username, url.password].some(Boolean) &&
    !/[*=+@\s]/.test(entry) &&
    (hasScheme || /:\d+$/.test(entry));
  if (isOrigin) return `${hasScheme ? url.protocol : ""}//${hostAndPort(url)}`;
  // An entry with user information may contain a password.
  const shown = entry.includes("@") ? "an entry with a user" : JSON.stringify(entry);
  throw new Error(
    `MANIFOLD_PLUGIN_TRUST contains ${shown}, which must be host:port or an origin such as https://plugins.example.com, without a path; wildcards are not accepted, so list each address`,
  );
}

function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/** Returns whether the operator trusts the address of a plugin. */
export function isTrustedOrigin(baseUrl: string, { origins }: Pick<Grant, "origins">): boolean {
  const url = URL.parse(baseUrl);
  if (!url) return false;
  const place = `//${hostAndPort(url)}`;
  return origins.includes(place) || origins.includes(`${url.protocol}${place}`);
}

export interface GrantsOptions {
  readonly config: Pick<Config, "egressAllow" | "fileFolders" | "pluginTrust">;
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
  const origins = config.pluginTrust.map((entry) => {
    const grant = parseGrant(entry, "MANIFOLD_PLUGIN_TRUST");
    return { ...grant, what: readOrigin(grant.what) };
  });
  const grantOf = (isFor: (entry: GrantEntry) => boolean): Grant => {
    const openedBy = (entries: readonly GrantEntry[]) =>
      [...new Set(entries.filter(isFor).map(({ what }) => what))].toSorted();
    const opened = {
      hosts: openedBy(hosts),
      folders: openedBy(folders),
      origins: openedBy(origins),
    };
    return { ...opened, key: JSON.stringify([opened.hosts, opened.folders]) };
  };
  const nothing = grantOf(() => false);
  const hasEntries = hosts.length + folders.length + origins.length > 0;
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
