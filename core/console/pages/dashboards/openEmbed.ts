import { html } from "lit";
import { ApiFailure, type Api } from "../../api/index.ts";
import { copyText, openDialog, selectField, textField } from "../../parts/index.ts";
import { words } from "./words.ts";

const lifetimes = [1, 8, 24] as const;

/** Makes an embed token of one dashboard, and the lines for a page that shows it. */
export async function openEmbed(api: Api, dashboardId: string): Promise<void> {
  let [viewer, hours, failure, snippet] = ["viewer", 1, "", ""];
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
        ${failure ? html`<p class="failure" role="alert">${failure}</p>` : ""}
        ${
          snippet
            ? html`<div class="field">
                <span class="label">${words.snippet}</span>
                <pre tabindex="0">${snippet}</pre>
              </div>`
            : ""
        }`,
    foot: (dialog) =>
      html`${
          snippet
            ? html`<button class="button" @click=${() => copyText(snippet)}>${words.copy}</button>`
            : ""
        }
        <button
          class="button primary"
          ?disabled=${viewer.trim() === ""}
          @click=${async () => {
            try {
              const { id, token } = await api.create<{
                readonly id: string;
                readonly token: string;
              }>("authorization", {
                type: "embed",
                username: viewer.trim(),
                name: viewer.trim(),
                expiry: `${hours} hours`,
                access: { dashboards: [{ id: dashboardId, rights: "read" }] },
              });
              snippet = snippetOf(dashboardId, id, token);
              failure = "";
            } catch (reason) {
              failure = reason instanceof ApiFailure ? reason.message : String(reason);
            }
            dialog.redraw();
          }}
        >
          ${words.makeToken}
        </button>`,
  });
}

/** The lines of a page: the element, and where its token comes from. */
function snippetOf(dashboardId: string, key: string, token: string): string {
  const { origin } = window.location;
  return `<script type="module" src="${origin}/embed.js"></script>
<manifold-dashboard dashboard-id="${dashboardId}"></manifold-dashboard>
<script type="module">
  // On your server: make a token for each viewer, and answer it here.
  document.querySelector("manifold-dashboard").getToken = async () => ({
    key: "${key}",
    token: "${token}",
  });
</script>`;
}
