import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Writes the package's bill of materials (CycloneDX) to the named file, or to stdout. Called by `npm run sbom`. `npm
// sbom --omit=dev` also omits production packages that a development package needs, so npm runs in a folder without the
// development packages.
interface Locked {
  readonly dev?: boolean;
  readonly devDependencies?: unknown;
}

const [, , target] = process.argv;
const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "manifold-bill-"));
try {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
  const described: Readonly<Record<string, unknown>> = read("package.json");
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = read("package-lock.json");
  const kept = Object.entries(lock.packages).flatMap(([path, locked]) => {
    const { devDependencies: _, ...rest } = locked;
    return locked.dev === true ? [] : [[path, path === "" ? rest : locked] as const];
  });
  const write = (file: string, value: unknown) =>
    writeFileSync(join(folder, file), JSON.stringify(value));
  write("package.json", { ...described, devDependencies: undefined });
  write("package-lock.json", { ...lock, packages: Object.fromEntries(kept) });
  const flags = ["--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"];
  const bill = execFileSync("npm", ["sbom", ...flags], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (target === undefined) process.stdout.write(bill);
  else writeFileSync(target, bill);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
