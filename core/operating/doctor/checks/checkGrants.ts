import { realpathSync } from "node:fs";
import { isIP } from "node:net";
import { resolve, sep } from "node:path";
import type { Knex } from "knex";
import { type Config, messageOf } from "../../../base/index.ts";
import { isMetadataAddress, parseGrant, readAllowed, readOrigin } from "../../../sources/index.ts";
import { bad, type Diagnosis, good, weak } from "../diagnosis.ts";

const check = "grants";
const addresses = "MANIFOLD_EGRESS_ALLOW";
const folders = "MANIFOLD_FILE_FOLDERS";
const trust = "MANIFOLD_PLUGIN_TRUST";

type Entries = ReturnType<typeof entriesOf>;

/** Finds entries of settings that open more hosts or folders to organizations than the operator may intend. */
export function checkGrants(config: Config): Diagnosis[] {
  try {
    const entries = entriesOf(config);
    return [
      ...entries.hosts.flatMap(({ what }) => hostFindings(what, config)),
      ...entries.folders.flatMap(({ what }) => folderFindings(what, config.dataDir)),
      ...signUpFindings(entries, config),
    ];
  } catch (failure) {
    return [bad(check, messageOf(failure), "correct the entry; the host cannot start with it")];
  }
}

/** Looks up in the catalog the organizations whose ids the entries contain. */
export async function checkGranted(config: Config, knex: Knex): Promise<Diagnosis[]> {
  let entries: Entries;
  try {
    entries = entriesOf(config);
  } catch {
    // `checkGrants` reports invalid entries.
    return [];
  }
  const forAll = [...entries.hosts, ...entries.folders].filter(
    ({ organizationIds }) => organizationIds === undefined,
  );
  const named = [
    ...entries.hosts.map((entry) => ({ ...entry, setting: addresses })),
    ...entries.folders.map((entry) => ({ ...entry, setting: folders })),
    ...entries.origins.map((entry) => ({ ...entry, setting: trust })),
  ].flatMap(({ what, setting, organizationIds = [] }) =>
    organizationIds.map((id) => ({ what, setting, id })),
  );
  const signedUp = forAll.length === 0 ? [] : await signedUpFinding(knex);
  if (named.length === 0) return signedUp;
  const found: { id: string; name: unknown }[] = await knex("organization")
    .whereIn("id", [...new Set(named.map(({ id }) => id))])
    .select("id", "name");
  const names = new Map(found.map(({ id, name }) => [id, JSON.stringify(name)]));
  const granted = named.map(({ what, setting, id }) => {
    const name = names.get(id);
    return name === undefined
      ? weak(
          check,
          `${setting} opens ${what} to the organization ${id}, which does not exist`,
          "correct the id, or remove the entry; `manifold quota` lists the ids",
        )
      : good(check, `${what} is open to the organization ${id}, ${name}`);
  });
  return [...signedUp, ...granted];
}

/**
 * Counts the organizations that people created by signing up. Entries without ids do not apply to these organizations.
 */
async function signedUpFinding(knex: Knex): Promise<Diagnosis[]> {
  const found = await knex("organization").where({ signed_up: true }).count({ count: "*" }).first();
  const count = Number(found?.["count"]);
  if (count === 0) return [];
  return [
    good(
      check,
      `${count} of the organizations signed up; entries without ids do not apply to them`,
    ),
  ];
}

function entriesOf({ egressAllow, fileFolders, pluginTrust }: Config) {
  const hosts = egressAllow.map((entry) => {
    const grant = parseGrant(entry, addresses);
    return { ...grant, what: readAllowed(grant.what) };
  });
  const origins = pluginTrust.map((entry) => {
    const grant = parseGrant(entry, trust);
    return { ...grant, what: readOrigin(grant.what).replace(/^\/\//, "") };
  });
  return { hosts, folders: fileFolders.map((entry) => parseGrant(entry, folders)), origins };
}

function hostFindings(what: string, { databaseUrl, clickhouseUrl, port }: Config): Diagnosis[] {
  const { hostname, port: given } = new URL(`http://${what}`);
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  // URLs omit the default port 80.
  const hasPort = given !== "" || what.endsWith(":80");
  if (isMetadataAddress(name))
    return [
      bad(
        check,
        `${addresses} opens ${what}, where clouds return the credentials of their machines`,
        "remove the entry, unless accounts need these credentials",
      ),
    ];
  const isLoopback = isLoopbackHost(name);
  const own = [databaseUrl, clickhouseUrl, `http://127.0.0.1:${port}`].some((text) => {
    const url = URL.parse(text ?? "");
    if (!url) return false;
    const isSame = url.hostname === hostname || (isLoopback && isLoopbackHost(url.hostname));
    return isSame && given !== "" && given === (url.port || usualPort(url.protocol));
  });
  return [
    ...(isLoopback && !hasPort
      ? [
          weak(
            check,
            `${addresses} opens every port of this machine through ${what}`,
            `add the port, as in ${what}:5432`,
          ),
        ]
      : []),
    ...(own
      ? [
          weak(
            check,
            `${addresses} opens ${what}, where this host or its own database listens`,
            "use another server for accounts; anyone with a password for this one can read the data of all organizations",
          ),
        ]
      : []),
  ];
}

function isLoopbackHost(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(name) === 0) return /(^|\.)localhost$/.test(name);
  return /^(127\.|0\.)/.test(name) || ["::1", "::", "::ffff:7f00:1"].includes(name);
}

function usualPort(protocol: string): string {
  if (protocol.startsWith("postgres")) return "5432";
  return protocol === "https:" ? "443" : "80";
}

function folderFindings(given: string, dataDir: string): Diagnosis[] {
  const [folder, data] = [realPath(given), realPath(dataDir)];
  const isWithin = (inner: string, outer: string) =>
    inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
  if (folder === sep)
    return [
      bad(
        check,
        `${folders} opens ${sep}, and therefore every file that the host can read`,
        "list only the folders with the data",
      ),
    ];
  if (!isWithin(data, folder) && !isWithin(folder, data)) return [];
  return [
    bad(
      check,
      `${folders} opens ${given}, which ${isWithin(data, folder) ? "contains" : "is in"} the data folder, including its secret and the rows of all organizations`,
      "keep files for accounts outside the data folder",
    ),
  ];
}

/** Resolves symbolic links. A folder that does not exist yet is returned as written. */
function realPath(path: string): string {
  try {
    return realpathSync(resolve(path));
  } catch {
    return resolve(path);
  }
}

function signUpFindings({ hosts, folders: opened }: Entries, { signUp }: Config): Diagnosis[] {
  if (!signUp) return [];
  const forAll = ({ organizationIds }: { readonly organizationIds: unknown }) =>
    organizationIds === undefined;
  return [
    [addresses, hosts.filter(forAll)] as const,
    [folders, opened.filter(forAll)] as const,
  ].flatMap(([setting, entries]) =>
    entries.map(({ what }) =>
      weak(
        check,
        `MANIFOLD_SIGN_UP is open, and ${setting} opens ${what} to every organization that did not sign up itself`,
        `list the organizations that may use it, as in ${what}=<id of an organization>; \`manifold quota\` lists the ids`,
      ),
    ),
  );
}
