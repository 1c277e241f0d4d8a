import {
  type AccountValues,
  ApiError,
  type ConnectionOverride,
  destinationOf,
  isObject,
  mayBeAddress,
  movedMembers,
  readDestination,
  type Records,
  type ResourceRow,
  secretProperties,
  type Source,
} from "../../base/index.ts";
import { shownNames } from "../../resources/index.ts";

/**
 * Rejects an account whose secrets were confirmed for a different destination: either its plugin has a new address, or
 * its record was changed in the database. An account without secrets passes.
 * @throws {ApiError} SECRET_UNCONFIRMED, SECRET_LOST
 */
export function refuseUnconfirmed(
  account: ResourceRow<"account">,
  source: Source,
  records: Pick<Records, "reveal">,
): void {
  const hasToken = account.token !== null && account.token !== undefined;
  const secrets = [...(hasToken ? ["token"] : []), ...secretsOf(account, source)];
  if (secrets.length === 0) return;
  const confirmed = records.reveal("account", account, "confirmed_for");
  const destination = confirmed === undefined ? {} : readDestination(confirmed);
  const moved = movedMembers(destination, destinationOf(account, source), source);
  if (moved.length > 0)
    throw new ApiError("SECRET_UNCONFIRMED", [account.id, moved.join(", "), secrets.join(", ")]);
}

const secretsOf = ({ properties }: AccountValues, { properties: declared }: Source) => {
  const shown = shownNames(declared);
  return secretProperties(properties ?? {}, (name) => shown.has(name.toLowerCase()));
};

/**
 * Removes the stored secrets from an account if an override replaces its address, because the owner did not confirm
 * that destination. Keeps the secrets that the override contains. `replaced` is the account with the override applied.
 */
export function withoutMovedSecrets(
  account: AccountValues,
  replaced: AccountValues,
  override: ConnectionOverride,
  source: Source,
): AccountValues {
  const { plugin } = source;
  const { base_url } = override;
  const there = plugin && base_url !== undefined ? { ...plugin, base_url } : plugin;
  const named = destinationOf(replaced, { ...source, ...(there && { plugin: there }) });
  const moved = movedMembers(destinationOf(account, source), named, source);
  if (!moved.some((member) => isAddress(member, named[member] ?? "", source))) return replaced;
  const brought = override.properties ?? {};
  const stored = new Set(secretsOf(account, source));
  const kept = Object.entries(replaced.properties ?? {}).filter(
    ([name]) => !stored.has(name) || Object.hasOwn(brought, name),
  );
  return {
    ...replaced,
    token: override.password ?? null,
    properties: Object.fromEntries(kept),
  };
}

/**
 * Returns whether a member contains an address. Members of a connector count as addresses unless they are declared
 * otherwise. A plugin's property counts only if it is declared as an address, or if its name or value can be an
 * address, because tokens have always been able to replace other properties of plugins, such as a tenant.
 */
function isAddress(member: string, value: string, { plugin, properties }: Source): boolean {
  // Connectors that do not declare a schema get it from the dataset.
  if (!plugin) return member !== "properties.schema";
  if (["host", "port", "base_url"].includes(member)) return true;
  const name = member.replace(/^properties\./, "");
  const declared = properties
    .filter(isObject<"id" | "destination" | "type">)
    .find(({ id }) => typeof id === "string" && id.toLowerCase() === name);
  if (declared?.destination === true || /url|host/i.test(String(declared?.type))) return true;
  return mayBeAddress(name, value);
}
