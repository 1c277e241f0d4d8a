import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { layer } from "./layer.ts";
import type { SuiteOptions } from "./suite.ts";

/** Lets a test block the `fsync` and `fdatasync` calls of processes that use its environment. */
export interface HeldSyncs {
  readonly environment: Readonly<Record<string, string>>;
  /** From now on, makes every sync wait. */
  hold(): void;
  /** Resolves once `count` syncs have started to wait since `hold` was called. */
  waiting(count: number): Promise<void>;
  release(): void;
  close(): void;
}

/**
 * C code that makes a sync wait while a certain file exists, and records the waiting sync by appending a byte to
 * another file.
 */
const source = `
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static void hold(void) {
  const char *path = getenv("HELD_SYNCS"), *noted = getenv("HELD_SYNCS_NOTED");
  if (!path || !noted || access(path, F_OK)) return;
  int file = open(noted, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (file >= 0) { (void)!write(file, ".", 1); close(file); }
  while (!access(path, F_OK)) usleep(5000);
}
int fsync(int file) { hold(); return syscall(SYS_fsync, file); }
int fdatasync(int file) { hold(); return syscall(SYS_fdatasync, file); }
`;

/** Compiles the library that replaces the two calls. */
export function openHeldSyncs(): HeldSyncs {
  const folder = mkdtempSync(join(tmpdir(), "manifold-syncs-"));
  const [code, library, held, noted] = ["syncs.c", "syncs.so", "held", "noted"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  writeFileSync(code, source);
  const { status, stderr } = spawnSync("cc", ["-shared", "-fPIC", "-o", library, code]);
  if (status !== 0)
    throw new Error(`the library that holds syncs could not be compiled: ${String(stderr)}`);
  const release = () => rmSync(held, { force: true });
  return {
    environment: { LD_PRELOAD: library, HELD_SYNCS: held, HELD_SYNCS_NOTED: noted },
    hold() {
      rmSync(noted, { force: true });
      writeFileSync(held, "");
    },
    async waiting(count) {
      while ((statSync(noted, { throwIfNoEntry: false })?.size ?? 0) < count) await wait(10);
    },
    release,
    close() {
      release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Options for a suite that blocks syncs. It requires Linux and a C compiler, and its tests run only in the deep layer.
 */
export const needsHeldSyncs: SuiteOptions =
  layer === "quick" || (process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0)
    ? {}
    : { missing: "a C compiler (cc) on Linux, to make syncs wait" };
