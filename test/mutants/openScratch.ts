import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { mutate, type Mutant } from "./mutant.ts";

/** A copy of the tree to which mutants are applied. */
export interface Scratch {
  readonly path: string;
  /** Applies these mutants to the copy, and removes all others. */
  apply(mutants: readonly Mutant[]): void;
  close(): void;
}

/** The file with recorded durations of test files. The durations determine the order in which test files run. */
const timesFile = "node_modules/.cache/manifold-tests/quick.json";

/**
 * Copies a tree without the files that git ignores, and links the installed packages. The copy has its own caches of
 * compiled modules and types, so that the two trees do not affect each other.
 */
export function openScratch(root: string): Scratch {
  const path = mkdtempSync(join(tmpdir(), "manifold-mutants-"));
  const listed = execFileSync("git", ["ls-files", "-zco", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  for (const file of listed.split("\0").filter((each) => each !== "")) {
    if (!lstatSync(join(root, file), { throwIfNoEntry: false })?.isFile()) continue;
    mkdirSync(dirname(join(path, file)), { recursive: true });
    copyFileSync(join(root, file), join(path, file));
  }
  mkdirSync(dirname(join(path, timesFile)), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")).filter((each) => each !== ".cache"))
    symlinkSync(join(root, "node_modules", name), join(path, "node_modules", name));
  if (existsSync(join(root, timesFile))) copyFileSync(join(root, timesFile), join(path, timesFile));
  const originals = new Map<string, string>();
  return {
    path,
    apply(mutants) {
      for (const [file, text] of originals) writeFileSync(join(path, file), text);
      originals.clear();
      const byFile = Map.groupBy(mutants, ({ file }) => file);
      for (const [file, ofFile] of byFile) {
        const text = readFileSync(join(path, file), "utf8");
        for (const { id, start, end, original } of ofFile)
          if (text.slice(start, end) !== original)
            throw new Error(`${id} is from another version: load it with --list`);
        originals.set(file, text);
        writeFileSync(join(path, file), mutate(text, ofFile));
      }
    },
    close: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
