import { objectOf } from "../../../charts/index.ts";
import type { Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import { confirm, notify, notifyFailure } from "../../parts/index.ts";
import type { Contents } from "./contents.ts";
import { createHistory } from "./createHistory.ts";
import { readDashboard, type StoredDashboard } from "./readDashboard.ts";
import { words } from "./words.ts";

/** A dashboard as it is edited. */
export interface EditedDashboard {
  readonly name: string;
  readonly contents: Contents;
}

/** A dashboard while it is edited: undo, redo, and its way back to the host. */
export interface Draft {
  readonly current: EditedDashboard;
  readonly stored: StoredDashboard;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  change(changes: Partial<EditedDashboard>): void;
  undo(): void;
  redo(): void;
  /** Goes back to what is stored. */
  discard(): void;
  /** Stores it; someone else's save since is replaced only when the reader agrees. Returns whether it is stored. */
  save(): Promise<boolean>;
}

export interface DraftOptions {
  readonly api: Api;
  readonly userId: string;
  readonly stored: StoredDashboard;
  changed(): void;
}

/**
 * Makes the draft of a stored dashboard. Unsaved changes are kept in the window's session, so that neither a reload nor
 * a new sign-in loses them.
 */
export function createDraft({ api, userId, stored: first, changed }: DraftOptions): Draft {
  let stored = first;
  let isSaving = false;
  const key = `dashboard ${first.id} of ${userId}`;
  const saved = { name: textOf(first.name), contents: first.contents ?? {} };
  let states = createHistory<EditedDashboard>(saved, () => keep());
  let savedState = states.current;
  function keep(): void {
    if (states.current === savedState) sessionStorage.removeItem(key);
    else
      sessionStorage.setItem(
        key,
        JSON.stringify({ changedAt: stored.modified_at, draft: states.current }),
      );
    changed();
  }
  const kept = keptDraft(key, first);
  if (kept) {
    states.change(kept);
    notify({ text: words.draftKept });
  }
  const isSaved = () => states.current === savedState;
  return {
    get current() {
      return states.current;
    },
    get stored() {
      return stored;
    },
    get isChanged() {
      return !isSaved();
    },
    get isSaving() {
      return isSaving;
    },
    get canUndo() {
      return states.canUndo;
    },
    get canRedo() {
      return states.canRedo;
    },
    change: (changes) => states.change({ ...states.current, ...changes }),
    undo: () => states.undo(),
    redo: () => states.redo(),
    discard() {
      states = createHistory<EditedDashboard>(savedState, () => keep());
      keep();
    },
    async save() {
      isSaving = true;
      changed();
      try {
        const now = await readDashboard(api, stored.id);
        const isReplaced = now !== undefined && now.modified_at !== stored.modified_at;
        const isAgreed =
          !isReplaced ||
          (await confirm({
            title: words.conflictTitle,
            text: words.conflictText,
            action: words.conflictAction,
          }));
        if (!isAgreed) return false;
        const state = states.current;
        const { name, contents } = state;
        const next = await api.update<StoredDashboard>("securable", stored.id, {
          contents,
          ...(name !== savedState.name && { name: { ...objectOf(stored.name), en: name } }),
        });
        stored = { ...stored, ...next, contents };
        savedState = state;
        keep();
        notify({ text: words.saved });
        return true;
      } catch (failure) {
        notifyFailure(failure);
        return false;
      } finally {
        isSaving = false;
        changed();
      }
    },
  };
}

/** Returns the kept changes of the dashboard as it is stored now; those of an older one are given up. */
function keptDraft(key: string, stored: StoredDashboard): EditedDashboard | undefined {
  const text = sessionStorage.getItem(key);
  if (text === null) return undefined;
  const { changedAt, draft } = objectOf(JSON.parse(text));
  const { name, contents } = objectOf(draft);
  if (changedAt !== stored.modified_at || typeof name !== "string") {
    sessionStorage.removeItem(key);
    return undefined;
  }
  return { name, contents: objectOf<never>(contents) };
}
