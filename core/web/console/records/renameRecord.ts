import type { Api } from "../api/index.ts";
import { textOf } from "../language/index.ts";
import { openTextForm } from "../parts/index.ts";
import type { RecordAction } from "./recordKind.ts";
import { words } from "./words.ts";

/** Returns the action that opens a form for a record's name and stores the new name. */
export const renameRecord = (
  api: Api,
  resource: string,
  { id, name }: { readonly id: string; readonly name?: unknown },
): RecordAction => ({
  label: words.rename,
  run: async () =>
    (await openTextForm({
      title: words.rename,
      label: words.name,
      action: words.save,
      value: textOf(name),
      save: (text) => api.update(resource, id, { name: text }),
    })) !== undefined,
});
