import { lookup } from "node:dns/promises";
import { isIP, connect as connectPlain } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { createTransport } from "nodemailer";
import { type Config, isObject } from "../../../base/index.ts";
import { isMetadataAddress, isPublicAddress, parseGrant } from "../../../sources/index.ts";
import { bad, type Diagnosis, good, weak } from "../diagnosis.ts";

const timeoutMs = 10_000;
const dayMs = 86_400_000;
/** A certificate should have been renewed by this number of days before it expires. */
const leastDays = 14;

/**
 * Checks everything that the host needs from outside: the mail server, the model, the host's public address, and the
 * hosts that it may call.
 */
export async function checkOutside(config: Config): Promise<Diagnosis[]> {
  const { smtpUrl, smsUrl, aiUrl, publicUrl } = config;
  const grants = config.egressAllow.flatMap((entry) => grantOf(entry) ?? []);
  // The host itself calls the addresses in its settings, so entries with organization ids do not allow these calls.
  const allowed = grants
    .filter(({ organizationIds }) => organizationIds === undefined)
    .map(({ what }) => what);
  const found = await Promise.all([
    ...(smtpUrl === undefined ? [] : [checkMail(smtpUrl)]),
    ...(smsUrl === undefined ? [] : [checkReach("sms", smsUrl, allowed)]),
    ...(aiUrl === undefined ? [] : [checkReach("model", aiUrl, allowed)]),
    ...(publicUrl.startsWith("https://") ? [checkCertificate(publicUrl)] : []),
    ...grants.map(({ what }) => checkName(what)),
  ]);
  return found.flat();
}

/** Parses an entry; undefined for an invalid entry, which `checkGrants` reports. */
function grantOf(entry: string): ReturnType<typeof parseGrant> | undefined {
  try {
    return parseGrant(entry, "MANIFOLD_EGRESS_ALLOW");
  } catch {
    return undefined;
  }
}

/** Connects to the mail server and signs in, but sends no mail. */
async function checkMail(smtpUrl: string): Promise<Diagnosis[]> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.verify();
    return [good("mail", "the mail server accepts the connection and the password")];
  } catch (failure) {
    const { code, responseCode } = isObject(failure) ? failure : {};
    return [
      bad(
        "mail",
        // Do not show the server's message, because it may repeat the URL with the password.
        `the mail server does not accept the connection (${String(responseCode ?? code ?? "no answer")})`,
        "check MANIFOLD_SMTP_URL: host, port, smtp:// or smtps://, user and password",
      ),
    ];
  } finally {
    transport.close();
  }
}

async function checkReach(
  check: string,
  address: string,
  allowed: readonly string[],
): Promise<Diagnosis[]> {
  const url = URL.parse(address);
  // Do not show the value, because it may contain a password.
  if (!url)
    return [bad(check, "its address must be a URL", "set it to a URL such as https://host/path")];
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  try {
    const { address: found } = await lookup(url.hostname);
    const isAllowed = allowed.includes(url.hostname) || allowed.includes(`${url.hostname}:${port}`);
    if (!isPublicAddress(found) && !isAllowed)
      return [
        bad(
          check,
          `${url.hostname} has a private address, which the host does not call`,
          `add ${url.hostname}:${port} to MANIFOLD_EGRESS_ALLOW`,
        ),
      ];
    await reach(() => connectPlain({ host: found, port }), "connect");
    return [good(check, `${url.host} accepts connections`)];
  } catch (failure) {
    return [
      bad(
        check,
        `${url.host} cannot be reached (${codeOf(failure)})`,
        "check the address and the network",
      ),
    ];
  }
}

/** Checks the certificate that browsers get at the host's public address. */
async function checkCertificate(publicUrl: string): Promise<Diagnosis[]> {
  const { hostname, port } = new URL(publicUrl);
  const check = "certificate";
  try {
    const socket = connectSecurely({
      host: hostname,
      port: Number(port || 443),
      ...(isIP(hostname) === 0 && { servername: hostname }),
    });
    const endsAt = await reach(
      () => socket,
      "secureConnect",
      () => Date.parse(socket.getPeerCertificate().valid_to),
    );
    const days = Math.floor((endsAt - Date.now()) / dayMs);
    return [
      days < leastDays
        ? weak(check, `the certificate of ${hostname} expires in ${days} days`, "renew it")
        : good(check, `the certificate of ${hostname} is valid for ${days} days`),
    ];
  } catch (failure) {
    return [
      bad(
        check,
        `browsers cannot open ${publicUrl} (${codeOf(failure)})`,
        "check the proxy in front of the host, its certificate, and the host name in MANIFOLD_PUBLIC_URL",
      ),
    ];
  }
}

async function checkName(entry: string): Promise<Diagnosis[]> {
  const name = entry.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  if (isIP(name) !== 0) return [];
  try {
    const found = await lookup(name, { all: true });
    if (found.some(({ address }) => isMetadataAddress(address)))
      return [
        weak(
          "egress",
          `${entry} in MANIFOLD_EGRESS_ALLOW resolves to an address where a cloud returns credentials, so it is refused`,
          "remove the name",
        ),
      ];
    return [good("egress", `${entry} resolves`)];
  } catch (failure) {
    return [
      weak(
        "egress",
        `${entry} in MANIFOLD_EGRESS_ALLOW does not resolve (${codeOf(failure)})`,
        "correct the name, or remove it",
      ),
    ];
  }
}

const codeOf = (failure: unknown): string =>
  failure instanceof Error && "code" in failure ? String(failure.code) : "no answer";

interface Reached {
  once(event: string, listener: (failure: Error) => void): unknown;
  setTimeout(ms: number, listener: () => void): unknown;
  destroy(): unknown;
}

/** Waits for an event of a connection, closes the connection, and resolves to the result of `read`. */
async function reach(open: () => Reached, event: string): Promise<undefined>;
async function reach<Result>(
  open: () => Reached,
  event: string,
  read: () => Result,
): Promise<Result>;
async function reach<Result>(
  open: () => Reached,
  event: string,
  read?: () => Result,
): Promise<Result | undefined> {
  const socket = open();
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.once(event, () => resolve());
      socket.setTimeout(timeoutMs, () =>
        reject(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })),
      );
    });
    return read?.();
  } finally {
    socket.destroy();
  }
}
