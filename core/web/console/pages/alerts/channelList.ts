import { html, LitElement, type TemplateResult } from "lit";
import type { Found } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import {
  choicesOf,
  confirmAndRun,
  createLoad,
  emptyState,
  notify,
  notifyFailure,
  openForm,
  selectField,
  showOnce,
  textField,
  type ConsoleContext,
} from "../../parts/index.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { words } from "./words.ts";

type ChannelType = keyof typeof words.channelTypes;
const isChannelType = (value: string): value is ChannelType =>
  Object.hasOwn(words.channelTypes, value);

/** Returns the config of a channel of the given type from its address. */
function configOf(type: ChannelType, address: string): object {
  if (type === "email") return { recipients: [{ email: address }] };
  return type === "sms" ? { to: address } : { url: address };
}

/** The channels to which messages go, with their states, a test, and a form for a new channel. */
export class ChannelList extends LitElement {
  static override properties = { context: { attribute: false } };
  declare context: ConsoleContext;
  private readonly load = createLoad<Found<ChannelRecord>>(this, (signal) =>
    this.context.api.get<ChannelRecord>("channel", { order: [["created_at", "desc"]] }, { signal }),
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    void this.load.start();
  }

  private async test({ id }: ChannelRecord): Promise<void> {
    try {
      const answer = await this.context.api.call<{
        readonly results?: readonly { readonly outcome: string; readonly problem: string | null }[];
      }>("channel", "test", { id });
      for (const { outcome, problem } of answer.results ?? [])
        notify({
          text: words.sent(problem ? `${outcome}, ${problem}` : outcome),
          isBad: problem !== null && problem !== undefined,
        });
      await this.load.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async delete({ id, name, type }: ChannelRecord): Promise<void> {
    const isDone = await confirmAndRun({
      action: words.removeChannel,
      text: words.removeChannelText(textOf(name) || type),
      run: () => this.context.api.remove("channel", id),
    });
    if (isDone) await this.load.start();
  }

  private async create(): Promise<void> {
    const given = { name: "", address: "" };
    let type: ChannelType = "webhook";
    const made = await openForm<{ readonly secret?: string }>({
      title: words.newChannel,
      action: words.createChannel,
      isComplete: () => given.address.trim() !== "",
      body: ({ wrong }) =>
        html`${selectField({
          id: "channel-type",
          label: words.channelType,
          value: type,
          choices: choicesOf(words.channelTypes),
          onSelect: (value) => {
            if (isChannelType(value)) type = value;
          },
        })}
        ${textField({
          id: "channel-name",
          label: words.name,
          value: given.name,
          onInput: (value) => (given.name = value),
        })}
        ${textField({
          id: "channel-address",
          label: words.address,
          value: given.address,
          hint: words.addressHints[type],
          wrong,
          onInput: (value) => (given.address = value),
        })}`,
      save: () =>
        this.context.api.create("channel", {
          type,
          name: { en: given.name.trim() || words.channelTypes[type] },
          config: configOf(type, given.address.trim()),
        }),
    });
    if (!made) return;
    const { secret } = made;
    if (secret !== undefined)
      await showOnce({ title: words.secretTitle, text: words.secretOnce, secret });
    await this.load.start();
  }

  protected override render(): TemplateResult {
    const create = html`<button class="button primary" @click=${() => void this.create()}>
      ${words.newChannel}
    </button>`;
    return html`${this.load.show(({ rows }) =>
      rows.length === 0
        ? emptyState({ title: words.noChannel, text: words.noChannelText, action: create })
        : html`<div class="row">${create}</div>
            <ul class="channel-list surface">
              ${rows.map((channel) => this.renderChannel(channel))}
            </ul>`,
    )}`;
  }

  private renderChannel(channel: ChannelRecord): TemplateResult {
    const { name, type, failures, disabled_reason: disabled } = channel;
    const types: Readonly<Record<string, string>> = words.channelTypes;
    const isBad = disabled !== null || failures > 0;
    const state =
      disabled !== null ? words.disabled : failures > 0 ? words.failing(failures) : words.works;
    return html`<li>
      <span class="grow truncate">
        ${textOf(name) || type} <span class="muted small">${types[type] ?? type}</span>
      </span>
      <span class="badge ${isBad ? "bad" : "good"}" title=${disabled ?? ""}>${state}</span>
      <button class="button" @click=${() => void this.test(channel)}>${words.test}</button>
      <button class="button danger" @click=${() => void this.delete(channel)}>
        ${words.removeChannel}
      </button>
    </li>`;
  }
}
