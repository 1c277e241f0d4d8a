import { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import type { Egress } from "./egress.ts";

/**
 * Maximum milliseconds to resolve a name. A name that takes longer passes this check, because the guard checks again
 * when a socket connects.
 */
const patienceMs = 3_000;

/** Error codes of a lookup that found no address. */
const unresolved = ["ENOTFOUND", "EAI_AGAIN", "ENODATA", "ETIMEOUT"];

function isUnresolved({ code, cause }: PluginError): boolean {
  const found = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return code !== "PLUGIN_INVALID" || unresolved.includes(found);
}

/**
 * Returns why the egress guard would reject an http or https URL. Undefined if it would accept the URL, or if the name
 * cannot be resolved now.
 */
export async function refusalOf(
  { hostname, port, protocol }: URL,
  egress: Pick<Egress, "address">,
): Promise<string | undefined> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
  const usual = protocol === "https:" ? 443 : 80;
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, patienceMs, undefined);
  try {
    await Promise.race([egress.address(host, port === "" ? usual : Number(port)), late.promise]);
    return undefined;
  } catch (failure) {
    if (!(failure instanceof PluginError)) throw failure;
    return isUnresolved(failure) ? undefined : String(failure.details.at(-1));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Rejects an address that the egress guard would reject, so that no record is stored with such an address.
 * @throws {ApiError} MEMBER_INVALID with the path
 */
export async function refuseAddress(
  address: string,
  path: string,
  egress: Pick<Egress, "address">,
): Promise<void> {
  const url = URL.parse(address);
  if (!url) return;
  // `Egress.call` does not accept credentials in an address either.
  const problem =
    url.username || url.password
      ? "must not contain a user name or password; put credentials into their own members"
      : await refusalOf(url, egress);
  if (problem === undefined) return;
  const member = path.split(".")[1] ?? path;
  throw new ApiError("MEMBER_INVALID", [path, problem], { validation: { [member]: [problem] } });
}
