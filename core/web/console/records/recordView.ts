import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ConsoleContext, createLoad, notifyFailure, emptyState } from "../parts/index.ts";
import { actionButtons } from "./actionButtons.ts";
import { recordHead } from "./recordHead.ts";
import type { Content, OpenRecord, RecordViewKind } from "./recordKind.ts";

/** One record of a kind. Properties: `context`, `kind`, `recordId`. */
export class RecordView extends LitElement implements OpenRecord {
  static override properties = {
    context: { attribute: false },
    kind: { attribute: false },
    recordId: { attribute: false },
    shown: { state: true },
  };
  declare context: ConsoleContext;
  declare kind: RecordViewKind;
  declare recordId: string;
  declare private shown: Content;
  private readonly load = createLoad(this, async (signal) => ({
    record: await this.kind.read(this.context, this.recordId, signal),
  }));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("kind") && !changed.has("recordId")) return;
    this.shown = nothing;
    void this.load.start();
  }

  readonly show = (content: Content): void => {
    this.shown = content;
  };

  readonly change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      if ((await work()) !== false) await this.load.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  };

  protected override render(): TemplateResult {
    const { path, words } = this.kind;
    return this.load.show(({ record }) =>
      record === undefined
        ? html`<h1 class="visually-hidden">${words.absent}</h1>
            ${emptyState({
              title: words.absent,
              text: words.absentText,
              action: html`<a class="button" href=${path}>${words.title}</a>`,
            })}`
        : this.renderRecord(record),
    );
  }

  private renderRecord(record: unknown): TemplateResult {
    const { kind } = this;
    return html`${recordHead({
      path: kind.path,
      back: kind.words.title,
      title: html`${kind.nameOf(record)} ${kind.mark?.(record) ?? nothing}`,
      note: kind.note?.(record) ?? nothing,
      actions: actionButtons(kind.actions(record, this), this.change),
    })}
    ${this.shown} ${kind.body(record, this)}`;
  }
}
