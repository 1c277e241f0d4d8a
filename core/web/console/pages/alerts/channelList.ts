import { html, LitElement, type TemplateResult } from "lit";
import type { Found } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import {
  confirm,
  createLoad,
  emptyState,
  notify,
  notifyFailure,
  openDialog,
  selectField,
  textField,
  type ConsoleContext,
} from "../../parts/index.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { words } from "./words.ts";

type ChannelType = keyof typeof words.channelTypes;
const isChannelType = (value: string): value is ChannelType =>
  Object.hasOwn(words.channelTypes, value);

/** The config of a channel of a kind, from its one address. */
function configOf(type: ChannelType, address: string): object {
  if (type === "email") return { recipients: [{ email: address }] };
  return type === "sms" ? { to: address } : { url: address };
}

/** Where messages go: each channel with its state, a test, and a new one. */
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
    const isAgreed = await confirm({
      title: words.removeChannel,
      text: words.removeChannelText(textOf(name) || type),
      action: words.removeChannel,
      isDangerous: true,
    });
    if (!isAgreed) return;
    try {
      await this.context.api.remove("channel", id);
      await this.load.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private async create(): Promise<void> {
    let [type, name, address, failure]: [ChannelType, string, string, string] = [
      "webhook",
      "",
      "",
      "",
    ];
    await openDialog({
      title: words.newChannel,
      body: (dialog) =>
        html`${selectField({
          id: "channel-type",
          label: words.channelType,
          value: type,
          choices: Object.entries(words.channelTypes).map(([value, label]) => ({ value, label })),
          onSelect: (value) => {
            if (isChannelType(value)) type = value;
            dialog.redraw();
          },
        })}
        ${textField({
          id: "channel-name",
          label: words.name,
          value: name,
          onInput: (value) => {
            name = value;
          },
        })}
        ${textField({
          id: "channel-address",
          label: words.address,
          value: address,
          hint: words.addressHints[type],
          wrong: failure,
          onInput: (value) => {
            address = value;
            dialog.redraw();
          },
        })}`,
      foot: (dialog) =>
        html`<button
          class="button primary"
          ?disabled=${address.trim() === ""}
          @click=${async () => {
            try {
              await this.context.api.create("channel", {
                type,
                name: { en: name.trim() || words.channelTypes[type] },
                config: configOf(type, address.trim()),
              });
              dialog.close();
              await this.load.start();
            } catch (reason) {
              failure = reason instanceof Error ? reason.message : String(reason);
              dialog.redraw();
            }
          }}
        >
          ${words.createChannel}
        </button>`,
    });
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
