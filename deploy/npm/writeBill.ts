import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Locked {
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly name?: string;
  readonly workspaces?: readonly string[];
  readonly devDependencies?: unknown;
}

const root = join(import.meta.dirname, "../..");

/**
 * Writes the bill of materials of the host's package (CycloneDX) to a file. `npm sbom --omit=dev` would also omit
 * production packages that a development package needs. npm therefore runs in a folder without the development
 * packages.
 */
export function writeBill(target: string): void {
  const folder = mkdtempSync(join(tmpdir(), "manifold-bill-"));
  try {
    const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
    const described: Readonly<Record<string, unknown>> & {
      readonly workspaces: readonly string[];
      readonly dependencies: Readonly<Record<string, string>>;
    } = read("package.json");
    const lock: { readonly packages: Readonly<Record<string, Locked>> } = read("package-lock.json");
    const kept = Object.entries(lock.packages).flatMap(([path, locked]) => {
      const { devDependencies: _, workspaces: __, ...rest } = locked;
      if (path === "") return [[path, rest] as const];
      // Of the packages of this tree, the bill contains those on which the host depends, by their names.
      if (described.workspaces.includes(path))
        return (locked.name ?? "") in described.dependencies
          ? [[`node_modules/${locked.name}`, locked] as const]
          : [];
      return locked.dev === true || locked.link === true ? [] : [[path, locked] as const];
    });
    const write = (file: string, value: unknown) =>
      writeFileSync(join(folder, file), JSON.stringify(value));
    write("package.json", { ...described, devDependencies: undefined, workspaces: undefined });
    write("package-lock.json", { ...lock, packages: Object.fromEntries(kept) });
    const flags = ["--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"];
    const bill = execFileSync("npm", ["sbom", ...flags], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
      stdio: ["ignore", "pipe", "inherit"],
    });
    writeFileSync(target, bill);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
