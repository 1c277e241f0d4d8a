import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openHost, type Host } from "../../core/host.ts";
import { type Client, createClient } from "../../core/web/client/index.ts";
import { freePort } from "../../examples/support/freePort.ts";
import { startProgram, type StartedProgram } from "../documentation/startProgram.ts";
import { type BuiltPackages, scope, shell } from "../support/buildPackages.ts";
import { eventually } from "../support/eventually.ts";
import { findPackages } from "../support/findPackages.ts";
import { openTestCatalog } from "../support/catalog.ts";
import { testOptions } from "../support/openTestHost.ts";
import { testPace } from "../support/testPace.ts";

import { commandsOf, type TwoCustomersApp } from "./twoCustomersApps.ts";

const root = join(import.meta.dirname, "../..");

/** An example app with two customers, set up and started as its tutorial says, and the host that it uses. */
export interface OpenApp {
  readonly url: string;
  readonly hostUrl: string;
  /** A client with the owner's key pair. */
  readonly client: Client;
  /** The settings that the app's `.env` contains, by name. */
  readonly settings: ReadonlyMap<string, string>;
  /** Passwords of the users, by e-mail address. */
  readonly passwords: ReadonlyMap<string, string>;
  /** Runs a shell command in the app's folder. */
  run(command: string): Promise<string>;
  /** Makes the app's alert due. */
  makeAlertDue(): Promise<void>;
  stopHost(): Promise<void>;
  startHost(): Promise<void>;
  close(): Promise<void>;
}

const entriesOf = (text: string) =>
  new Map(
    text
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

/** Copies an example, installs the built packages in it, and follows the steps of its tutorial up to the start. */
export async function openApp(
  app: TwoCustomersApp,
  built: Pick<BuiltPackages, "dist">,
): Promise<OpenApp> {
  const packages = await findPackages(app.packages);
  const commands = commandsOf(app);
  const folder = mkdtempSync(join(tmpdir(), "manifold-app-"));
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-host-"));
  const catalog = await openTestCatalog();
  const [hostPort, appPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${appPort}`;
  let host: Host | undefined;
  let started: StartedProgram | undefined;
  const startHost = async () => {
    host = await openHost({
      ...testOptions,
      port: hostPort,
      databaseUrl: catalog.databaseUrl,
      dataDir,
      pace: testPace,
      egressAllow: [`127.0.0.1:${appPort}`],
    });
  };
  const stopHost = async () => {
    await host?.close();
    host = undefined;
  };
  const close = async () => {
    await started?.end();
    await stopHost();
    await catalog.close();
    for (const each of [folder, dataDir]) rmSync(each, { recursive: true, force: true });
  };
  const environment = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  const run = async (command: string) => (await shell(command, folder, environment)).stdout;
  try {
    await startHost();
    const { key, token } = host!.madeCredentials ?? { key: "", token: "" };
    const hostUrl = host!.url;
    const isCopied = (path: string) => !/\/(node_modules|\.next)$/.test(path);
    cpSync(join(root, app.example), folder, { recursive: true, filter: isCopied });
    const own = join(folder, "node_modules");
    // Bundlers of frameworks refuse links that leave the folder of the app.
    cpSync(packages, own, { recursive: true, verbatimSymlinks: true });
    for (const name of ["client", "embed"])
      cpSync(built.dist(name), join(own, scope, name), { recursive: true });
    const env = join(folder, ".env");
    writeFileSync(
      env,
      `APP_URL=${url}\nMANIFOLD_URL=${hostUrl}\nMANIFOLD_KEY=${key}\nMANIFOLD_TOKEN=${token}\n`,
    );
    await run(commands.model);
    const users = await run(commands.users);
    const { scripts }: { readonly scripts: { readonly build?: string; readonly start: string } } =
      JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (scripts.build !== undefined) await run("npm run -s build");
    // npm would not pass the signal on that ends the app.
    const start = `PATH="$PWD/node_modules/.bin:${dirname(process.execPath)}:$PATH"; exec ${scripts.start}`;
    started = await startProgram("bash", ["-c", start], url, {
      cwd: folder,
      environment: { ...environment, PORT: String(appPort) },
    });
    await eventually(
      () =>
        fetch(`${url}/sign-in`).then(
          ({ ok }) => ok,
          () => false,
        ),
      "the start of the app",
    );
    const client = createClient({ url: hostUrl, key, token });
    return {
      url,
      hostUrl,
      client,
      settings: entriesOf(readFileSync(env, "utf8")),
      passwords: new Map(
        Array.from(users.matchAll(/^(\S+) signs in with the password (\S+)$/gm), (match) => [
          match[1] ?? "",
          match[2] ?? "",
        ]),
      ),
      run,
      async makeAlertDue() {
        await catalog
          .knex("schedule")
          .update({ scheduled_at: catalog.knex.raw("now() - interval '1 second'") });
      },
      startHost,
      stopHost,
      close,
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}
