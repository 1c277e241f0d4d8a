import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { keptFolder } from "./keptFolders.ts";
import { makeKeptFolder } from "./makeKeptFolder.ts";
import { openKeptPackage } from "./openKeptPackage.ts";

// Makes a kept package create its folders and stores them: node --conditions=manifold-source test/kept/writeKept.ts
// manifold-analytics-host-0.1.0.tgz
const [, , name = ""] = process.argv;
const kept = await openKeptPackage(name);
const into = mkdtempSync(join(tmpdir(), "manifold-kept-"));
try {
  await makeKeptFolder({ into, main: kept.main });
  const file = keptFolder(kept.version);
  mkdirSync(dirname(file), { recursive: true });
  execFileSync("tar", ["-czf", file, "-C", into, "."]);
} finally {
  kept.close();
  rmSync(into, { recursive: true, force: true });
}
process.exit(0);
