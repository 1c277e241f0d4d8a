import { objectOf } from "../../../charts/index.ts";
import type { Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import { confirm, notify, notifyFailure } from "../../parts/index.ts";
import type { Contents } from "./contents.ts";
import { isAtLeast, type Right } from "../../sharing/index.ts";
import { createHistory } from "./createHistory.ts";
import { readDashboard, type StoredDashboard } from "./readDashboard.ts";
import { words } from "./words.ts";

/** The parts of a dashboard that can be edited. */
export interface EditedDashboard {
  readonly name: string;
  readonly contents: Contents;
}

/** A dashboard in edit mode, with undo, redo and save. */
export interface DashboardDraft {
  readonly current: EditedDashboard;
  readonly stored: StoredDashboard;
  /** The reader's right on the dashboard. */
  readonly right: Right;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Changes the draft. Consecutive changes with the same step are undone together. */
  change(changes: Partial<EditedDashboard>, step?: string): void;
  undo(): void;
  redo(): void;
  /** Discards all changes and returns to the stored version. */
  discard(): void;
  /**
   * Saves the dashboard. If someone else has saved it in the meantime, that version is replaced only if the reader
   * confirms. Returns whether the dashboard was saved.
   */
  save(): Promise<boolean>;
}

export interface DashboardDraftOptions {
  readonly api: Api;
  readonly userId: string;
  readonly stored: StoredDashboard;
  readonly right: Right;
  /** Called after each change of the draft or its state. */
  changed(): void;
  /** Called after the draft was saved. */
  saved?(): void;
}

/**
 * Opens a stored dashboard for editing. Unsaved changes are kept in the session storage of the window, so they survive
 * a reload or a new sign-in. A reader who may not change the dashboard has no unsaved changes.
 */
export function createDashboardDraft({
  api,
  userId,
  stored: first,
  right,
  changed,
  saved: onSaved,
}: DashboardDraftOptions): DashboardDraft {
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
  if (!isAtLeast(right, "modify")) sessionStorage.removeItem(key);
  else if (kept) {
    states.change(kept);
    notify({ text: words.draftKept });
  }
  const isSaved = () => states.current === savedState;
  return {
    get current() {
      return states.current;
    },
    right,
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
    change: (changes, step) => states.change({ ...states.current, ...changes }, step),
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
        states.endStep();
        keep();
        onSaved?.();
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

/** Returns unsaved changes of the stored version. Discards unsaved changes of an older version. */
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
