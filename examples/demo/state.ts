import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeptSources } from "../three-sources/openSources.ts";

/**
 * The state that the demo keeps between two starts. It is stored in the data folder, in a file that only its owner can
 * read.
 */
export interface DemoState {
  readonly key: string;
  readonly token: string;
  /** The ids and the secret of the registered example plugin. */
  readonly plugin?: { readonly id: string; readonly secret: string; readonly datasetId: string };
  /** The records that connect the sources of examples/three-sources. */
  readonly sources?: KeptSources;
}

export interface DemoStateFile {
  read(): DemoState;
  write(state: DemoState): void;
}

/** Opens the state from the file in `dataDir`. At the first start, the state contains a new key pair. */
export function demoStateIn(dataDir: string): DemoStateFile {
  const path = join(dataDir, "demo.json");
  const write = (state: DemoState) => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  };
  return {
    read() {
      try {
        return JSON.parse(readFileSync(path, "utf8")) as DemoState;
      } catch (failure) {
        const isAbsent = failure instanceof Error && "code" in failure && failure.code === "ENOENT";
        if (!isAbsent) throw failure;
        const state = { key: randomUUID(), token: randomBytes(32).toString("base64url") };
        write(state);
        return state;
      }
    },
    write,
  };
}
