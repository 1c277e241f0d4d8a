import { html, LitElement, type TemplateResult } from "lit";
import { isRecord } from "../../api/index.ts";
import { textOf, writeAgo } from "../../language/index.ts";
import {
  confirmAndRun,
  createLoad,
  emptyState,
  notify,
  notifyFailure,
  type ConsoleContext,
} from "../../parts/index.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { openNewChannel } from "./openNewChannel.ts";
import { words } from "./words.ts";

interface SentMessage {
  readonly channel_id: string;
  readonly completed_at: string;
}

interface Listed {
  readonly channels: readonly ChannelRecord[];
  /** When each channel last sent a message; channels that have sent none are absent. */
  readonly sentAt: ReadonlyMap<string, string>;
}

/** Number of latest messages among which a channel's last message is looked for. */
const mostDeliveries = 500;

/** The channels to which messages go, with their states, a test, and a form for a new channel. */
export class ChannelList extends LitElement {
  static override properties = { context: { attribute: false } };
  declare context: ConsoleContext;
  private readonly load = createLoad<Listed>(this, async (signal) => {
    const { api } = this.context;
    const { rows } = await api.get<ChannelRecord>(
      "channel",
      { order: [["created_at", "desc"]] },
      { signal },
    );
    if (rows.length === 0) return { channels: [], sentAt: new Map() };
    const sent = await api.get<SentMessage>(
      "delivery",
      {
        where: { channel_id: { in: rows.map(({ id }) => id) }, outcome: "delivered" },
        attributes: ["channel_id", "completed_at"],
        order: [["completed_at", "desc"]],
        limit: mostDeliveries,
      },
      { signal },
    );
    const sentAt = new Map(
      sent.rows.toReversed().map((each) => [each.channel_id, each.completed_at]),
    );
    return { channels: rows, sentAt };
  });

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
      const outcomes: Readonly<Record<string, string>> = words.sentOutcomes;
      for (const { outcome, problem } of answer.results ?? []) {
        const said = outcomes[outcome] ?? outcome;
        notify({
          text: words.sent(problem ? `${said}, ${problem}` : said),
          isBad: problem !== null && problem !== undefined,
        });
      }
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
    if (await openNewChannel(this.context.api)) await this.load.start();
  }

  protected override render(): TemplateResult {
    const create = html`<button class="button primary" @click=${() => void this.create()}>
      ${words.newChannel}
    </button>`;
    return html`${this.load.show(({ channels, sentAt }) =>
      channels.length === 0
        ? emptyState({ title: words.noChannel, text: words.noChannelText, action: create })
        : html`<div class="row">${create}</div>
            <ul class="channel-list surface">
              ${channels.map((channel) => this.renderChannel(channel, sentAt.get(channel.id)))}
            </ul>`,
    )}`;
  }

  private renderChannel(channel: ChannelRecord, sentAt: string | undefined): TemplateResult {
    const { name, type, failures, disabled_reason: disabled } = channel;
    const types: Readonly<Record<string, string>> = words.channelTypes;
    const { look, state } =
      disabled !== null
        ? { look: "bad", state: words.disabled }
        : failures > 0
          ? { look: "bad", state: words.failing(failures) }
          : sentAt === undefined
            ? { look: "", state: words.notTried }
            : { look: "good", state: words.worked(writeAgo(sentAt)) };
    return html`<li>
      <span class="name">
        ${textOf(name) || type}
        <span class="muted small"
          >${[types[type] ?? type, ...addressesOf(channel)].join(" · ")}</span
        >
      </span>
      <span class="badge ${look}" title=${disabled ?? ""}>${state}</span>
      <button class="button" @click=${() => void this.test(channel)}>${words.test}</button>
      <button class="button danger" @click=${() => void this.delete(channel)}>
        ${words.removeChannel}
      </button>
    </li>`;
  }
}

/** Returns the addresses or numbers to which a channel sends. Addresses of webhooks are secret, so they are absent. */
function addressesOf({ config }: ChannelRecord): readonly string[] {
  const { recipients, to } = config;
  const mails = Array.isArray(recipients)
    ? recipients.map((each) => (isRecord(each) ? (each["email"] ?? each["phone"]) : undefined))
    : [];
  return [...mails, to].flat().filter((each) => typeof each === "string");
}
