import { ApiFailure, type Api } from "../../api/index.ts";
import { writeNumber } from "../../language/index.ts";
import type { FileTable, PushBatch } from "./files/index.ts";
import { words } from "./words.ts";

/** A table to store, and callbacks for its progress. */
export interface StoreOptions {
  readonly name: string;
  readonly header: FileTable["header"];
  readonly batches: readonly PushBatch[];
  readonly signal: AbortSignal;
  /** Called after each push with the number of rows stored so far. */
  onStored(rowCount: number): void;
}

type Answer = { readonly rows: readonly { readonly id: string }[] };

/**
 * Creates a dataset from a table, in several calls. If a call fails, the upload is stopped or the reader leaves the
 * console, the rows stored so far are removed. Until the last row is stored, the dataset's name says that the upload is
 * not finished. Returns the id of the dataset.
 * @throws {Error} that names the row of the file
 */
export async function storeTable(api: Api, options: StoreOptions): Promise<string> {
  const { name, header, batches, signal, onStored } = options;
  let id: string | undefined;
  let rowCount = 0;
  const remove = () => {
    if (id !== undefined) void api.call("securable", "delete", { id }, { outlivesPage: true });
  };
  window.addEventListener("pagehide", remove);
  window.addEventListener("beforeunload", warn);
  try {
    for (const { rows, numbers } of batches) {
      signal.throwIfAborted();
      const push: Readonly<Record<string, unknown>> =
        id === undefined
          ? {
              type: "create",
              data: rows,
              options: { header, name: { en: words.unfinished(name) } },
            }
          : { type: "append", securable_id: id, data: rows, options: { header } };
      const answer = await api.create<Answer>("data", push).catch((failure: unknown) => {
        throw inFile(failure, numbers);
      });
      id ??= answer.rows[0]?.id;
      rowCount += rows.length;
      onStored(rowCount);
    }
    if (id === undefined) throw new Error(words.noRows);
    signal.throwIfAborted();
    await api.update("securable", id, { name: { en: name } });
    return id;
  } catch (failure) {
    if (id !== undefined) await api.remove("securable", id);
    throw failure;
  } finally {
    window.removeEventListener("pagehide", remove);
    window.removeEventListener("beforeunload", warn);
  }
}

/** Makes the browser ask for confirmation before the reader leaves. */
function warn(event: Event): void {
  event.preventDefault();
}

/** Replaces the row number of a push in an error with the row number of the file. */
function inFile(failure: unknown, numbers: readonly number[]): unknown {
  if (!(failure instanceof ApiFailure)) return failure;
  const row = Number(/\brow (\d+)/.exec(failure.message)?.[1]);
  const number = numbers[row - 1];
  if (number === undefined) return failure;
  return new Error(words.refusedRow(writeNumber(number), failure.message), { cause: failure });
}
