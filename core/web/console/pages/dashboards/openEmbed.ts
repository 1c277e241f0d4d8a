import { html } from "lit";
import { ApiFailure, type Api } from "../../api/index.ts";
import { defineElements } from "../../../embed/index.ts";
import {
  copyText,
  entriesOf,
  listField,
  openDialog,
  selectField,
  textField,
} from "../../parts/index.ts";
import { datasetIdsOf, type Contents } from "./contents.ts";
import { words } from "./words.ts";

const lifetimes = [1, 8, 24] as const;

export interface EmbedOptions {
  readonly api: Api;
  readonly dashboardId: string;
  readonly contents: Contents;
  readonly theme: "light" | "dark";
}

interface Pair {
  readonly id: string;
  readonly token: string;
}

/**
 * Creates an embed token for one dashboard. Shows the HTML that embeds the dashboard with this token, and a preview of
 * what the token sees.
 */
export async function openEmbed(options: EmbedOptions): Promise<void> {
  const { api, dashboardId, contents, theme } = options;
  defineElements();
  let [viewer, hours, origins, failure]: [string, number, string, string] = ["viewer", 1, "", ""];
  let pair: Pair | undefined;
  /** The pair for the preview: the token itself, or a pair with the same rights that works on this page. */
  let preview: Pair | undefined;
  const properties = () => ({
    type: "embed",
    username: viewer.trim(),
    name: viewer.trim(),
    expiry: `${hours} hours`,
    access: {
      dashboards: [{ id: dashboardId, rights: "read" }],
      datasets: datasetIdsOf(contents).map((id) => ({ id, rights: "use" })),
    },
    ...(origins.trim() !== "" && { allowed_origins: entriesOf(origins) }),
  });
  const make = async (redraw: () => void) => {
    try {
      pair = await api.create<Pair>("authorization", properties());
      preview = origins.trim() === "" ? pair : await pairThatSeesAs(pair.id, api);
      failure = "";
    } catch (reason) {
      const mistakes = reason instanceof ApiFailure ? reason.validation : {};
      const said = reason instanceof ApiFailure ? reason.message : String(reason);
      failure = mistakes["allowed_origins"]?.[0] ?? said;
    }
    redraw();
  };
  const text = (label: string, code: string) =>
    html`<div class="field">
      <span class="row">
        <span class="label grow">${label}</span>
        <button class="button quiet" @click=${() => copyText(code)}>${words.copy}</button>
      </span>
      <pre tabindex="0">${code}</pre>
    </div>`;
  await openDialog({
    title: words.embedTitle,
    isWide: true,
    body: (dialog) =>
      html`<p class="muted">${words.embedText}</p>
        ${textField({
          id: "embed-viewer",
          label: words.embedUser,
          value: viewer,
          onInput: (value) => {
            viewer = value;
            dialog.redraw();
          },
        })}
        ${selectField({
          id: "embed-hours",
          label: words.embedHours,
          value: String(hours),
          choices: lifetimes.map((each) => ({ value: String(each), label: words.hours(each) })),
          onSelect: (value) => {
            hours = Number(value);
          },
        })}
        ${listField({
          id: "embed-origins",
          label: words.embedOrigins,
          hint: words.embedOriginsHint,
          value: origins,
          onInput: (value) => (origins = value),
        })}
        ${failure ? html`<p class="failure" role="alert">${failure}</p>` : ""}
        ${
          pair && preview
            ? html`${text(words.snippet, snippetOf(dashboardId, pair))}
                <p class="muted small">${words.snippetTheme}</p>
                ${text(words.serverSnippet, serverSnippetOf(properties()))}
                <section class="field" aria-label=${words.preview}>
                  <span class="label">${words.preview}</span>
                  <div class="embed-preview">
                    <manifold-dashboard
                      dashboard=${dashboardId}
                      host=${window.location.origin}
                      auth-key=${preview.id}
                      auth-token=${preview.token}
                      theme=${theme}
                    ></manifold-dashboard>
                  </div>
                </section>`
            : ""
        }`,
    foot: (dialog) =>
      html`<button
        class="button primary"
        ?disabled=${viewer.trim() === ""}
        @click=${() => void make(() => dialog.redraw())}
      >
        ${words.makeToken}
      </button>`,
  });
}

/** Creates a key pair for the console that expires after 15 minutes and sees the same data as a token. */
async function pairThatSeesAs(id: string, api: Api): Promise<Pair> {
  const options = { token: true };
  const { token } = await api.call<{ readonly token: Pair }>("authorization", "explain", {
    id,
    options,
  });
  return token;
}

/** Returns the HTML for a page: the element with an embed token, for trying it out. */
function snippetOf(dashboardId: string, { id, token }: Pair): string {
  const { origin } = window.location;
  return `<script type="module" src="${origin}/embed.js"></script>
<manifold-dashboard
  dashboard="${dashboardId}"
  auth-key="${id}"
  auth-token="${token}"
></manifold-dashboard>`;
}

/** Returns the server code that creates a token for each viewer. */
function serverSnippetOf(properties: object): string {
  return `// Runs on Node 20 or newer, without packages. MANIFOLD_KEY and MANIFOLD_TOKEN are a key pair of type api.
const answer = await fetch(${JSON.stringify(`${window.location.origin}/0.1.0/authorization`)}, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({
    version: "0.1.0",
    key: process.env.MANIFOLD_KEY,
    token: process.env.MANIFOLD_TOKEN,
    action: "create",
    properties: ${JSON.stringify(properties, undefined, 2).replaceAll("\n", "\n    ")},
  }),
});
// Send the token to your page, whose element requests it:
// dashboard.getToken = async () => (await fetch("/token", { method: "POST" })).json()
const token = await answer.json();`;
}
