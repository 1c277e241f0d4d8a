import { nodeFiles, type Files } from "../../../engine/files/files.ts";

/** The file system, except that the operation that `fault` names fails. */
export function faultyFiles(): {
  readonly files: Files;
  fault: "write" | "sync" | "rename" | "truncate" | "none";
  also: "truncate" | "none";
  /** Number of writes that succeed before writes fail. */
  failAfterWrites: number;
} {
  const state = {
    fault: "none" as "write" | "sync" | "rename" | "truncate" | "none",
    also: "none" as "truncate" | "none",
    failAfterWrites: Infinity,
    files: {
      ...nodeFiles,
      async openLog(path: string, create: boolean) {
        const file = await nodeFiles.openLog(path, create);
        return {
          async write(bytes: Uint8Array, position: number) {
            if (state.fault === "write" || state.failAfterWrites-- <= 0) {
              await file.write(bytes.subarray(0, bytes.length >> 1), position);
              throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
                code: "ENOSPC",
              });
            }
            await file.write(bytes, position);
          },
          async sync() {
            if (state.fault === "sync") {
              state.fault = "none";
              throw new Error("EIO: i/o error, fdatasync");
            }
            await file.sync();
          },
          close: () => file.close(),
        };
      },
      async rename(from: string, to: string) {
        if (state.fault === "rename") throw new Error("EIO: i/o error, rename");
        await nodeFiles.rename(from, to);
      },
      async truncate(path: string, sizeBytes: number) {
        if (state.also === "truncate") throw new Error("EIO: i/o error, truncate");
        await nodeFiles.truncate(path, sizeBytes);
      },
    },
  };
  return state;
}
