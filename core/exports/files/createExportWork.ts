import type { Log } from "../../catalog/index.ts";
import type { Principals } from "../../access/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../errors.ts";
import { parseExport } from "../parseExport.ts";
import { prepareExport, type ExportSources } from "../prepareExport.ts";
import type { ExportFiles } from "./openExportFiles.ts";

/** Writes the files that jobs are for. */
export interface ExportWork {
  /** Writes the file of a record, or records why it cannot; nothing for a record that is gone or has ended. */
  run(fileId: string, signal: AbortSignal): Promise<void>;
}

export interface ExportWorkOptions extends ExportSources {
  readonly files: ExportFiles;
  readonly principals: Pick<Principals, "ofToken">;
  readonly log: Pick<Log, "warn">;
}

/** Makes the work of exports that became jobs: with the rights that their token has when they run. */
export function createExportWork(options: ExportWorkOptions): ExportWork {
  const { files, principals, log } = options;
  return {
    async run(fileId, signal) {
      const file = await files.begin(fileId);
      if (!file || file.request === null) return;
      const principal = await principals.ofToken(file.authorization_id);
      if (!principal || principal.organizationId !== file.organization_id)
        return files.fail(fileId, "the token that asked for the file has ended");
      try {
        const { isData, properties } = file.request;
        const parsed = parseExport(properties, isData);
        const asking = { principal, requestId: fileId, signal };
        const { chunks, cellCount } = await prepareExport(parsed, asking, options);
        await files.write(file, untilAborted(chunks, signal), cellCount);
      } catch (failure) {
        // The host closes, or the run took too long: the job runs again.
        signal.throwIfAborted();
        const isShown = failure instanceof ApiError || failure instanceof PluginError;
        if (!isShown) log.warn({ err: failure, exportfile: fileId }, "an export failed");
        await files.fail(fileId, isShown ? failure.message : "something failed on our side");
      }
    },
  };
}

async function* untilAborted<Chunk>(
  chunks: AsyncIterable<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}
