import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildPackages, packageNames, scope, shell } from "./buildPackages.ts";
import { openRegistry, registryOfTree } from "./openRegistry.ts";

/** The packages of this tree in a registry on loopback, and a function that installs the packages by name. */
export interface Published {
  /** The environment in which npm uses the registry. */
  readonly environment: Readonly<Record<string, string>>;
  /** Installs packages into a new, empty folder, and returns the folder. */
  install(name: string, packages: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

const token = "a-token-of-the-tests";

/** Builds the four packages and publishes them. */
export async function openPublished(): Promise<Published> {
  const built = await buildPackages();
  const registry = await openRegistry({ scope, token, others: await registryOfTree() });
  const settings = join(built.folder, "npmrc");
  writeFileSync(settings, `${registry.url.replace("http:", "")}/:_authToken=${token}\n`);
  const environment = {
    npm_config_registry: registry.url,
    npm_config_userconfig: settings,
    // Each build has the same version, so npm must not take an earlier build from its cache.
    npm_config_cache: join(built.folder, "npm-cache"),
  };
  const close = async () => {
    await registry.close();
    built.remove();
  };
  try {
    for (const name of packageNames)
      await shell("npm publish --access public --ignore-scripts", built.dist(name), environment);
  } catch (failure) {
    await close();
    throw failure;
  }
  return {
    environment,
    async install(name, packages) {
      const folder = join(built.folder, name);
      mkdirSync(folder);
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      const flags = "--ignore-scripts --no-audit --no-fund";
      await shell(`npm install ${flags} ${packages.join(" ")}`, folder, environment);
      return folder;
    },
    close,
  };
}

/** The size of an installation: the number of packages, and the space that their files take on disk. */
export interface Installed {
  readonly packageCount: number;
  readonly sizeMb: number;
}

/** Counts the installed packages of a folder, and their size on disk. */
export function measureInstalled(folder: string): Installed {
  const modules = join(folder, "node_modules");
  const lock: { readonly packages: object } = JSON.parse(
    readFileSync(join(modules, ".package-lock.json"), "utf8"),
  );
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  const bytes = entries
    .filter((entry) => !entry.isSymbolicLink())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * 512, 0);
  return { packageCount: Object.keys(lock.packages).length, sizeMb: Math.ceil(bytes / 2 ** 20) };
}
