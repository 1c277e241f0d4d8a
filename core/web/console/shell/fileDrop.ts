import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from "lit";
import { words } from "./words.ts";

/** Lets the reader drop files anywhere in the window while `isOn` returns true. */
export class FileDrop implements ReactiveController {
  private readonly host: ReactiveControllerHost;
  private readonly onDrop: (files: readonly File[]) => void;
  private readonly isOn: () => boolean;
  private isOver = false;

  constructor(
    host: ReactiveControllerHost,
    { isOn, onDrop }: { isOn(): boolean; onDrop(files: readonly File[]): void },
  ) {
    [this.host, this.isOn, this.onDrop] = [host, isOn, onDrop];
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener("dragover", this.over);
    window.addEventListener("dragleave", this.leave);
    window.addEventListener("drop", this.drop);
  }

  hostDisconnected(): void {
    window.removeEventListener("dragover", this.over);
    window.removeEventListener("dragleave", this.leave);
    window.removeEventListener("drop", this.drop);
  }

  /** Renders the sign over the page while files are dragged over it. */
  render(): TemplateResult | typeof nothing {
    return this.isOver ? html`<div class="file-drop">${words.dropHere}</div>` : nothing;
  }

  private show(isOver: boolean): void {
    if (this.isOver === isOver) return;
    this.isOver = isOver;
    this.host.requestUpdate();
  }

  private readonly over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes("Files") !== true || !this.isOn()) return;
    // Otherwise the browser would leave the console and show the file.
    event.preventDefault();
    this.show(true);
  };

  private readonly leave = (event: DragEvent): void => {
    if (event.relatedTarget === null) this.show(false);
  };

  private readonly drop = (event: DragEvent): void => {
    this.show(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0 || !this.isOn()) return;
    event.preventDefault();
    this.onDrop(files);
  };
}
