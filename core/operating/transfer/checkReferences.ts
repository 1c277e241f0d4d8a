import { ExpressionError, listReferences, readRole } from "../../queries/index.ts";
import type { Folder, WantedRecord } from "./readFolder.ts";
import { declarationOf, carried, kinds, kindsOf, type KindName } from "./kinds.ts";
import type { Tenant } from "./readTenant.ts";

/**
 * Lists the references of a folder that match neither a record of the folder nor a record of the organization.
 * References are links, ids that must refer to a record, accounts of datasets, and columns in expressions. Ids within
 * contents are not checked, because a dashboard may contain any ids.
 */
export function checkReferences(folder: Folder, tenant: Tenant): string[] {
  const kindById = new Map<string, KindName>();
  for (const { id, kind } of [...tenant.records, ...folder.records]) kindById.set(id, kind);
  const organizations = [folder.manifest.organization.id, tenant.organization.id];
  const leads = (id: string, resource: string) => {
    if (resource === "organization") return organizations.includes(id);
    const kind = kindById.get(id.toLowerCase());
    return kind !== undefined && kindsOf(resource).includes(kind);
  };
  const problems: string[] = [];
  const check = (record: WantedRecord) => {
    const { kind, file, properties } = record;
    const miss = (path: string, what: string) =>
      problems.push(
        `${file}: ${path} refers to ${what}, which is neither in the folder nor in the organization`,
      );
    for (const [name, entries] of Object.entries(record.links)) {
      const { resource } = declarationOf(kind).associations[name]!;
      for (const { id } of entries)
        if (!leads(id, resource)) miss(`links.${name}`, `the ${resource} ${id}`);
    }
    for (const [member, { refersTo }] of carried(kind)) {
      const id = properties[member];
      if (!refersTo || typeof id !== "string" || kindsOf(refersTo[0]).length === 0) continue;
      if (!leads(id, refersTo[0])) miss(`properties.${member}`, `the ${refersTo[0]} ${id}`);
    }
    const { source } = record;
    if (source && source.kind !== "pushed" && !leads(source.account, "account"))
      miss("source.account", `the account ${source.account}`);
    const { expression } = properties;
    if (typeof expression !== "string" || !("expression" in declarationOf(kind).fields)) return;
    try {
      for (const { datasetId, columnId } of listReferences(expression)) {
        const role = readRole(datasetId);
        const named = role?.datasetId ?? datasetId;
        const columnIds = role ? [columnId, role.via] : [columnId];
        if (!leads(named, "securable")) miss("properties.expression", `the dataset ${named}`);
        else
          for (const id of columnIds.filter((each) => !leads(each, "column")))
            miss("properties.expression", `the column ${id}`);
      }
    } catch (failure) {
      if (!(failure instanceof ExpressionError)) throw failure;
      problems.push(`${file}: properties.expression is not valid: ${failure.message}`);
    }
  };
  for (const record of folder.records) check(record);
  return problems;
}

/** The account members that the plugin of a connection requires. */
const neededBy: Readonly<Record<string, readonly string[]>> = {
  token: ["token"],
  "host/key/token": ["identifier", "token"],
  oauth2: ["token"],
};

/** Members of a channel that a file may omit, because the host creates them. */
const madeByHost = ["config.secret", "config.previous_secret"];

/** Lists the environment variables that a new record needs and that are not set. */
export function checkSecrets(
  record: WantedRecord,
  plugins: readonly { readonly kind: KindName; readonly properties: WantedRecord["properties"] }[],
): string[] {
  const { kind, file, properties, unset } = record;
  const needed = (path: string) => {
    // The host makes the secret of a webhook that has none, and apply prints it once.
    if (kind === "channel") return !madeByHost.includes(path);
    if (kind !== "account" || !["token", "identifier"].includes(path)) return true;
    const plugin = plugins.find(
      (each) => each.kind === "plugin" && each.properties["slug"] === properties["provider"],
    );
    return neededBy[String(plugin?.properties["authorize"])]?.includes(path) ?? false;
  };
  return unset
    .filter(({ path }) => needed(path))
    .map(
      ({ path, variable }) =>
        `${file}: properties.${path} is required to create this ${kinds[kind].resource}; set the environment variable ${variable}`,
    );
}
