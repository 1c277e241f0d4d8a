import { html, nothing, svg, type TemplateResult } from "lit";
import { writeBytes, writeCompact, writeInstant, writeNumber } from "../../../language/index.ts";
import { ConsolePage, createLoad, define, elementOf } from "../../../parts/index.ts";
import { adoptStyles } from "../../../styles/index.ts";
import { ActivityView } from "./activity.ts";
import { usageStyles } from "./styles.ts";
import { words } from "./words.ts";

/** The use and limits of one quota, as `explain` of the organization returns them. */
interface Quota {
  readonly name: string;
  readonly soft: number | null;
  readonly hard: number | null;
  readonly used: number;
  readonly resets_at: string | null;
}

/** A quota that has limits. */
interface Limited extends Quota {
  readonly soft: number;
  readonly hard: number;
}

/** Numbers of at least this size are abbreviated. */
const longNumber = 1_000_000;

const isNamed = (name: string): name is keyof typeof words.names =>
  Object.hasOwn(words.names, name);
const isLimited = (quota: Quota): quota is Limited => quota.hard !== null && quota.soft !== null;
const nameOf = ({ name }: Quota): string => (isNamed(name) ? words.names[name] : name);
/** Writes an amount of a quota with its unit. */
const write = ({ name }: Quota, value: number): string =>
  name === "bytes"
    ? writeBytes(value)
    : value >= longNumber
      ? writeCompact(value)
      : writeNumber(value);

/**
 * The Usage tab: what people did, by month, and a bar for each limit, with a mark for its warning threshold. Owners of
 * a suborganization see only what its people did, because the limits are of the whole organization.
 */
export class UsageRoom extends ConsolePage {
  private readonly quotas = createLoad<readonly Quota[]>(this, async (signal) => {
    const { api } = this.context;
    const answer = await api.call<{ readonly quotas: readonly Quota[] }>(
      "organization",
      "explain",
      {},
      { signal },
    );
    return answer.quotas;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(usageStyles);
    define("console-activity", ActivityView);
    if (this.hasQuotas) void this.quotas.start();
  }

  private refresh(): void {
    void this.quotas.start();
    elementOf(this.querySelector("console-activity"), ActivityView).refresh();
  }

  private get hasQuotas(): boolean {
    return this.context.user.suborganization === null;
  }

  protected override render(): TemplateResult {
    const { context, route } = this;
    const activity = html`<console-activity
      .context=${context}
      .route=${route}
    ></console-activity>`;
    if (!this.hasQuotas) return activity;
    return html`${activity}
      <div class="usage-head">
        <p class="muted">${words.intro}</p>
        <button class="button" @click=${() => this.refresh()}>${words.again}</button>
      </div>
      ${this.quotas.show(
        (quotas) =>
          html`<ul class="usage" aria-label=${words.title}>
            ${quotas.map((quota) => html`<li class="surface usage-item">${shown(quota)}</li>`)}
          </ul>`,
      )}`;
  }
}

function shown(quota: Quota): TemplateResult {
  const { used } = quota;
  const limit = isLimited(quota)
    ? words.used(write(quota, used), write(quota, quota.hard))
    : write(quota, used);
  return html`<h2 class="usage-name">${nameOf(quota)}</h2>
    <p class="usage-figure">
      <strong>${limit}</strong>
      <span class="muted"
        >${spanOf(quota)}${isLimited(quota) ? nothing : `, ${words.noLimit}`}</span
      >
    </p>
    ${isLimited(quota) ? [bar(quota), note(quota)] : nothing}`;
}

function spanOf({ name, resets_at: end }: Quota): string {
  if (name === "queries") return words.spans.now;
  if (end === null) return words.spans.stored;
  return name === "jobs" || name === "ai_tokens" ? words.spans.day : words.spans.minute;
}

function stateOf({ used, soft, hard }: Limited): keyof typeof words.states {
  if (used >= hard) return "hard";
  return used > soft ? "soft" : "within";
}

function bar(quota: Limited): TemplateResult {
  const { used, soft, hard } = quota;
  const share = (value: number) => `${hard === 0 ? 100 : Math.min(100, (100 * value) / hard)}%`;
  return html`<svg
    class="usage-bar"
    role="img"
    aria-label=${words.bar(nameOf(quota), write(quota, used), write(quota, hard), write(quota, soft))}
  >
    ${svg`<rect class="rail" y="3" width="100%" height="8" rx="4" />
      <rect class=${stateOf(quota)} y="3" width=${share(used)} height="8" rx="4" />
      ${soft < hard ? svg`<rect class="mark" x=${share(soft)} width="2" height="14" />` : nothing}`}
  </svg>`;
}

function note(quota: Limited): TemplateResult {
  const { name, soft, hard, resets_at: end } = quota;
  const state = stateOf(quota);
  const wayOut =
    name === "queries" ? words.waits : end === null ? words.stays : words.resets(writeInstant(end));
  return html`<p class="usage-note ${state}">
    <span>${words.states[state]}.</span>
    ${
      state === "hard"
        ? html`<span>${words.refused} ${wayOut}</span>`
        : html`<span class="muted"
            >${soft < hard ? `${words.soft(write(quota, soft))}.` : nothing}</span
          >`
    }
  </p>`;
}
