import { html } from "lit";
import type { Api } from "../../api/index.ts";
import { openForm, selectField, showOnce, showWarnings, textField } from "../../parts/index.ts";
import { words } from "./words.ts";

const versions = ["manifold-1", "3.0.0", "2.0.0", "1.1.0", "1.0.0"] as const;

interface Registered {
  readonly id: string;
  readonly secret: string;
  readonly warnings?: readonly string[];
}

/**
 * Opens the form for the address of a plugin and registers it. If the reader enters no secret, the host generates one,
 * which is shown once. Returns whether a plugin was registered.
 */
export async function registerPlugin(api: Api): Promise<boolean> {
  const state = { slug: "", url: "", secret: "", version: "" };
  const made = await openForm<Registered>({
    title: words.registerTitle,
    action: words.register,
    members: ["name", "slug", "base_url", "new_secret"],
    body: ({ wrong, mistakeOf }) =>
      html`${textField({ id: "plugin-slug", label: words.name, value: state.slug, wrong: mistakeOf("slug") ?? mistakeOf("name") ?? wrong, isRequired: true, onInput: (value) => (state.slug = value) })}
      ${textField({ id: "plugin-url", label: words.address, hint: words.addressHint, type: "url", value: state.url, wrong: mistakeOf("base_url"), isRequired: true, onInput: (value) => (state.url = value) })}
      ${selectField({
        id: "plugin-version",
        label: words.protocol,
        value: state.version,
        choices: [
          { value: "", label: words.askedVersion },
          ...versions.map((value) => ({ value, label: value })),
        ],
        onSelect: (value) => (state.version = value),
      })}
      ${textField({ id: "plugin-secret", label: words.secret, hint: words.secretHint, type: "password", autocomplete: "off", value: state.secret, wrong: mistakeOf("new_secret"), onInput: (value) => (state.secret = value) })}`,
    save: () => store(api, state),
  });
  if (!made) return false;
  await showWarnings(words.registered, made.warnings);
  if (state.secret === "")
    await showOnce({ title: words.secretTitle, text: words.secretOnce, secret: made.secret });
  return true;
}

/**
 * Registers a plugin with its secret. If the secret is rejected, the plugin is removed so that the reader can try
 * again.
 */
async function store(
  api: Api,
  {
    slug,
    url,
    secret,
    version,
  }: {
    readonly slug: string;
    readonly url: string;
    readonly secret: string;
    readonly version: string;
  },
): Promise<Registered> {
  const made = await api.create<Registered>("plugin", {
    slug: slug.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-"),
    name: { en: slug },
    base_url: url,
    ...(version !== "" && { protocol_version: version }),
  });
  if (secret === "") return made;
  try {
    const given = { new_secret: secret, keep_secret_hours: 0 };
    const changed = await api.update<Pick<Registered, "warnings">>("plugin", made.id, given);
    // The plugin may refuse the secret that the host made, and accept this one.
    return {
      id: made.id,
      secret: made.secret,
      ...(changed.warnings && { warnings: changed.warnings }),
    };
  } catch (failure) {
    await api.remove("plugin", made.id);
    throw failure;
  }
}
