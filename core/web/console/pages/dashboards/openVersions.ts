import { html, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, writeInstant } from "../../language/index.ts";
import {
  elementOf,
  errorState,
  loadingState,
  notify,
  notifyFailure,
  openDialog,
} from "../../parts/index.ts";
import { itemTitle } from "../../questions/index.ts";
import type { BoardItem, Contents } from "./contents.ts";
import { differenceOf, type Difference } from "./differenceOf.ts";
import { words } from "./words.ts";

interface Version {
  readonly id: string;
  readonly contents: Contents | null;
  readonly environment: keyof typeof words.environments | null;
  readonly created_at: string;
  readonly user_id: string | null;
  readonly name: unknown;
  /** The user who saved the version; absent if the user no longer exists, or if the reader cannot see users. */
  readonly modifier?: { readonly name: string | null; readonly email: string | null } | null;
}

const mostVersions = 50;
/** How many items the line of a version names. */
const mostNames = 3;

export interface VersionsOptions {
  readonly api: Api;
  readonly dashboardId: string;
  readonly now: Contents;
}

/**
 * Shows the versions of a dashboard, how each version differs from the current one, and where it is published. Returns
 * the contents that the reader restores.
 */
export function openVersions({
  api,
  dashboardId,
  now,
}: VersionsOptions): Promise<Contents | undefined> {
  let versions: readonly Version[] | undefined;
  let failure: unknown;
  let isAsked = false;
  const read = async (redraw: () => void) => {
    try {
      const found = await api.get<Version>("securableversion", {
        where: { securable_id: dashboardId },
        attributes: ["id", "name", "contents", "environment", "created_at", "user_id"],
        include: [{ model: "User", as: "Modifier", attributes: ["name", "email"] }],
        order: [["created_at", "desc"]],
        limit: mostVersions,
      });
      versions = found.rows;
    } catch (reason) {
      failure = reason;
    }
    redraw();
  };
  const publish = async (version: Version, environment: string, redraw: () => void) => {
    try {
      await api.update("securableversion", version.id, { environment: environment || null });
      notify({ text: words.saved });
    } catch (reason) {
      notifyFailure(reason);
    }
    await read(redraw);
  };
  return openDialog<Contents>({
    title: words.versions,
    isWide: true,
    body: (dialog) => {
      if (!isAsked) {
        isAsked = true;
        void read(() => dialog.redraw());
      }
      if (failure !== undefined) return errorState(failure);
      if (!versions) return loadingState();
      return html`<p class="muted">${words.versionsText}</p>
        <ul class="versions">
          ${versions.map((version) => {
            const differences = differenceOf(now, version.contents ?? {});
            return html`<li>
              <div class="grow">
                <span>${writeInstant(version.created_at)}</span>
                <span class="muted">${aboutOf(version, versions?.[0])}</span>
                ${differencesOf(differences)}
              </div>
              <select
                class="input"
                aria-label="${words.publishTo}: ${writeInstant(version.created_at)}"
                @change=${(event: Event) =>
                  publish(version, elementOf(event.target, HTMLSelectElement).value, () =>
                    dialog.redraw(),
                  )}
              >
                <option value="" ?selected=${version.environment === null}>
                  ${words.notPublished}
                </option>
                ${Object.entries(words.environments).map(
                  ([id, label]) =>
                    html`<option value=${id} ?selected=${version.environment === id}>
                      ${label}
                    </option>`,
                )}
              </select>
              <button class="button" @click=${() => dialog.close(version.contents ?? {})}>
                ${words.restore}
              </button>
            </li>`;
          })}
        </ul>`;
    },
  });
}

/** Returns who saved a version, and what the dashboard was called then if it had another name. */
function aboutOf({ name, modifier }: Version, newest: Version | undefined): string {
  const author = modifier?.name || modifier?.email;
  const called = textOf(name);
  const isRenamed = newest !== undefined && called !== textOf(newest.name);
  return [author ? words.savedBy(author) : "", isRenamed ? words.calledThen(called) : ""]
    .filter((text) => text !== "")
    .join(" · ");
}

/** Renders how a version differs from the current one: the counts, then every difference with its members. */
function differencesOf(differences: readonly Difference[]): TemplateResult {
  if (differences.length === 0) return html`<span class="muted small">${words.sameAsNow}</span>`;
  const counted = (what: Difference["what"]) =>
    differences.filter((each) => each.what === what).length;
  return html`<details class="differences">
    <summary class="muted small">
      ${words.difference(counted("added"), counted("removed"), counted("changed"))}${namesOf(differences)}
    </summary>
    <ul>
      ${differences.map(
        ({ what, item, screen, members }) =>
          html`<li>
            <span class="badge ${badgeOf[what]}">${words.differences[what]}</span>
            ${item ? nameOf(item) : (words.members["contents"] ?? "")}
            <span class="muted small">
              ${[screen === undefined ? "" : (screens[screen] ?? screen), members.map((name) => words.members[name] ?? name).join(", ")].filter((text) => text !== "").join(" · ")}
            </span>
          </li>`,
      )}
    </ul>
  </details>`;
}

/** Returns the names of the first items that differ, in the sentence of their counts. */
function namesOf(differences: readonly Difference[]): string {
  const names = [...new Set(differences.flatMap(({ item }) => (item ? [nameOf(item)] : [])))];
  return names.length === 0 ? "" : words.named(names.slice(0, mostNames), names.length - mostNames);
}

const badgeOf = { added: "good", removed: "bad", changed: "info" } as const;
const screens: Readonly<Record<string, string>> = words.screens;

/** Returns the title of an item, or its type if it has no title. */
function nameOf({ options, type, id }: BoardItem): string {
  return textOf(options?.["title"]) || itemTitle(type) || id;
}
