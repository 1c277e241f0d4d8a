import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isObject, isUuid, readConfig } from "../base/index.ts";
import { requestHost } from "../operating/index.ts";
import { presentLink } from "./presentLink.ts";

/** Help of the command, one string per line. */
export const openUsage = [
  "manifold open              prints a link with which a browser on this machine signs in as the first owner",
  "    --email ADDRESS        as the owner with this e-mail address instead",
  "    --organization ID      as an owner of this organization instead",
  "    The link works once, within an hour. The command calls the host that uses the data folder. Run it as that host's",
  "    system user; --data-dir names the folder",
] as const;

const notOpen = new Set(["EACCES", "EPERM"]);

/**
 * Runs `manifold open`, and passes each line of output to `write`.
 * @throws {Error} for an invalid argument, if no host uses the data folder, and errors of the host
 */
export async function runOpenCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      email: { type: "string" },
      organization: { type: "string" },
      "data-dir": { type: "string" },
    },
  });
  const { email, organization } = values;
  if (organization !== undefined && !isUuid(organization))
    throw new Error(
      "--organization must be the id of an organization; manifold quota list shows the ids",
    );
  const config = readConfig({ dataDir: values["data-dir"] }, environment);
  const dataDir = resolve(config.dataDir);
  const reply = await requestHost(dataDir, "signInLink", {
    email,
    organizationId: organization?.toLowerCase(),
  }).catch((failure: unknown) => {
    const code = failure instanceof Error && "code" in failure ? String(failure.code) : "";
    if (!notOpen.has(code)) throw failure;
    throw new Error(
      `only the system user who runs the host may use its data folder ${dataDir}; run this command as that user`,
      { cause: failure },
    );
  });
  if (!reply) throw new Error(missing(dataDir, config.databaseUrl !== undefined));
  await reply.end();
  const { answer } = reply;
  if (!isObject<"url" | "email">(answer) || typeof answer.url !== "string")
    throw new Error(
      "the host did not return a link; update the host or this command to the same version",
    );
  for (const line of presentLink({ url: answer.url, email: String(answer.email) })) write(line);
}

const missing = (dataDir: string, hasDatabase: boolean) =>
  process.platform === "win32"
    ? "manifold open needs Unix sockets, which Windows lacks; sign in with the key pair of the owner"
    : hasDatabase
      ? `no host on this machine uses the data folder ${dataDir}; run this command on the machine of a host, as its system user, and name its data folder with --data-dir`
      : `no running host uses ${dataDir}; start the host with manifold serve, or name the data folder of the running host with --data-dir`;
